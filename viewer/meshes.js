// ---- meshes: triangles as (point, normal, shift); the shader scales the point by the shape's size
// and moves it along z by shift times the half length, which is how caps stay round ---------------

const ROUND = 40;  // corners of a circle

function addQuad(out, a, b, c, d) { out.push(...a, ...b, ...c, ...a, ...c, ...d); }

function boxMesh() {
  const out = [];
  for (let axis = 0; axis < 3; ++axis) {
    for (const side of [-1, 1]) {
      const corner = (u, v) => {
        const point = [0, 0, 0], normal = [0, 0, 0];
        point[axis] = normal[axis] = side;
        point[(axis + 1) % 3] = u * side;
        point[(axis + 2) % 3] = v;
        return [...point, ...normal, 0];
      };
      addQuad(out, corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1));
    }
  }
  return new Float32Array(out);
}

// Faces as fans of triangles.
function hullMesh(hull) {
  const out = [], corner = (k) => hull.corners.slice(3 * k, 3 * k + 3);
  for (const face of hull.faces) {
    const points = face.map(corner);
    const normal = [0, 0, 0];
    for (let k = 1; k + 1 < points.length; ++k) {
      const n = cross(subtract(points[k], points[0]), subtract(points[k + 1], points[0]));
      n.forEach((x, i) => { normal[i] += x; });
    }
    const unit = normalize(normal);
    for (let k = 1; k + 1 < points.length; ++k) {
      for (const p of [points[0], points[k], points[k + 1]]) out.push(...p, ...unit, 0);
    }
  }
  return new Float32Array(out);
}

// Points and triangles of a height field; the zone of a triangle is that of its right angle.
function trianglesOfHeights({columns, rows, origin, spacing, heights, zones: zoneOf}) {
  const points = [], corners = [], zones = zoneOf && [];
  for (let row = 0; row < rows; ++row) {
    for (let column = 0; column < columns; ++column) {
      const a = row * columns + column, d = a + columns;
      points.push(origin[0] + column * spacing[0], origin[1] + row * spacing[1], heights[a]);
      if (row + 1 === rows || column + 1 === columns) continue;
      corners.push(a, a + 1, d + 1, a, d + 1, d);
      if (zones) zones.push(zoneOf[a + 1], zoneOf[d]);
    }
  }
  return {points, corners, zones};
}

// A surface in relief: the normals at a point are the mean of those about it, which shows the lie of
// the land and not its triangles. What is a shift elsewhere is the zone here.
function groundMesh(form) {
  const {points, corners, zones} = form.heights ? trianglesOfHeights(form) : form;
  const normals = new Float64Array(points.length);
  const point = (k) => [points[3 * k], points[3 * k + 1], points[3 * k + 2]];
  for (let t = 0; t < corners.length; t += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => point(corners[t + k]));
    const n = cross(subtract(b, a), subtract(c, a));
    for (let k = 0; k < 3; ++k) n.forEach((x, i) => { normals[3 * corners[t + k] + i] += x; });
  }
  const out = new Float32Array(7 * corners.length);
  corners.forEach((k, i) => {
    const n = normalize([normals[3 * k], normals[3 * k + 1], normals[3 * k + 2]]);
    out.set([...point(k), ...n, zones ? zones[Math.floor(i / 3)] : 0], 7 * i);
  });
  return out;
}

// Rings of the given (radius, z, normal radius, normal z, shift), joined by quads in pairs.
function latheMesh(strips) {
  const out = [];
  for (const [lower, upper] of strips) {
    for (let k = 0; k < ROUND; ++k) {
      const at = (ring, i) => {
        const a = 2 * Math.PI * i / ROUND, c = Math.cos(a), s = Math.sin(a);
        return [ring[0] * c, ring[0] * s, ring[1], ring[2] * c, ring[2] * s, ring[3], ring[4]];
      };
      addQuad(out, at(lower, k), at(lower, k + 1), at(upper, k + 1), at(upper, k));
    }
  }
  return new Float32Array(out);
}

function cylinderMesh() {
  return latheMesh([
    [[0, -1, 0, -1, 0], [1, -1, 0, -1, 0]],
    [[1, -1, 1, 0, 0], [1, 1, 1, 0, 0]],
    [[1, 1, 0, 1, 0], [0, 1, 0, 1, 0]],
  ]);
}

// About the centre of mass, heights in halves of the whole; normals before the shape is scaled.
function coneMesh() {
  const slope = Math.hypot(2, 1), [nr, nz] = [2 / slope, 1 / slope];
  return latheMesh([
    [[0, -0.5, 0, -1, 0], [1, -0.5, 0, -1, 0]],
    [[1, -0.5, nr, nz, 0], [0, 1.5, nr, nz, 0]],
  ]);
}

// Rings of the inner wall have the shift 1: the shader gives them the inner radius.
function tubeMesh() {
  return latheMesh([
    [[1, -1, 0, -1, 1], [1, -1, 0, -1, 0]],
    [[1, -1, 1, 0, 0], [1, 1, 1, 0, 0]],
    [[1, 1, 0, 1, 0], [1, 1, 0, 1, 1]],
    [[1, 1, -1, 0, 1], [1, -1, -1, 0, 1]],
  ]);
}

// A ring of the unit sphere, k of n steps from the equator to the pole.
function ballRing(k, n, shift) {
  const a = Math.PI / 2 * k / n, c = Math.cos(a), s = Math.sin(a);
  return [c, s, c, s, shift];
}

function ballMesh() {
  const strips = [], n = 16;
  for (let k = -n; k < n; ++k) strips.push([ballRing(k, n, 0), ballRing(k + 1, n, 0)]);
  return latheMesh(strips);
}

function capsuleMesh() {
  const strips = [], n = 8;
  const ring = (k, shift) => ballRing(k, n, shift);
  for (let k = -n; k < 0; ++k) strips.push([ring(k, -1), ring(k + 1, -1)]);
  strips.push([ring(0, -1), ring(0, 1)]);
  for (let k = 0; k < n; ++k) strips.push([ring(k, 1), ring(k + 1, 1)]);
  return latheMesh(strips);
}
