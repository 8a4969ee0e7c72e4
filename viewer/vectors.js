// ---- vectors, quaternions (w, x, y, z), matrices of 16 by columns ----------------------------

function add(a, b) { return [a[0] + b[0], a[1] + b[1], a[2] + b[2]]; }
function subtract(a, b) { return [a[0] - b[0], a[1] - b[1], a[2] - b[2]]; }
function scale(a, s) { return [a[0] * s, a[1] * s, a[2] * s]; }
function dot(a, b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
function cross(a, b) {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}
function normalize(a) { return scale(a, 1 / Math.hypot(...a)); }
function clamp(x, low, high) { return Math.min(Math.max(x, low), high); }

// Columns of the rotation that a quaternion w, x, y, z is.
function axesOf([w, x, y, z]) {
  return [[1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)],
          [2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)],
          [2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)]];
}

function multiply(a, b) {
  const c = new Float32Array(16);
  for (let j = 0; j < 4; ++j) {
    for (let i = 0; i < 4; ++i) {
      for (let k = 0; k < 4; ++k) c[4 * j + i] += a[4 * k + i] * b[4 * j + k];
    }
  }
  return c;
}

// Right-handed axes of a camera at `eye` that looks along `forward`.
function lookAlong(eye, forward, up) {
  const z = scale(normalize(forward), -1);
  const x = normalize(cross(up, z));
  const y = cross(z, x);
  const matrix = new Float32Array([
    x[0], y[0], z[0], 0, x[1], y[1], z[1], 0, x[2], y[2], z[2], 0,
    -dot(x, eye), -dot(y, eye), -dot(z, eye), 1]);
  return {x, y, z, matrix};
}

function perspective(tangent, aspect, near, far) {
  const f = 1 / tangent, d = 1 / (near - far);
  return new Float32Array([
    f / aspect, 0, 0, 0, 0, f, 0, 0, 0, 0, (near + far) * d, -1, 0, 0, 2 * near * far * d, 0]);
}

// A cube of half length `r` about the origin of the view.
function orthographic(r) {
  return new Float32Array([1 / r, 0, 0, 0, 0, 1 / r, 0, 0, 0, 0, -1 / r, 0, 0, 0, 0, 1]);
}
