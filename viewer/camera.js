// ---- camera: orbits a target, z is up ---------------------------------------------------------

const FIELD_TANGENT = Math.tan(0.5 * 32 * Math.PI / 180); // of half the vertical field of view

// Axes of a camera that looks back at its target; degrees.
function orbitAxes({angle, elevation}) {
  const a = angle * Math.PI / 180, e = elevation * Math.PI / 180;
  const back = [Math.cos(e) * Math.cos(a), Math.cos(e) * Math.sin(a), Math.sin(e)];
  return lookAlong([0, 0, 0], scale(back, -1), [0, 0, 1]);
}

class Camera {
  // `focus` is the sphere {centre, radius} that holds what moves.
  constructor(focus) {
    this.focus = focus;
    this.aspect = 1;
    this.home = {angle: -58, elevation: 20};
    this.reset();
  }

  reset() {
    this.angle = this.home.angle;
    this.elevation = this.home.elevation;
    this.zoom = 1;
    this.target = this.focus.centre.slice();
  }

  // Such that the box of the focus, seen as at first, fits into the view.
  get distance() {
    const {low, high, centre} = this.focus, {x, y, z} = orbitAxes(this.home);
    let most = 0;
    for (let k = 0; k < 8; ++k) {
      const corner = [0, 1, 2].map((i) => (k >> i & 1 ? high[i] : low[i]) - centre[i]);
      const across = Math.max(Math.abs(dot(x, corner)) / this.aspect, Math.abs(dot(y, corner)));
      most = Math.max(most, dot(z, corner) + across / FIELD_TANGENT);
    }
    return 1.12 * most / this.zoom;
  }

  turn(dx, dy) {
    this.angle -= dx;
    this.elevation = clamp(this.elevation + dy, -20, 89);
  }

  // Moves the target with the pointer; dx, dy in parts of the view's height.
  pan(dx, dy) {
    const step = 2 * FIELD_TANGENT * this.distance;
    const {x, y} = this.axes();
    this.target = add(this.target, add(scale(x, -dx * step), scale(y, dy * step)));
  }

  magnify(factor) { this.zoom = clamp(this.zoom * factor, 0.15, 40); }

  axes() {
    const {x, y, z} = orbitAxes(this);
    const eye = add(this.target, scale(z, this.distance));
    return {eye, x, y, matrix: lookAlong(eye, scale(z, -1), [0, 0, 1]).matrix};
  }

  // Eye and matrix from the world to clip space.
  view() {
    const axes = this.axes();
    const near = 0.02 * this.distance, far = this.distance + 14 * this.focus.radius;
    const projection = perspective(FIELD_TANGENT, this.aspect, near, far);
    return {eye: axes.eye, matrix: multiply(projection, axes.matrix)};
  }
}

// Mouse, pen and touch on the canvas; `changed` is called after every move of the camera, `clicked`
// with an event that was none.
function steerCamera(canvas, camera, changed, clicked) {
  const pointers = new Map();
  let travelled = 0;  // pixels since the pointer went down
  const spread = () => {
    const [a, b] = [...pointers.values()];
    return {x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, d: Math.hypot(a.x - b.x, a.y - b.y) || 1};
  };
  const drag = (event, before) => {
    const dx = event.clientX - before.x, dy = event.clientY - before.y;
    const height = canvas.clientHeight;
    if (event.shiftKey || event.buttons & 6) camera.pan(dx / height, dy / height);
    else camera.turn(dx * 0.35, dy * 0.35);
  };
  const pinch = (event) => {
    const before = spread();
    pointers.set(event.pointerId, {x: event.clientX, y: event.clientY});
    const now = spread(), height = canvas.clientHeight;
    camera.magnify(now.d / before.d);
    camera.pan((now.x - before.x) / height, (now.y - before.y) / height);
  };
  const move = (event) => {
    const before = pointers.get(event.pointerId);
    if (!before) return;
    travelled += Math.hypot(event.clientX - before.x, event.clientY - before.y);
    if (pointers.size === 2) pinch(event);
    else drag(event, before);
    pointers.set(event.pointerId, {x: event.clientX, y: event.clientY});
    changed();
  };
  const release = (event) => {
    if (pointers.delete(event.pointerId) && event.type === "pointerup" && travelled < 4) clicked(event);
  };

  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    travelled = pointers.size ? Infinity : event.button === 0 ? 0 : Infinity;
    pointers.set(event.pointerId, {x: event.clientX, y: event.clientY});
  });
  canvas.addEventListener("pointermove", move);
  canvas.addEventListener("pointerup", release);
  canvas.addEventListener("pointercancel", release);
  canvas.addEventListener("contextmenu", (event) => event.preventDefault());
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    camera.magnify(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0015)));
    changed();
  }, {passive: false});
  canvas.addEventListener("dblclick", () => { camera.reset(); changed(); });
}
