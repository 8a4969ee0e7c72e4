// ---- joints: anchors, axes, limits and reactions, as lines of a few pixels over everything -------

const JOINT_FLOATS = 20;   // of one joint in one frame: point and rotation of A, of B, force, torque
const SEGMENT_FLOATS = 8;  // ends, colour, width
const JOINT = {fixed: 0, ball: 1, hinge: 2, slider: 3, cylindrical: 4, universal: 5, planar: 6,
               distance: 7, rope: 8, screw: 9, gear: 10, rack: 11, curve: 12};
const STROKE = {joint: 0, limit: 1, force: 2, torque: 3};  // colours, as in the shader

// Which freedom of a kind slides along an axis of B, and which one turns about x.
const JOINT_SLIDES = {[JOINT.slider]: [0], [JOINT.cylindrical]: [0], [JOINT.planar]: [1, 2]};
const JOINT_TURNS = {[JOINT.hinge]: 0, [JOINT.screw]: 0, [JOINT.cylindrical]: 1, [JOINT.planar]: 2};

function mixQuaternions(a, b, part) {
  const sign = a.reduce((sum, x, k) => sum + x * b[k], 0) < 0 ? -1 : 1;
  const q = a.map((x, k) => x + part * (sign * b[k] - x));
  const length = Math.hypot(...q);
  return q.map((x) => x / length);
}

// Joint k between two frames; null where it is gone.
function jointAt(recording, {index, next, part}, k) {
  const numbers = (frame) => {
    const at = recording.motions[frame].subarray(JOINT_FLOATS * k, JOINT_FLOATS * (k + 1));
    return at.length && !Number.isNaN(at[0] + at[14]) ? Array.from(at) : null;
  };
  const now = numbers(index), then = numbers(next) || now;
  if (!now) return null;
  const mixed = now.map((x, i) => x + part * (then[i] - x));
  const turn = (i) => axesOf(mixQuaternions(now.slice(i, i + 4), then.slice(i, i + 4), part));
  return {a: mixed.slice(0, 3), axesA: turn(3), b: mixed.slice(7, 10), axesB: turn(10),
          force: mixed.slice(14, 17), torque: mixed.slice(17, 20)};
}

// The lines of all joints of a moment as numbers for the shader.
class JointLines {
  constructor(recording) {
    this.recording = recording;
    this.size = 0.16 * recording.focus.radius;  // half length of an axis
  }

  // `forces`: with reactions; `geometry`: with what the joints are.
  make(frame, {geometry, forces, eye}) {
    const {recording} = this, n = recording.motions[frame.index].length / JOINT_FLOATS;
    this.out = [];
    this.eye = eye;
    for (let k = 0; k < n; ++k) {
      const now = jointAt(recording, frame, k);
      if (!now) continue;
      if (geometry) this.drawJoint(recording.joints[k], now);
      if (forces) this.drawReaction(now);
    }
    return new Float32Array(this.out);
  }

  line(a, b, stroke, width) { this.out.push(...a, ...b, stroke, width); }

  drawJoint({kind, limits}, {a, b, axesA, axesB}) {
    const along = (p, axis) => {
      this.line(add(p, scale(axis, -this.size)), add(p, scale(axis, this.size)), STROKE.joint, 1.6);
    };
    const isFree = kind === JOINT.fixed || kind === JOINT.ball || kind === JOINT.curve;
    if (kind === JOINT.distance || kind === JOINT.rope) this.line(a, b, STROKE.joint, 1.6);
    else if (kind === JOINT.universal) along(a, axesA[0]), along(b, axesB[1]);
    else if (kind === JOINT.gear || kind === JOINT.rack) along(a, axesA[0]), along(b, axesB[0]);
    else if (!isFree) along(b, axesB[0]);
    this.line(a, a, STROKE.joint, 4);
    this.line(b, b, STROKE.joint, 4);
    (JOINT_SLIDES[kind] || []).forEach((axis, freedom) => {
      this.drawRange(b, axesB[axis], axesB[(axis + 1) % 3], limits.slice(2 * freedom));
    });
    if (kind in JOINT_TURNS) this.drawArc(b, axesB, axesA[1], limits.slice(2 * JOINT_TURNS[kind]));
  }

  // From limit to limit of a slide, with a stroke across at each.
  drawRange(b, axis, side, [lower, upper]) {
    const has = [lower !== null, upper !== null];
    if (!has[0] && !has[1]) return;
    const at = (x) => add(b, scale(axis, x));
    const low = at(has[0] ? lower : upper - this.size), high = at(has[1] ? upper : lower + this.size);
    const tick = scale(side, 0.35 * this.size);
    this.line(low, high, STROKE.limit, 1.6);
    if (has[0]) this.line(subtract(low, tick), add(low, tick), STROKE.limit, 2.2);
    if (has[1]) this.line(subtract(high, tick), add(high, tick), STROKE.limit, 2.2);
  }

  // The angles of a turn that limits leave, counted from y of B, and the hand of A.
  drawArc(b, [, y, z], hand, [lower, upper]) {
    const has = [lower !== null, upper !== null], radius = 0.8 * this.size;
    if (!has[0] && !has[1]) return;
    const low = has[0] ? lower : upper - 1, high = Math.min(has[1] ? upper : lower + 1,
                                                           low + 2 * Math.PI);
    const at = (angle, r) =>
      add(b, add(scale(y, r * Math.cos(angle)), scale(z, r * Math.sin(angle))));
    const n = Math.max(2, Math.ceil(12 * (high - low) / Math.PI));
    for (let k = 0; k < n; ++k) {
      const angle = (i) => low + (high - low) * i / n;
      this.line(at(angle(k), radius), at(angle(k + 1), radius), STROKE.limit, 1.6);
    }
    if (has[0]) this.line(b, at(low, 1.1 * radius), STROKE.limit, 1.6);
    if (has[1]) this.line(b, at(high, 1.1 * radius), STROKE.limit, 1.6);
    this.line(b, add(b, scale(hand, radius)), STROKE.joint, 2.2);
  }

  drawReaction({b, force, torque}) {
    const {reactionScale, torqueScale} = this.recording;
    this.drawArrow(b, force, reactionScale, STROKE.force, 1);
    this.drawArrow(b, torque, torqueScale, STROKE.torque, 2);
  }

  // As long as its part of the scale, three times that at most; `heads` tells moments from forces.
  drawArrow(from, vector, whole, stroke, heads) {
    const size = Math.hypot(...vector), full = 2.5 * this.size;
    if (!(whole > 0) || !(size > 0.02 * whole)) return;
    const length = full * Math.min(3, size / whole), axis = scale(vector, 1 / size);
    const tip = add(from, scale(axis, length)), head = Math.min(0.3 * length, 0.18 * full);
    const side = cross(axis, subtract(this.eye, tip)), wide = Math.hypot(...side) || 1;
    this.line(from, tip, stroke, 2.2);
    for (let k = 0; k < heads; ++k) {
      const at = add(tip, scale(axis, -0.8 * head * k));
      for (const sign of [-1, 1]) {
        const barb = add(scale(axis, -head), scale(side, sign * 0.45 * head / wide));
        this.line(at, add(at, barb), stroke, 2.2);
      }
    }
  }
}
