// ---- renderer: WebGL2, everything instanced, two shadow maps -----------------------------------

const TEXTURE_WIDTH = 1024;  // bodies in a row of the pose textures, as in the shader
const SUN_MAP = 2048, SKY_MAP = 1024;
const UNIT = {frameA: 0, frameB: 1, sun: 2, sky: 3};
const MODES = ["material", "speed", "spin", "height", "age"];
const RAMP = ["#2b3a67", "#3d6d93", "#4fa095", "#8fc17b", "#dcd46a", "#f4a259"];
const PALETTE = ["#b87d50", "#5f8fb4", "#86a873", "#a583b5", "#c7696b", "#b9a44c"];
// What a contact does, in the order of scree_friction_mode.
const CONTACT_MODES = [["stick", "#3a9d5d"], ["slide", "#e0483e"], ["roll", "#2f7fd6"],
                       ["slide and roll", "#a045c4"], ["spin", "#e8920c"],
                       ["slide and spin", "#c2185b"], ["roll and spin", "#12a5a5"],
                       ["slide, roll and spin", "#7a5230"], ["take-off", "#98a2ab"],
                       ["none", "#c9b458"]];
const WALLS = ["auto", "glass", "hidden", "solid"];
const MOST_TRAILS = 150;
const SUN_DIRECTION = normalize([0.62, -0.34, 0.95]);

const THEMES = {
  light: {
    backTop: "#f3f5f7", backBottom: "#d9dfe5", floor: "#c3cad0", line: "#9aa7b1",
    fixed: "#c2cad1", driven: "#8fa3b3", force: "#8e1f2f", friction: "#1565b0", point: "#d6006c", picked: "#f0b000", trail: "#24537a",
    joint: "#0b6e63", limit: "#b06a00", torque: "#6a3fa0",
    sun: [0.80, 0.78, 0.74], sky: [0.56, 0.59, 0.64], ground: [0.28, 0.27, 0.26],
  },
  dark: {
    backTop: "#0f1316", backBottom: "#1d2429", floor: "#3a434a", line: "#77848e",
    fixed: "#59646c", driven: "#6d8394", force: "#ffb454", friction: "#56c8ff", point: "#ff6fb5", picked: "#ffd84a", trail: "#8ec9ff",
    joint: "#5fe0cf", limit: "#f2d35e", torque: "#c7a6ff",
    sun: [0.82, 0.79, 0.74], sky: [0.36, 0.40, 0.45], ground: [0.13, 0.13, 0.13],
  },
};

function displayed(hex) {
  return [1, 3, 5].map((k) => parseInt(hex.slice(k, k + 2), 16) / 255);
}
function linear(hex) { return displayed(hex).map((c) => Math.pow(c, 2.2)); }

// A round number (1, 2 or 5 times a power of ten) near x.
function roundNumber(x) {
  const power = Math.pow(10, Math.floor(Math.log10(x)));
  return [1, 2, 5, 10].map((k) => k * power).find((value) => value >= 0.8 * x);
}

function gridCell(focus) { return roundNumber(focus.radius / 5); }

function compileShader(gl, type, source) {
  const shader = gl.createShader(type);
  gl.shaderSource(shader, source);
  gl.compileShader(shader);
  return shader;
}

function linkProgram(gl, [vertex, fragment]) {
  const program = gl.createProgram();
  gl.attachShader(program, compileShader(gl, gl.VERTEX_SHADER, vertex));
  gl.attachShader(program, compileShader(gl, gl.FRAGMENT_SHADER, fragment));
  gl.linkProgram(program);
  return program;
}

// Waits for the program and looks up its uniforms.
function finishProgram(gl, program) {
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) {
    const logs = gl.getAttachedShaders(program).map((shader) => gl.getShaderInfoLog(shader));
    throw new Error([gl.getProgramInfoLog(program), ...logs].join("\n"));
  }
  const uniforms = {};
  const count = gl.getProgramParameter(program, gl.ACTIVE_UNIFORMS);
  for (let k = 0; k < count; ++k) {
    const {name, type} = gl.getActiveUniform(program, k);
    uniforms[name.replace("[0]", "")] = {at: gl.getUniformLocation(program, name), type};
  }
  return {program, uniforms};
}

// All are given to the driver before the first is waited for, so that it can compile them at once.
function makePrograms(gl, sources) {
  const linked = Object.entries(sources).map(([name, pair]) => [name, linkProgram(gl, pair)]);
  return Object.fromEntries(linked.map(([name, p]) => [name, finishProgram(gl, p)]));
}

function setUniform(gl, {at, type}, value) {
  switch (type) {
    case gl.FLOAT: gl.uniform1f(at, value); break;
    case gl.FLOAT_VEC2: gl.uniform2fv(at, value); break;
    case gl.FLOAT_VEC3: gl.uniform3fv(at, value); break;
    case gl.FLOAT_VEC4: gl.uniform4fv(at, value); break;
    case gl.FLOAT_MAT4: gl.uniformMatrix4fv(at, false, value); break;
    default: gl.uniform1i(at, value);
  }
}

// Sets those of `values` that the program knows; names without the leading u.
function useProgram(gl, {program, uniforms}, values) {
  gl.useProgram(program);
  for (const [name, value] of Object.entries(values)) {
    const uniform = uniforms["u" + name[0].toUpperCase() + name.slice(1)];
    if (uniform) setUniform(gl, uniform, value);
  }
}

function makePoseTexture(gl, unit, nBodies) {
  const texture = gl.createTexture();
  gl.activeTexture(gl.TEXTURE0 + unit);
  gl.bindTexture(gl.TEXTURE_2D, texture);
  gl.texStorage2D(gl.TEXTURE_2D, 1, gl.RGB32UI, TEXTURE_WIDTH,
                  Math.max(1, Math.ceil(nBodies / TEXTURE_WIDTH)));
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
  return {unit, frame: -1};
}

function fillPoseTexture(gl, texture, words) {
  gl.activeTexture(gl.TEXTURE0 + texture.unit);
  const n = words.length / BODY_WORDS, rows = Math.floor(n / TEXTURE_WIDTH);
  const put = (row, width, height, part) => {
    if (width * height === 0) return;
    gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, row, width, height, gl.RGB_INTEGER, gl.UNSIGNED_INT,
                     part);
  };
  const whole = rows * TEXTURE_WIDTH;
  put(0, TEXTURE_WIDTH, rows, words.subarray(0, whole * BODY_WORDS));
  put(rows, n - whole, 1, words.subarray(whole * BODY_WORDS));
}

// A depth map of the sphere `focus` seen along parallel rays from `direction`.
function makeShadowMap(gl, unit, size, focus, direction) {
  const texture = gl.createTexture();
  gl.activeTexture(gl.TEXTURE0 + unit);
  gl.bindTexture(gl.TEXTURE_2D, texture);
  gl.texStorage2D(gl.TEXTURE_2D, 1, gl.DEPTH_COMPONENT24, size, size);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.LINEAR);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_COMPARE_MODE, gl.COMPARE_REF_TO_TEXTURE);
  const buffer = gl.createFramebuffer();
  gl.bindFramebuffer(gl.FRAMEBUFFER, buffer);
  gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.TEXTURE_2D, texture, 0);
  gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  const radius = 1.25 * focus.radius;
  const up = Math.abs(direction[2]) > 0.99 ? [0, 1, 0] : [0, 0, 1];
  const axes = lookAlong(focus.centre, scale(direction, -1), up);
  return {buffer, size, radius, axes, matrix: multiply(orthographic(radius), axes.matrix)};
}

class Renderer {
  constructor(canvas, recording) {
    const gl = canvas.getContext("webgl2", {antialias: true, alpha: false});
    if (!gl) throw new Error("no WebGL2");
    Object.assign(this, {canvas, gl, recording, quality: 1});
    this.programs = makePrograms(gl, PROGRAMS);
    this.makeShapes();
    this.makeTrails();
    this.makeStrokes();
    const {focus} = recording;
    this.frameA = makePoseTexture(gl, UNIT.frameA, recording.moving);
    this.frameB = makePoseTexture(gl, UNIT.frameB, recording.moving);
    this.sun = makeShadowMap(gl, UNIT.sun, SUN_MAP, focus, SUN_DIRECTION);
    this.sky = makeShadowMap(gl, UNIT.sky, SKY_MAP, focus, [0, 0, 1]);
    this.constant = this.constantUniforms();
    gl.enable(gl.DEPTH_TEST);
    gl.depthFunc(gl.LEQUAL);
  }

  // One group per kind of shape: bodies that never move first, then by body.
  makeShapes() {
    const quad = new Float32Array([-1, -1, 1, -1, 1, 1, -1, -1, 1, 1, -1, 1]
      .flatMap((v, k, all) => (k % 2 ? [] : [v, all[k + 1], 0, 0, 0, 1, 0])));
    this.spheres = this.makeGroup(SHAPE.sphere, quad);
    this.planes = this.makeGroup(SHAPE.halfSpace, quad);
    this.casters = [
      this.makeGroup(SHAPE.box, boxMesh()),
      this.makeGroup(SHAPE.capsule, capsuleMesh()),
      this.makeGroup(SHAPE.cylinder, cylinderMesh()),
      this.makeGroup(SHAPE.ellipsoid, ballMesh()),
      this.makeGroup(SHAPE.cone, coneMesh()),
      this.makeGroup(SHAPE.tube, tubeMesh()),
      ...this.recording.hulls.map((hull, k) => this.makeGroup(SHAPE.hull, hullMesh(hull), k)),
    ];
    const grounds = this.recording.meshes.map((form, k) => form && this.makeGroup(SHAPE.mesh, groundMesh(form), k));
    this.meshes = [...this.casters, ...grounds.filter((group) => group)];
    this.contactBuffer = this.gl.createBuffer();
    this.contactFrame = -1;
    this.contactArray = this.gl.createVertexArray();
    this.gl.bindVertexArray(this.contactArray);
    this.gl.bindBuffer(this.gl.ARRAY_BUFFER, this.contactBuffer);
    this.gl.enableVertexAttribArray(3);
    this.gl.vertexAttribIPointer(3, CONTACT_WORDS, this.gl.UNSIGNED_INT, 0, 0);
    this.gl.vertexAttribDivisor(3, 1);
  }

  // Lines through the places of bodies in all frames; of many bodies every so many.
  makeTrails() {
    const {gl, recording} = this, points = [];
    const free = recording.shapes.filter((s) => s.body >= 0 && s.bodyKind === BODY.dynamic);
    const bodies = [...new Set(free.map((s) => s.body))];
    const step = Math.ceil(bodies.length / MOST_TRAILS) || 1;
    this.trails = bodies.filter((_, k) => k % step === 0).map((body) => {
      const begin = points.length / 3, trail = {begin, frames: []};
      recording.poses.forEach((pose, frame) => {
        const isThere = body < recording.frames.moving[frame];
        if (!isThere || pose[BODY_WORDS * body + 2] === HIDDEN) return;
        points.push(...placeOf(recording, frame, body));
        trail.frames.push(frame);
      });
      return trail;
    });
    this.trailArray = gl.createVertexArray();
    gl.bindVertexArray(this.trailArray);
    this.fillBuffer(new Float32Array(points));
    this.pointAttributes(12, 0, [[0, 3, 0]]);
  }

  makeStrokes() {
    const {gl} = this;
    this.jointLines = new JointLines(this.recording);
    this.strokeArray = gl.createVertexArray();
    this.strokeBuffer = gl.createBuffer();
    gl.bindVertexArray(this.strokeArray);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.strokeBuffer);
    this.pointAttributes(4 * SEGMENT_FLOATS, 1, [[0, 3, 0], [1, 3, 12], [2, 2, 24]]);
  }

  // Of hulls and meshes those with the given form.
  makeGroup(kind, mesh, form) {
    const {gl} = this;
    const isOne = (s) => s.kind === kind && (form === undefined || s.size[2] === form);
    const shapes = this.recording.shapes.filter(isOne)
      .sort((a, b) => a.body - b.body);
    const words = new Uint32Array(shapes.length * SHAPE_WORDS);
    shapes.forEach((s, k) => words.set(s.words, k * SHAPE_WORDS));
    const array = gl.createVertexArray();
    gl.bindVertexArray(array);
    this.fillBuffer(mesh);
    this.pointAttributes(28, 0, [[0, 3, 0], [1, 3, 12], [2, 1, 24]]);
    this.fillBuffer(words);
    this.pointAttributes(4 * SHAPE_WORDS, 1, [[4, 3, 12], [5, 3, 24], [6, 4, 36]]);
    gl.enableVertexAttribArray(3);
    gl.vertexAttribIPointer(3, 3, gl.INT, 4 * SHAPE_WORDS, 0);
    gl.vertexAttribDivisor(3, 1);
    return {array, nVertices: mesh.length / 7, bodies: shapes.map((s) => s.body)};
  }

  fillBuffer(data) {
    const {gl} = this;
    gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ARRAY_BUFFER, data, gl.STATIC_DRAW);
  }

  pointAttributes(stride, divisor, list) {
    const {gl} = this;
    for (const [location, size, offset] of list) {
      gl.enableVertexAttribArray(location);
      gl.vertexAttribPointer(location, size, gl.FLOAT, false, stride, offset);
      gl.vertexAttribDivisor(location, divisor);
    }
  }

  constantUniforms() {
    const {recording} = this, {focus} = recording;
    return {
      frameA: UNIT.frameA, frameB: UNIT.frameB, sunMap: UNIT.sun, skyMap: UNIT.sky,
      low: recording.low, size: recording.size, moving: Math.max(1, recording.moving - 1),
      heights: focus.heights, focus: [...focus.centre, focus.radius],
      palette: PALETTE.flatMap(linear), ramp: RAMP.flatMap(linear),
      contactModes: CONTACT_MODES.flatMap(([, colour]) => displayed(colour)),
      cell: gridCell(focus), sun: SUN_DIRECTION,
      sunMatrix: this.sun.matrix, skyMatrix: this.sky.matrix,
      sunBlur: Math.min(0.004, Math.max(1 / SUN_MAP, 0.12 * focus.typical / this.sun.radius)),
      skyBlur: clamp(1.1 * focus.typical / this.sky.radius, 3 / SKY_MAP, 0.08),
      lift: 2.5 * this.sun.radius / SUN_MAP,
      width: 0.28 * focus.thin,
    };
  }

  themeUniforms(theme) {
    return {
      backTop: displayed(theme.backTop), backBottom: displayed(theme.backBottom),
      floor: linear(theme.floor), line: linear(theme.line), fixed: linear(theme.fixed),
      driven: linear(theme.driven), forceColour: displayed(theme.force), frictionColour: displayed(theme.friction), pointColour: displayed(theme.point), pickedColour: linear(theme.picked),
      trailColour: displayed(theme.trail), jointColour: displayed(theme.joint),
      limitColour: displayed(theme.limit), torqueColour: displayed(theme.torque),
      sunLight: theme.sun, skyLight: theme.sky, groundLight: theme.ground,
    };
  }

  // `show`: {frame: of findFrame(), mode, forces, modes, points, trails, joints, walls, cut, theme,
  // picked, view: of a camera}.
  draw(show) {
    const {gl, canvas} = this;
    this.loadFrame(show.frame);
    const shared = this.sharedUniforms(show);
    this.drawShadows(this.sun, shared);
    this.drawShadows(this.sky, shared);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.viewport(0, 0, canvas.width, canvas.height);
    gl.clear(gl.DEPTH_BUFFER_BIT);
    this.drawScene({...shared, matrix: show.view.matrix}, show);
  }

  sharedUniforms(show) {
    const {canvas} = this;
    return {
      ...this.constant, ...this.themeUniforms(THEMES[show.theme]),
      part: show.frame.part, mode: MODES.indexOf(show.mode), ghost: show.forces || show.points || show.joints ? 0.6 : 0,
      walls: WALLS.indexOf(show.walls), cut: show.cut, byMode: show.modes,
      eye: show.view.eye, viewport: [canvas.width, canvas.height], picked: show.picked, picking: false,
    };
  }

  // The moving body that is seen at a place of the canvas, in its pixels from the lower left; -1: none.
  // The same shapes are drawn to a picture of its own, in which colours are the numbers of bodies.
  pick(show, x, y) {
    const {gl, canvas, programs} = this, pixel = new Uint8Array(4);
    const buffer = gl.createFramebuffer(), colour = gl.createRenderbuffer(), depth = gl.createRenderbuffer();
    gl.bindFramebuffer(gl.FRAMEBUFFER, buffer);
    for (const [target, format, at] of [[colour, gl.RGBA8, gl.COLOR_ATTACHMENT0],
                                        [depth, gl.DEPTH_COMPONENT24, gl.DEPTH_ATTACHMENT]]) {
      gl.bindRenderbuffer(gl.RENDERBUFFER, target);
      gl.renderbufferStorage(gl.RENDERBUFFER, format, canvas.width, canvas.height);
      gl.framebufferRenderbuffer(gl.FRAMEBUFFER, at, gl.RENDERBUFFER, target);
    }
    gl.viewport(0, 0, canvas.width, canvas.height);
    gl.enable(gl.SCISSOR_TEST);
    gl.scissor(x, y, 1, 1);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    this.loadFrame(show.frame);
    const values = {...this.sharedUniforms(show), matrix: show.view.matrix, glass: 0, picking: true};
    useProgram(gl, programs.mesh, values);
    for (const group of this.meshes) this.drawGroup(group);
    useProgram(gl, programs.sphere, values);
    this.drawGroup(this.spheres);
    gl.readPixels(x, y, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
    gl.disable(gl.SCISSOR_TEST);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.deleteFramebuffer(buffer);
    gl.deleteRenderbuffer(colour);
    gl.deleteRenderbuffer(depth);
    return pixel[0] + 256 * pixel[1] + 65536 * pixel[2] - 1;
  }

  loadFrame({index, next}) {
    const {gl, recording} = this;
    for (const [texture, frame] of [[this.frameA, index], [this.frameB, next]]) {
      if (texture.frame === frame) continue;
      fillPoseTexture(gl, texture, recording.poses[frame]);
      texture.frame = frame;
    }
    this.nMoving = recording.frames.moving[index];
  }

  drawShadows(map, shared) {
    const {gl, programs} = this;
    gl.bindFramebuffer(gl.FRAMEBUFFER, map.buffer);
    gl.viewport(0, 0, map.size, map.size);
    gl.clear(gl.DEPTH_BUFFER_BIT);
    // A map that is drawn must not be read: its unit is not among the uniforms of these programs.
    const values = {...shared, matrix: map.matrix, axisX: map.axes.x, axisY: map.axes.y};
    useProgram(gl, programs.sphereDepth, values);
    this.drawGroup(this.spheres);
    useProgram(gl, programs.meshDepth, values);
    // Ground casts none: it is larger than the map, at whose rim its own shadow would end.
    for (const group of this.casters) this.drawGroup(group);
  }

  drawScene(values, show) {
    const {forces, points, trails, joints} = show;
    const {gl, programs} = this;
    gl.disable(gl.DEPTH_TEST);
    useProgram(gl, programs.background, values);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
    gl.enable(gl.DEPTH_TEST);
    useProgram(gl, programs.plane, {...values, glass: 0});
    this.drawGroup(this.planes);
    useProgram(gl, programs.mesh, {...values, glass: 0});
    for (const group of this.meshes) this.drawGroup(group);
    gl.enable(gl.SAMPLE_ALPHA_TO_COVERAGE);
    useProgram(gl, programs.sphere, values);
    this.drawGroup(this.spheres);
    gl.disable(gl.SAMPLE_ALPHA_TO_COVERAGE);

    gl.enable(gl.BLEND);
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
    gl.depthMask(false);
    useProgram(gl, programs.plane, {...values, glass: 1});
    this.drawGroup(this.planes);
    useProgram(gl, programs.mesh, {...values, glass: 1});
    for (const group of this.meshes) this.drawGroup(group);
    if (trails) this.drawTrails(values);
    if (forces) this.drawForces(values, show.friction);
    if (forces || joints) this.drawJoints(values, show);
    if (points) this.drawPoints(values);
    gl.depthMask(true);
    gl.disable(gl.BLEND);
  }

  // Shapes of bodies that exist in the frame.
  drawGroup({array, nVertices, bodies}) {
    let low = 0, high = bodies.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (bodies[middle] < this.nMoving) low = middle + 1;
      else high = middle;
    }
    if (low === 0) return;
    this.gl.bindVertexArray(array);
    this.gl.drawArraysInstanced(this.gl.TRIANGLES, 0, nVertices, low);
  }

  // Up to the frame that is shown.
  drawTrails(values) {
    const {gl} = this, now = this.frameA.frame;
    gl.bindVertexArray(this.trailArray);
    useProgram(gl, this.programs.trail, values);
    for (const {begin, frames} of this.trails) {
      const later = frames.findIndex((frame) => frame > now);
      const count = later < 0 ? frames.length : later;
      if (count > 1) gl.drawArrays(gl.LINE_STRIP, begin, count);
    }
  }

  // Makes the contacts of the frame the instances of what is drawn next; how many there are.
  loadContacts() {
    const {gl} = this, words = this.recording.contacts[this.frameA.frame];
    gl.bindVertexArray(this.contactArray);
    if (this.contactFrame !== this.frameA.frame) {
      gl.bindBuffer(gl.ARRAY_BUFFER, this.contactBuffer);
      gl.bufferData(gl.ARRAY_BUFFER, words, gl.DYNAMIC_DRAW);
      this.contactFrame = this.frameA.frame;
    }
    return words.length / CONTACT_WORDS;
  }

  // Contacts lie between bodies, which must not hide them.
  drawForces(values, friction) {
    const {gl} = this, n = this.loadContacts();
    if (!n) return;
    gl.disable(gl.DEPTH_TEST);
    useProgram(gl, this.programs.force, values);
    gl.drawArraysInstanced(gl.TRIANGLES, 0, 12, n);
    if (friction) {
      useProgram(gl, this.programs.friction, values);
      gl.drawArraysInstanced(gl.TRIANGLES, 0, 6, n);
    }
    gl.enable(gl.DEPTH_TEST);
  }

  // Those inside shine through: a few plainly, thousands so that they do not cover the others.
  drawPoints(values) {
    const {gl} = this, n = this.loadContacts();
    if (!n) return;
    gl.disable(gl.DEPTH_TEST);
    useProgram(gl, this.programs.point, {...values, strength: clamp(500 / n, 0.03, 0.6)});
    gl.drawArraysInstanced(gl.TRIANGLES, 0, 6, n);
    gl.enable(gl.DEPTH_TEST);
    useProgram(gl, this.programs.point, {...values, strength: 1});
    gl.drawArraysInstanced(gl.TRIANGLES, 0, 6, n);
  }

  drawJoints(values, {frame, forces, joints, view}) {
    const {gl} = this;
    const lines = this.jointLines.make(frame, {geometry: joints, forces, eye: view.eye});
    if (!lines.length) return;
    gl.bindVertexArray(this.strokeArray);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.strokeBuffer);
    gl.bufferData(gl.ARRAY_BUFFER, lines, gl.DYNAMIC_DRAW);
    gl.disable(gl.DEPTH_TEST);
    useProgram(gl, this.programs.stroke, values);
    gl.drawArraysInstanced(gl.TRIANGLES, 0, 6, lines.length / SEGMENT_FLOATS);
    gl.enable(gl.DEPTH_TEST);
  }

  // Returns whether the size changed.
  fit() {
    const {canvas, gl} = this;
    const ratio = Math.min(window.devicePixelRatio || 1, 2) * this.quality;
    const width = Math.max(1, Math.round(canvas.clientWidth * ratio));
    const height = Math.max(1, Math.round(canvas.clientHeight * ratio));
    if (canvas.width === width && canvas.height === height) return false;
    canvas.width = Math.min(width, gl.getParameter(gl.MAX_RENDERBUFFER_SIZE));
    canvas.height = Math.min(height, gl.getParameter(gl.MAX_RENDERBUFFER_SIZE));
    return true;
  }
}
