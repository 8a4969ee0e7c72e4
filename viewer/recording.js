// ---- recording: what src/io/export_page.c wrote ------------------------------------------------

const BODY_WORDS = 3;     // 32-bit words of one body in one frame: place, speeds, rotation
const CONTACT_WORDS = 4;  // bodies, place, force and friction of one contact
const FRAME_COLUMNS =
  ["time", "bodies", "moving", "contacts", "kinetic", "residual", "penetration"];
const SHAPE_WORDS = 13;   // kinds, body, material, size, place, rotation
const HIDDEN = 0xffffffff;  // rotation of a body that is out of range
const SHAPE = {sphere: 0, halfSpace: 1, box: 2, capsule: 3, cylinder: 4, hull: 5, ellipsoid: 6,
               cone: 7, mesh: 8, tube: 9};
const BODY = {dynamic: 0, kinematic: 1, fixed: 2};

function wordsOfBase64(text) {
  const binary = atob(text), bytes = new Uint8Array(binary.length);
  for (let k = 0; k < bytes.length; ++k) bytes[k] = binary.charCodeAt(k);
  return new Uint32Array(bytes.buffer);
}

// The lines of a block, which begins and ends with a line break.
function takeBlock(id) {
  const element = document.getElementById(id);
  const lines = element.textContent.split("\n").slice(1, -1);
  element.remove();  // the text is large
  return lines;
}

// Returns null when the page holds no recording.
function readRecording() {
  const element = document.getElementById("recording");
  if (!element) return null;
  const recording = JSON.parse(element.textContent);
  recording.low = recording.low.map((x) => x ?? 0);  // null where nothing moves
  recording.size = subtract(recording.high.map((x) => x ?? 0), recording.low);
  const rows = recording.frames;
  recording.frames = {};
  FRAME_COLUMNS.forEach((name, k) => { recording.frames[name] = rows.map((row) => row[k]); });
  recording.shapes = shapesOfWords(wordsOfBase64(takeBlock("recording-shapes").join("")));
  recording.poses = [];
  recording.contacts = [];
  recording.motions = [];
  for (const line of takeBlock("recording-frames")) {
    const [poses, contacts, joints] = line.split(" ");
    recording.poses.push(wordsOfBase64(poses));
    recording.contacts.push(wordsOfBase64(contacts));
    recording.motions.push(new Float32Array(wordsOfBase64(joints).buffer));
  }
  recording.names = recording.names.flatMap(([name, first, n]) =>
    (first < 0 ? [name] : Array.from({length: n}, (_, k) => name + (first + k))));
  recording.focus = findFocus(recording);
  return recording;
}

// What is known of a moving body in a frame; forces of contacts are the largest and their sum.
function describeBody(recording, frame, body) {
  const pose = recording.poses[frame], k = BODY_WORDS * body;
  if (body >= recording.frames.moving[frame] || pose[k + 2] === HIDDEN) return null;
  const root = (level, most) => most * (level / 255) ** 2, rates = pose[k + 1] >>> 16;
  const found = {
    place: placeOf(recording, frame, body), speed: root(rates & 255, recording.speedMax),
    spin: root(rates >>> 8, recording.spinMax), contacts: 0, normal: 0, friction: 0};
  const words = recording.contacts[frame];
  for (let c = 0; c < words.length; c += CONTACT_WORDS) {
    if ((words[c] & 65535) !== body && words[c] >>> 16 !== body) continue;
    const force = recording.forceScale * ((words[c + 2] >>> 20) / 4095) ** 2;
    const share = (words[c + 3] & 255) / 255;
    ++found.contacts;
    found.normal = Math.max(found.normal, force * Math.sqrt(1 - share * share));
    found.friction = Math.max(found.friction, force * share);
  }
  return found;
}

function shapesOfWords(words) {
  const float = new Float32Array(words.buffer), int = new Int32Array(words.buffer);
  const shapes = [];
  for (let k = 0; k < words.length; k += SHAPE_WORDS) {
    shapes.push({
      kind: words[k] & 255,
      bodyKind: words[k] >> 8,
      body: int[k + 1],  // among the bodies that move; -1 for one that does not
      material: int[k + 2],
      size: float.subarray(k + 3, k + 6),
      place: float.subarray(k + 6, k + 9),
      turn: float.subarray(k + 9, k + 13),
      words: words.subarray(k, k + SHAPE_WORDS),
    });
  }
  return shapes;
}

function placeOf(recording, frame, body) {
  const p = recording.poses[frame], k = BODY_WORDS * body, {low, size} = recording;
  return [low[0] + size[0] * (p[k] & 65535) / 65535,
          low[1] + size[1] * (p[k] >>> 16) / 65535,
          low[2] + size[2] * (p[k + 1] & 65535) / 65535];
}

function reachOf(shape) {
  switch (shape.kind) {
    case SHAPE.sphere: return shape.size[0];
    case SHAPE.box: return Math.hypot(...shape.size);
    case SHAPE.capsule: return shape.size[0] + shape.size[1];
    case SHAPE.tube:
    case SHAPE.cylinder: return Math.hypot(shape.size[0], shape.size[1]);
    case SHAPE.hull: case SHAPE.mesh: return shape.size[1];
    case SHAPE.ellipsoid: return Math.max(...shape.size);
    case SHAPE.cone:
      return Math.max(1.5 * shape.size[1], Math.hypot(shape.size[0], 0.5 * shape.size[1]));
    default: return 0;
  }
}

// Half of the least width along the axes of the shape.
function thicknessOf({kind, size}, hulls) {
  switch (kind) {
    case SHAPE.box: case SHAPE.ellipsoid: return Math.min(...size);
    case SHAPE.hull: return Math.min(...[0, 1, 2].map((axis) => {
      const along = hulls[size[2]].corners.filter((_, k) => k % 3 === axis);
      return 0.5 * size[0] * (Math.max(...along) - Math.min(...along));
    }));
    case SHAPE.cylinder: case SHAPE.cone: return Math.min(size[0], size[1]);
    default: return size[0];
  }
}

// Places of moving bodies, some thousands over all frames, as one list per axis.
function samplePlaces(recording, bodies) {
  const places = [[], [], []];
  const frameStep = Math.max(1, recording.poses.length >> 5);
  const bodyStep = Math.max(1, bodies.length >> 9);
  for (let f = recording.poses.length - 1; f >= 0; f -= frameStep) {
    for (let i = 0; i < bodies.length; i += bodyStep) {
      if (bodies[i] >= recording.frames.moving[f]) break;
      if (recording.poses[f][BODY_WORDS * bodies[i] + 2] === HIDDEN) continue;
      placeOf(recording, f, bodies[i]).forEach((x, axis) => places[axis].push(x));
    }
  }
  return places.map((list) => list.sort((a, b) => a - b));
}

// The rotation of a body as a quaternion; the largest component was left out, it is positive.
function turnOf(recording, frame, body) {
  const bits = recording.poses[frame][BODY_WORDS * body + 2];
  const q = [0, 10, 20].map((k) => ((bits >>> k & 1023) / 1023 * 2 - 1) * Math.SQRT1_2);
  const rest = Math.sqrt(Math.max(0, 1 - q.reduce((sum, x) => sum + x * x, 0)));
  q.splice(bits >>> 30, 0, rest);
  return q;
}

// Half lengths along the axes of the world of a shape whose own axes are given.
function extentOf(shape, axes) {
  const {kind, size} = shape, reach = reachOf(shape);
  const isRound = kind === SHAPE.cylinder || kind === SHAPE.tube;
  const isBox = kind === SHAPE.box || kind === SHAPE.ellipsoid;
  return [0, 1, 2].map((i) => {
    const along = Math.abs(axes[2][i]);
    if (kind === SHAPE.capsule) return size[0] + size[1] * along;
    if (isRound) return size[0] * Math.sqrt(Math.max(0, 1 - along * along)) + size[1] * along;
    return isBox ? axes.reduce((sum, axis, k) => sum + Math.abs(axis[i]) * size[k], 0) : reach;
  });
}

// Whether a body turns or changes its place in the frames that are shown.
function isMoved({poses, frames}, body) {
  const k = BODY_WORDS * body, first = frames.moving.findIndex((n) => n > body);
  return first >= 0 && poses.some((pose, f) => f > first && body < frames.moving[f] &&
    (pose[k] !== poses[first][k] || (pose[k + 1] & 65535) !== (poses[first][k + 1] & 65535) ||
     pose[k + 2] !== poses[first][k + 2]));
}

// The box about a shape of a moving body in a frame, or null where it is not there.
function boxOfShape(recording, frame, shape) {
  const {body} = shape;
  if (body >= recording.frames.moving[frame]) return null;
  if (recording.poses[frame][BODY_WORDS * body + 2] === HIDDEN) return null;
  const turn = axesOf(turnOf(recording, frame, body));
  const rotate = (v) => turn.reduce((sum, axis, k) => add(sum, scale(axis, v[k])), [0, 0, 0]);
  const centre = add(placeOf(recording, frame, body), rotate(shape.place));
  const extent = extentOf(shape, axesOf(shape.turn).map(rotate));
  return {low: subtract(centre, extent), high: add(centre, extent)};
}

// Widens a box by driven bodies that move, wherever they are not further away from it than it is
// wide: a gate counts while it opens, not when it is long gone.
function widenByDriven(recording, box) {
  const width = Math.max(...subtract(box.high, box.low));
  const low = box.low.slice(), high = box.high.slice();
  const isDriven = (s) => s.bodyKind === BODY.kinematic && s.kind !== SHAPE.halfSpace &&
                          s.body >= 0 && isMoved(recording, s.body);
  for (const shape of recording.shapes.filter(isDriven)) {
    recording.poses.forEach((_, frame) => {
      const own = boxOfShape(recording, frame, shape);
      const isNear = own && [0, 1, 2].every((i) =>
        own.high[i] >= box.low[i] - width && own.low[i] <= box.high[i] + width);
      for (let i = 0; isNear && i < 3; ++i) {
        low[i] = Math.min(low[i], own.low[i]);
        high[i] = Math.max(high[i], own.high[i]);
      }
    });
  }
  return {low, high};
}

// A box, and the sphere about it, that holds nearly all that moves nearly always: a few bodies that
// fly off do not make the rest small.
function findFocus(recording) {
  const free = recording.shapes.filter((s) => s.body >= 0 && s.bodyKind === BODY.dynamic);
  const shapes = free.length ? free : recording.shapes.filter((s) => s.kind !== SHAPE.halfSpace);
  const reach = shapes.reduce((most, s) => Math.max(most, reachOf(s)), 0) || 1;
  const bodies = [...new Set(shapes.map((s) => s.body))].filter((b) => b >= 0);
  let places = samplePlaces(recording, bodies);
  if (!places[0].length) {  // nothing moves
    places = [0, 1, 2].map((i) => shapes.map((s) => s.place[i]).sort((a, b) => a - b));
  }
  const rank = (list, part) => list[Math.round(part * (list.length - 1))] || 0;
  const own = {low: places.map((list) => rank(list, 0.02) - reach),
               high: places.map((list) => rank(list, 0.98) + reach)};
  const {low, high} = widenByDriven(recording, own);
  const mean = (of) => shapes.reduce((sum, s) => sum + of(s), 0) / (shapes.length || 1) || reach;
  return {low, high, centre: scale(add(low, high), 0.5),
          typical: mean(reachOf), thin: mean((s) => thicknessOf(s, recording.hulls)),
          radius: 0.5 * Math.hypot(...subtract(high, low)),
          heights: [own.low[2] + reach, own.high[2] - reach]};
}

// Frame at or before a time, and how far the time lies towards the next one.
function findFrame(recording, time) {
  const times = recording.frames.time;
  let low = 0, high = times.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (times[middle] <= time) low = middle;
    else high = middle - 1;
  }
  const next = Math.min(low + 1, times.length - 1);
  const gap = times[next] - times[low];
  return {index: low, next, part: gap > 0 ? clamp((time - times[low]) / gap, 0, 1) : 0};
}
