// ---- main: puts the parts together -------------------------------------------------------------

// #t=3.2&pause&color=speed&angle=30&elevation=20&zoom=1.5&speed=0.5&forces&modes&points&joints
// &trails&walls=glass&cut=y:0.5&body=NAME&loop=0&theme=dark
function readOptions() {
  return Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
}

function numberOption(options, name, fallback) {
  const value = Number.parseFloat(options[name]);
  return Number.isFinite(value) ? value : fallback;
}

function say(text) {
  byId("message").textContent = text;
  byId("message").hidden = false;
}

// Follows the system's colours unless an option fixes them; returns a function that tells them.
function followTheme(options, changed) {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const current = () => (THEMES[options.theme] ? options.theme : dark.matches ? "dark" : "light");
  const apply = () => { document.documentElement.dataset.theme = current(); changed(); };
  dark.addEventListener("change", apply);
  apply();
  return current;
}

function chooseNext(select) {
  select.selectedIndex = (select.selectedIndex + 1) % select.options.length;
}

class Page {
  constructor(recording) {
    this.recording = recording;
    const {hasContacts, hasJoints, forceScale, reactionScale, torqueScale} = recording;
    this.hasForces = (hasContacts && forceScale > 0) ||
                     (hasJoints && (reactionScale > 0 || torqueScale > 0));
    this.stale = true;
    this.picked = -1;
    this.options = readOptions();
    const changed = () => { this.stale = true; };
    this.theme = followTheme(this.options, changed);
    this.panel = new Panel(recording);
    this.legend = new Legend(recording);
    this.player = new Player(recording);
    this.camera = new Camera(recording.focus);
    this.renderer = new Renderer(byId("view"), recording);
    this.connect(changed);
    this.applyOptions();
    this.slow = {frames: 0, seconds: 0};
    requestAnimationFrame((now) => this.tick(now, now));
  }

  connect(changed) {
    connectPlayer(this.player, changed);
    steerCamera(byId("view"), this.camera, changed, (event) => { this.pick(event); changed(); });
    for (const id of ["color", "forces", "modes", "points", "joints", "trails", "walls", "cut"]) {
      byId(id).addEventListener("change", changed);
    }
    byId("cut-at").addEventListener("input", changed);
    byId("forces-label").hidden = !this.hasForces;
    byId("modes-label").hidden = !this.recording.hasModes;
    byId("points-label").hidden = !this.recording.hasContacts;
    byId("joints-label").hidden = !this.recording.hasJoints;
    const isWall = (s) => s.bodyKind !== BODY.dynamic && s.kind !== SHAPE.halfSpace;
    byId("walls-label").hidden = !this.recording.shapes.some(isWall);
    byId("reset").addEventListener("click", () => { this.camera.reset(); changed(); });
    byId("details").addEventListener("click", (event) => {
      const open = byId("panel").classList.toggle("open");
      event.target.setAttribute("aria-expanded", open);
    });
    byId("view").addEventListener("webglcontextlost", () => {
      say("The browser has withdrawn the graphics. Load the page again to go on.");
    });
    addEventListener("hashchange", () => {
      this.options = readOptions();
      this.applyOptions();
      changed();
    });
    addEventListener("keydown", (event) => this.key(event, changed));
  }

  applyOptions() {
    const {options, camera, player} = this;
    player.seek(numberOption(options, "t", player.time));
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    player.playing = !("pause" in options) && !still;
    player.speed = numberOption(options, "speed", player.speed);
    player.loop = options.loop !== "0";
    camera.home.angle = numberOption(options, "angle", camera.home.angle);
    camera.home.elevation = numberOption(options, "elevation", camera.home.elevation);
    camera.reset();
    camera.magnify(numberOption(options, "zoom", 1));
    if (MODES.includes(options.color)) byId("color").value = options.color;
    byId("speed").value = String(player.speed);
    byId("loop").checked = player.loop;
    byId("forces").checked = "forces" in options && this.hasForces;
    byId("modes").checked = "modes" in options && this.recording.hasModes;
    byId("points").checked = "points" in options && this.recording.hasContacts;
    byId("joints").checked = "joints" in options && this.recording.hasJoints;
    byId("trails").checked = "trails" in options;
    if (WALLS.includes(options.walls)) byId("walls").value = options.walls;
    const [axis, share] = (options.cut || "").split(":");
    if (["x", "y", "z"].includes(axis)) byId("cut").value = axis;
    byId("cut-at").value = numberOption({share}, "share", 0.5);
    if ("body" in options) this.picked = this.recording.names.indexOf(options.body);
  }

  // The body under the pointer, or none.
  pick(event) {
    const {canvas} = this.renderer, box = canvas.getBoundingClientRect();
    const x = Math.floor((event.clientX - box.left) / box.width * canvas.width);
    const y = Math.floor((box.bottom - event.clientY) / box.height * canvas.height);
    this.picked = this.renderer.pick(this.shown(), x, y);
  }

  // What to draw.
  shown() {
    const {recording, player, camera, renderer} = this;
    camera.aspect = renderer.canvas.width / renderer.canvas.height;
    const frame = findFrame(recording, player.time), view = camera.view();
    const modes = byId("modes").checked, friction = byId("forces").checked;
    return {frame, view, theme: this.theme(), mode: byId("color").value, modes, friction,
            forces: modes || friction, points: byId("points").checked,
            joints: byId("joints").checked, trails: byId("trails").checked, walls: byId("walls").value,
            cut: this.cutPlane(view.eye), picked: this.picked};
  }

  // The plane (normal, distance) beyond which nothing is shown: across an axis, at a share of what
  // moves; the half that the camera is on goes.
  cutPlane(eye) {
    const axis = ["x", "y", "z"].indexOf(byId("cut").value), {focus} = this.recording;
    byId("cut-at").hidden = axis < 0;
    if (axis < 0) return [0, 0, 0, 0];
    const at = focus.low[axis] +
               Number(byId("cut-at").value) * (focus.high[axis] - focus.low[axis]);
    const side = eye[axis] < focus.centre[axis] ? -1 : 1, plane = [0, 0, 0, side * at];
    plane[axis] = side;
    return plane;
  }

  key(event, changed) {
    if (event.target.matches("select, input[type=range]") && event.key !== " ") return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const actions = {
      " ": () => this.player.toggle(),
      ArrowRight: () => this.player.stepFrame(1),
      ArrowLeft: () => this.player.stepFrame(-1),
      Home: () => this.player.seek(this.player.begin),
      End: () => this.player.seek(this.player.end),
      r: () => this.camera.reset(),
      f: () => { byId("forces").checked = !byId("forces").checked && this.hasForces; },
      m: () => { byId("modes").checked = !byId("modes").checked && this.recording.hasModes; },
      p: () => { byId("points").checked = !byId("points").checked && this.recording.hasContacts; },
      j: () => { byId("joints").checked = !byId("joints").checked && this.recording.hasJoints; },
      t: () => { byId("trails").checked = !byId("trails").checked; },
      w: () => chooseNext(byId("walls")),
      c: () => chooseNext(byId("cut")),
      Escape: () => { this.picked = -1; },
    };
    const action = actions[event.key];
    const own = "button, summary, select, input[type=checkbox]";  // have a use for the space bar
    if (!action || (event.key === " " && event.target.matches(own))) return;
    event.preventDefault();
    action();
    changed();
  }

  tick(now, before) {
    const seconds = Math.min(0.1, (now - before) / 1000);
    this.player.advance(seconds);
    if (this.renderer.fit()) this.stale = true;
    if (this.stale || this.player.playing) {
      this.draw();
      this.watchSpeed(now - before);
    }
    requestAnimationFrame((next) => this.tick(next, now));
  }

  draw() {
    const {player} = this, show = this.shown();
    this.stale = false;
    this.renderer.draw(show);
    this.legend.show(show.mode, show);
    this.legend.showModes(show.modes, show.frame.index);
    showPlayer(player);
    this.panel.update(player.time, show.frame);
    this.panel.showBody(this.picked, show.frame.index);
  }

  // Draws fewer pixels where the machine cannot keep up.
  watchSpeed(milliseconds) {
    const {slow, renderer} = this;
    if (!this.player.playing || milliseconds > 500) return;  // paused, or the tab was hidden
    slow.seconds += milliseconds / 1000;
    if (++slow.frames < 40) return;
    if (slow.seconds / slow.frames > 1 / 32 && renderer.quality > 0.5) renderer.quality *= 0.75;
    this.slow = {frames: 0, seconds: 0};
  }
}

function start() {
  document.documentElement.dataset.theme =
    matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  const recording = readRecording();
  byId("controls").hidden = true;
  if (!recording) {
    return say("This page holds no recording. “scree export RUN.h5 --html” writes one that does.");
  }
  if (!document.createElement("canvas").getContext("webgl2")) {
    byId("panel").classList.add("open");
    const last = recording.poses.length - 1;
    new Panel(recording).update(recording.frames.time[last], {index: last});
    return say("This page draws with WebGL2, which this browser does not offer or has switched " +
               "off. The figures of the recording are those of its end.");
  }
  byId("controls").hidden = false;
  try {
    return new Page(recording);
  } catch (error) {
    return say(`The recording cannot be drawn: ${error.message}`);
  }
}

start();
