// ---- shaders ----------------------------------------------------------------------------------

const SHADER_HEAD = `#version 300 es
precision highp float;
precision highp int;
precision highp usampler2D;
precision highp sampler2DShadow;
`;

// Poses of bodies: one texel each in the frames before and after the shown time.
const POSE_GLSL = `
uniform usampler2D uFrameA, uFrameB;
uniform float uPart;
uniform vec3 uLow, uSize;
const uint HIDDEN = 0xffffffffu;     // a rotation that no body has
const vec3 NOWHERE = vec3(1e9);      // outside every view

struct Pose { vec3 place; vec4 turn; vec2 rates; };  // turn: w x y z; rates: roots of parts of max

vec3 rotate(vec4 q, vec3 v) { return v + 2.0 * cross(q.yzw, cross(q.yzw, v) + q.x * v); }
vec4 compose(vec4 a, vec4 b)
{
  return vec4(a.x * b.x - dot(a.yzw, b.yzw), a.x * b.yzw + b.x * a.yzw + cross(a.yzw, b.yzw));
}

// The largest component is left out; it is positive.
vec4 unpackTurn(uint bits)
{
  vec3 c = (vec3(bits & 1023u, (bits >> 10) & 1023u, (bits >> 20) & 1023u) / 1023.0 * 2.0 - 1.0)
    * 0.70710678;
  float rest = sqrt(max(0.0, 1.0 - dot(c, c)));
  uint largest = bits >> 30;
  if (largest == 0u) return vec4(rest, c);
  if (largest == 1u) return vec4(c.x, rest, c.yz);
  if (largest == 2u) return vec4(c.xy, rest, c.z);
  return vec4(c, rest);
}

Pose unpackPose(usampler2D frame, int body)
{
  uvec3 t = texelFetch(frame, ivec2(body & 1023, body >> 10), 0).xyz;
  vec3 place = uLow + uSize * vec3(t.x & 65535u, t.x >> 16, t.y & 65535u) / 65535.0;
  vec2 rates = vec2((t.y >> 16) & 255u, t.y >> 24) / 255.0;
  if (t.z == HIDDEN) place = NOWHERE;
  return Pose(place, unpackTurn(t.z), rates);
}

Pose bodyPose(int body)
{
  if (body < 0) return Pose(vec3(0.0), vec4(1.0, 0.0, 0.0, 0.0), vec2(0.0));
  Pose a = unpackPose(uFrameA, body), b = unpackPose(uFrameB, body);
  if (a.place == NOWHERE || b.place == NOWHERE) b.place = a.place = NOWHERE;
  if (dot(a.turn, b.turn) < 0.0) b.turn = -b.turn;
  return Pose(mix(a.place, b.place, uPart), normalize(mix(a.turn, b.turn, uPart)),
              mix(a.rates, b.rates, uPart));
}
`;

// One instance is one shape of a body.
const INSTANCE_GLSL = `
layout(location = 0) in vec3 aPoint;
layout(location = 1) in vec3 aNormal;
layout(location = 2) in float aShift;
layout(location = 3) in ivec3 aIds;  // kinds, body, material
layout(location = 4) in vec3 aSize;
layout(location = 5) in vec3 aPlace;
layout(location = 6) in vec4 aTurn;

uniform int uWalls;  // bodies that do not move by themselves: as fits, glass, hidden, solid
uniform vec4 uCut;   // what lies beyond x . normal = w is not shown; no normal: all is
const vec4 OUTSIDE = vec4(0.0, 0.0, 2.0, 1.0);  // of every view

int shapeKind() { return aIds.x & 255; }
int bodyKind() { return aIds.x >> 8; }
bool isFree() { return bodyKind() == 0; }
bool isWall(float least)  // a large box that does not move by itself
{
  return !isFree() && shapeKind() == 2 && max(aSize.x, max(aSize.y, aSize.z)) >= least;
}
// Bodies that move freely are cut as a whole, the others where the plane goes through.
bool isHidden(Pose body)
{
  return isFree() ? dot(uCut.xyz, body.place) > uCut.w : uWalls == 2;
}
Pose shapePose(Pose body)
{
  return Pose(body.place + rotate(body.turn, aPlace), compose(body.turn, aTurn), body.rates);
}
`;

const MESH_POINT_GLSL = `
vec3 meshPoint()
{
  int kind = shapeKind();
  if (kind == 2 || kind == 6) return aPoint * aSize;
  if (kind == 4 || kind == 7) return aPoint * vec3(aSize.xx, aSize.y);
  if (kind == 9) return aPoint * vec3(vec2(aShift > 0.5 ? aSize.z : aSize.x), aSize.y);
  if (kind == 8) return aPoint;
  return aPoint * aSize.x + vec3(0.0, 0.0, aShift * aSize.y);
}

// Scaling a surface scales its normals by the inverse.
vec3 meshNormal()
{
  int kind = shapeKind();
  if (kind == 6) return normalize(aNormal / aSize);
  return kind == 7 ? normalize(aNormal / vec3(aSize.xx, aSize.y)) : aNormal;
}
`;

const PAINT_GLSL = `
uniform int uMode;
uniform float uMoving;
uniform vec2 uHeights;
uniform vec3 uPalette[6], uRamp[6], uFixed, uDriven, uPickedColour;
uniform int uPicked;    // the body that is pointed out; -1: none
uniform bool uPicking;  // colours are the numbers of bodies

vec3 ramp(float t)
{
  float x = clamp(t, 0.0, 1.0) * 5.0;
  int k = min(int(x), 4);
  return mix(uRamp[k], uRamp[k + 1], x - float(k));
}

vec3 paint(int kind, int body, int material, Pose pose)
{
  int number = body + 1;
  if (uPicking) return vec3(ivec3(number, number >> 8, number >> 16) & 255) / 255.0;
  if (body >= 0 && body == uPicked) return uPickedColour;
  if (kind == 2) return uFixed;
  if (kind == 1) return uDriven;
  if (uMode == 1) return ramp(pose.rates.x);
  if (uMode == 2) return ramp(pose.rates.y);
  if (uMode == 3) return ramp((pose.place.z - uHeights.x) / max(uHeights.y - uHeights.x, 1e-9));
  if (uMode == 4) return ramp(float(body) / uMoving);
  return uPalette[material % 6];
}
`;

// Sun with a shadow map, and light of the sky dimmed where things stand above, found in a second
// map from the zenith.
const LIGHT_GLSL = `
uniform vec3 uEye, uSun, uSunLight, uSkyLight, uGroundLight, uBackTop, uBackBottom;
uniform vec2 uViewport;
uniform mat4 uSunMatrix, uSkyMatrix;
uniform sampler2DShadow uSunMap, uSkyMap;
uniform float uSunBlur, uSkyBlur, uLift, uGhost;

const int TAPS = 16;

// A spiral that every pixel turns by another angle: the eye sees noise where it would see copies.
vec2 tap(int k, float turn)
{
  float a = 2.39996323 * float(k) + turn;
  return sqrt((float(k) + 0.5) / float(TAPS)) * vec2(cos(a), sin(a));
}

// Part of the light that reaches s (in texture units); what stands off to the side by d counts only
// where it is higher than d times the slope.
float openness(sampler2DShadow map, mat4 matrix, vec3 p, float blur, float slope)
{
  vec3 s = (matrix * vec4(p, 1.0)).xyz * 0.5 + 0.5;
  vec2 edge = smoothstep(0.5, 0.46, abs(s.xy - 0.5));
  if (s.z >= 1.0 || edge.x * edge.y <= 0.0) return 1.0;
  float sum = 0.0;
  float noise = fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));
  float turn = 6.2831853 * noise;
  for (int k = 0; k < TAPS; ++k) {
    vec2 d = blur * tap(k, turn);
    sum += texture(map, vec3(s.xy + d, s.z - slope * length(d)));
  }
  return mix(1.0, sum / float(TAPS), edge.x * edge.y);
}

vec3 background() { return mix(uBackBottom, uBackTop, gl_FragCoord.y / uViewport.y); }

vec3 encode(vec3 linear) { return pow(clamp(linear, 0.0, 1.0), vec3(1.0 / 2.2)); }

// Colour to show, for a surface of linear colour albedo at p with normal n.
vec3 shade(vec3 albedo, vec3 p, vec3 n, float gloss)
{
  vec3 q = p + n * uLift;
  float facing = dot(n, uSun);
  float sun = facing > 0.0 ? facing * openness(uSunMap, uSunMatrix, q, uSunBlur, 0.0) : 0.0;
  float open = openness(uSkyMap, uSkyMatrix, q, uSkyBlur, 0.8);
  vec3 ambient = mix(uGroundLight, uSkyLight, 0.5 + 0.5 * n.z) * mix(0.22, 1.0, open);
  vec3 halfway = normalize(normalize(uEye - p) + uSun);
  float shine = gloss * pow(max(dot(n, halfway), 0.0), 48.0) * sun;
  vec3 colour = encode(albedo * (ambient + uSunLight * sun) + uSunLight * shine);
  return mix(colour, background(), uGhost);
}
`;

const GRID_GLSL = `
uniform float uCell;
uniform vec3 uLine;

float gridLines(vec2 at, float cell)
{
  vec2 x = at / cell, w = fwidth(x);
  vec2 d = abs(fract(x - 0.5) - 0.5) / w;
  vec2 line = clamp(1.2 - d, 0.0, 1.0) * clamp(0.35 / w - 0.4, 0.0, 1.0);
  return max(line.x, line.y);
}

// Every fifth line is stronger.
float grid(vec2 at) { return max(0.45 * gridLines(at, uCell), 0.8 * gridLines(at, 5.0 * uCell)); }
`;

// ---- spheres: a quad that covers the sphere; the ray is cast per pixel ----

const SPHERE_VERTEX = SHADER_HEAD + POSE_GLSL + INSTANCE_GLSL + PAINT_GLSL + `
uniform mat4 uMatrix;
uniform vec3 uEye;
out vec3 vPoint;
flat out vec3 vCentre, vColour;
flat out vec4 vTurn;
flat out float vRadius, vMark;
void main()
{
  Pose body = bodyPose(aIds.y), pose = shapePose(body);
  vec3 away = pose.place - uEye;
  float d = length(away), r = aSize.x;
  vec3 z = away / d;
  vec3 x = normalize(cross(z, abs(z.z) < 0.99 ? vec3(0.0, 0.0, 1.0) : vec3(1.0, 0.0, 0.0)));
  float cover = 1.04 * r * d / sqrt(max(d * d - r * r, 1e-4 * r * r));
  vPoint = pose.place + cover * (aPoint.x * x + aPoint.y * cross(x, z));
  vCentre = pose.place;
  vTurn = pose.turn;
  vRadius = r;
  vColour = paint(bodyKind(), aIds.y, aIds.z, body);
  vMark = bodyKind() == 2 ? 0.0 : uMode == 0 ? 0.5 : 0.12;
  gl_Position = isHidden(body) ? OUTSIDE : uMatrix * vec4(vPoint, 1.0);
}
`;

const SPHERE_FRAGMENT = SHADER_HEAD + LIGHT_GLSL + `
uniform mat4 uMatrix;
in vec3 vPoint;
flat in vec3 vCentre, vColour;
flat in vec4 vTurn;
flat in float vRadius, vMark;
uniform bool uPicking;
out vec4 oColour;

// Octants in turn lighter and darker, so that rolling and spinning show.
float octants(vec3 n, float pixel)
{
  vec3 v = n + 2.0 * cross(vTurn.yzw, cross(vTurn.yzw, n) - vTurn.x * n);  // body axes
  vec3 side = clamp(v / (1.5 * pixel), -1.0, 1.0);
  return 0.5 + 0.5 * side.x * side.y * side.z;
}

void main()
{
  vec3 ray = normalize(vPoint - uEye), away = vCentre - uEye;
  float along = dot(away, ray);
  float miss = length(away - along * ray);
  float width = fwidth(miss);
  float coverage = clamp((vRadius - miss) / width + 0.5, 0.0, 1.0);
  if (coverage <= 0.0) discard;
  vec3 hit = uEye + (along - sqrt(max(vRadius * vRadius - miss * miss, 0.0))) * ray;
  vec3 n = normalize(hit - vCentre);
  vec3 marked = mix(vColour, vec3(0.86, 0.83, 0.78), vMark);
  vec3 albedo = mix(0.8 * vColour, marked, octants(n, width / vRadius));
  vec4 clip = uMatrix * vec4(hit, 1.0);
  gl_FragDepth = 0.5 + 0.5 * clip.z / clip.w;
  oColour = uPicking ? vec4(vColour, 1.0) : vec4(shade(albedo, hit, n, 0.22), coverage);
}
`;

const SPHERE_DEPTH_VERTEX = SHADER_HEAD + POSE_GLSL + INSTANCE_GLSL + `
uniform mat4 uMatrix;
uniform vec3 uAxisX, uAxisY;
out vec2 vAt;
flat out float vDepth;  // of the radius
void main()
{
  Pose body = bodyPose(aIds.y), pose = shapePose(body);
  vAt = aPoint.xy;
  vDepth = 0.5 * aSize.x * length(vec3(uMatrix[0].z, uMatrix[1].z, uMatrix[2].z));
  vec3 p = pose.place + aSize.x * (aPoint.x * uAxisX + aPoint.y * uAxisY);
  gl_Position = isHidden(body) ? OUTSIDE : uMatrix * vec4(p, 1.0);
}
`;

const SPHERE_DEPTH_FRAGMENT = SHADER_HEAD + `
in vec2 vAt;
flat in float vDepth;
void main()
{
  float rest = 1.0 - dot(vAt, vAt);
  if (rest <= 0.0) discard;
  gl_FragDepth = gl_FragCoord.z - vDepth * sqrt(rest);
}
`;

// ---- boxes, capsules, cylinders ----

const MESH_VERTEX = SHADER_HEAD + POSE_GLSL + INSTANCE_GLSL + MESH_POINT_GLSL + PAINT_GLSL + `
uniform mat4 uMatrix;
uniform vec3 uEye;
uniform vec4 uFocus;  // centre, radius
uniform bool uGlass;
out vec3 vPoint, vNormal, vLocal;
flat out vec3 vColour, vHalf;
flat out int vKind, vIsWall, vIsFree;

// Walls between the eye and what moves are shown as glass, unless the user says otherwise.
bool isGlass(Pose pose)
{
  if (isFree() || uWalls == 3) return false;
  if (uWalls == 1) return true;
  if (!isWall(0.25 * uFocus.w)) return false;
  vec3 thin = aSize.x <= min(aSize.y, aSize.z) ? vec3(1.0, 0.0, 0.0)
    : aSize.y <= aSize.z ? vec3(0.0, 1.0, 0.0) : vec3(0.0, 0.0, 1.0);
  vec3 n = rotate(pose.turn, thin);
  float inner = dot(n, uFocus.xyz - pose.place), outer = dot(n, uEye - pose.place);
  return inner * outer < 0.0;
}

void main()
{
  Pose body = bodyPose(aIds.y), pose = shapePose(body);
  vLocal = meshPoint();
  vPoint = pose.place + rotate(pose.turn, vLocal);
  vNormal = rotate(pose.turn, meshNormal());
  vColour = paint(bodyKind(), aIds.y, aIds.z, body);
  bool isZone = shapeKind() == 8 && aShift > 0.5 && !uPicking && (aIds.y < 0 || aIds.y != uPicked);
  if (isZone) vColour = mix(vColour, uPalette[int(aShift + 0.5) % 6], 0.55);
  vHalf = aSize;
  vKind = shapeKind();
  vIsWall = int(isWall(0.25 * uFocus.w));
  vIsFree = int(isFree());
  bool isShown = isGlass(pose) == uGlass && !isHidden(body);
  gl_Position = isShown ? uMatrix * vec4(vPoint, 1.0) : OUTSIDE;
}
`;

const MESH_FRAGMENT = SHADER_HEAD + LIGHT_GLSL + GRID_GLSL + `
uniform bool uGlass, uPicking;
uniform vec4 uCut;
in vec3 vPoint, vNormal, vLocal;
flat in vec3 vColour, vHalf;
flat in int vKind, vIsWall, vIsFree;
out vec4 oColour;

// Edges of boxes a little lighter; quarters of round shapes in two tones.
float tone()
{
  if (vIsWall != 0 || vKind == 5 || vKind == 8) return 1.0;
  if (vKind == 2) {
    vec3 d = (vHalf - abs(vLocal)) / max(fwidth(vLocal), vec3(1e-9));
    float second = max(min(d.x, d.y), min(max(d.x, d.y), d.z));
    return 1.0 + 0.3 * (1.0 - smoothstep(0.6, 1.8, second));
  }
  vec2 side = clamp(vLocal.xy / max(1.5 * fwidth(vLocal.xy), vec2(1e-9)), -1.0, 1.0);
  return 0.84 + 0.16 * side.x * side.y;
}

// The two coordinates along the face.
vec2 onFace()
{
  vec3 gap = vHalf - abs(vLocal);
  if (gap.x <= min(gap.y, gap.z)) return vLocal.yz;
  return gap.y <= gap.z ? vLocal.xz : vLocal.xy;
}

void main()
{
  if (vIsFree == 0 && dot(uCut.xyz, vPoint) > uCut.w) discard;
  vec3 colour = shade(vColour * tone(), vPoint, normalize(vNormal), 0.12);
  float line = grid(onFace());
  if (vIsWall != 0) colour = mix(colour, encode(uLine), 0.5 * line);
  if (vKind == 8) {  // lines of one height
    float contour = max(0.3 * gridLines(vec2(vLocal.z, 0.5 * uCell), uCell),
                        0.6 * gridLines(vec2(vLocal.z, 2.5 * uCell), 5.0 * uCell));
    colour = mix(colour, encode(uLine), 0.5 * contour);
  }
  oColour = uPicking ? vec4(vColour, 1.0) : vec4(colour, uGlass ? 0.13 : 1.0);
}
`;

const MESH_DEPTH_VERTEX = SHADER_HEAD + POSE_GLSL + INSTANCE_GLSL + MESH_POINT_GLSL + `
uniform mat4 uMatrix;
uniform vec4 uFocus;
// Walls, glass and what is cut cast no shadow, so that a container is light inside.
bool isLight()
{
  return isWall(0.25 * uFocus.w) || (!isFree() && (uWalls == 1 || uCut.xyz != vec3(0.0)));
}
void main()
{
  Pose body = bodyPose(aIds.y), pose = shapePose(body);
  vec4 p = uMatrix * vec4(pose.place + rotate(pose.turn, meshPoint()), 1.0);
  gl_Position = isLight() || isHidden(body) ? OUTSIDE : p;
}
`;

const MESH_DEPTH_FRAGMENT = SHADER_HEAD + `void main() {}`;

// ---- half-spaces: a finite piece of plane with a grid, which fades into the background; floors
// are solid, walls are glass, and from inside only the grid is seen ----

const PLANE_VERTEX = SHADER_HEAD + POSE_GLSL + INSTANCE_GLSL + `
uniform mat4 uMatrix;
uniform vec4 uFocus;
out vec3 vPoint;
out vec2 vGrid;
flat out vec3 vNormal, vMiddle;
void main()
{
  Pose pose = shapePose(bodyPose(aIds.y));
  vNormal = rotate(pose.turn, vec3(0.0, 0.0, 1.0));
  vec3 x = rotate(pose.turn, vec3(1.0, 0.0, 0.0)), y = rotate(pose.turn, vec3(0.0, 1.0, 0.0));
  vec3 d = uFocus.xyz - pose.place;
  vMiddle = uFocus.xyz - dot(d, vNormal) * vNormal;
  vPoint = vMiddle + 9.0 * uFocus.w * (aPoint.x * x + aPoint.y * y);
  vGrid = vec2(dot(vPoint - pose.place, x), dot(vPoint - pose.place, y));
  gl_Position = uMatrix * vec4(vPoint, 1.0);
}
`;

const PLANE_FRAGMENT = SHADER_HEAD + LIGHT_GLSL + GRID_GLSL + `
uniform vec4 uFocus;
uniform vec3 uFloor;
uniform bool uGlass;
in vec3 vPoint;
in vec2 vGrid;
flat in vec3 vNormal, vMiddle;
out vec4 oColour;

void main()
{
  bool inside = dot(uEye - vPoint, vNormal) < 0.0;  // of the half-space
  bool floorLike = vNormal.z > 0.5;
  if ((floorLike && !inside) == uGlass) discard;
  float away = length(vPoint - vMiddle) / uFocus.w;
  float fade = 1.0 - (floorLike ? smoothstep(1.2, 5.5, away) : smoothstep(0.6, 1.4, away));
  if (fade <= 0.003) discard;
  float line = grid(vGrid);
  if (inside) {
    oColour = vec4(encode(uLine), 0.25 * fade * line);
    return;
  }
  vec3 colour = shade(uFloor, vPoint, vNormal, 0.0);
  colour = mix(colour, encode(uLine), 0.5 * line);
  oColour = floorLike ? vec4(mix(background(), colour, fade), 1.0) : vec4(colour, 0.3 * fade);
}
`;

// ---- contact forces: from the centre of the one body over the contact to the centre of the other

const CONTACT_GLSL = `
layout(location = 3) in uvec4 aContact;
uniform mat4 uMatrix;
uniform vec3 uEye;
uniform float uWidth;

float forceLevel() { return float(aContact.z >> 20) / 4095.0; }  // root of the part of the scale
float frictionShare() { return float(aContact.w & 255u) / 255.0; }

// Where the contact is while its first body is at the given place.
vec3 contactPlace(int a, vec3 place)
{
  vec3 contact = uLow + uSize
    * vec3(aContact.y & 65535u, aContact.y >> 16, aContact.z & 65535u) / 65535.0;
  return contact + place - unpackPose(uFrameA, a).place;
}

// A corner of a band from begin to end that faces the eye; across is -1 or 1 at its sides.
vec3 bandCorner(int corner, vec3 begin, vec3 end, float atBegin, float atEnd, out float across)
{
  bool last = corner == 1 || corner == 2 || corner == 4;
  across = corner == 0 || corner == 1 || corner == 3 ? -1.0 : 1.0;
  vec3 p = last ? end : begin, side = cross(end - begin, uEye - p);
  float length2 = dot(side, side);
  return length2 > 0.0 ? p + side * inversesqrt(length2) * across * (last ? atEnd : atBegin) : p;
}
`;

const FORCE_VERTEX = SHADER_HEAD + POSE_GLSL + CONTACT_GLSL + `
uniform bool uByMode;
out float vAcross;
flat out float vForce;  // that along the normal, root of the part of the scale
flat out int vMode;     // what the contact does
void main()
{
  int a = int(aContact.x & 65535u), b = int(aContact.x >> 16);
  Pose first = bodyPose(a);
  vec3 contact = contactPlace(a, first.place);
  vec3 far = b == 65535 ? contact : bodyPose(b).place;
  float share = frictionShare();
  vForce = forceLevel() * (uByMode ? 1.0 : pow(max(0.0, 1.0 - share * share), 0.25));
  vMode = int(aContact.z >> 16) & 15;
  if (first.place == NOWHERE || far == NOWHERE) {
    gl_Position = vec4(0.0, 0.0, 2.0, 1.0);
    return;
  }
  bool nearer = gl_VertexID < 6;
  float wide = uWidth * (uByMode ? 0.2 + 0.8 * vForce : 0.05 + vForce);
  vec3 p = bandCorner(gl_VertexID % 6, nearer ? first.place : contact, nearer ? contact : far,
                      wide, wide, vAcross);
  gl_Position = uMatrix * vec4(p, 1.0);
}
`;

const FORCE_FRAGMENT = SHADER_HEAD + `
uniform vec3 uForceColour, uContactModes[10];
uniform bool uByMode;
in float vAcross;
flat in float vForce;
flat in int vMode;
out vec4 oColour;
void main()
{
  float soft = smoothstep(1.0, 1.0 - max(fwidth(vAcross) * 1.5, 0.25), abs(vAcross));
  float seen = uByMode ? 0.9 : mix(0.1, 0.95, min(1.0, 1.4 * vForce));
  oColour = vec4(uByMode ? uContactModes[min(vMode, 9)] : uForceColour, soft * seen);
}
`;

// ---- friction: a wedge that points where it pushes the first body ----

const FRICTION_VERTEX = SHADER_HEAD + POSE_GLSL + CONTACT_GLSL + `
out float vAcross;
vec3 direction()
{
  vec2 f = vec2(aContact.w >> 8 & 255u, aContact.w >> 16 & 255u) / 127.5 - 1.0;
  vec3 d = vec3(f, 1.0 - abs(f.x) - abs(f.y));
  float under = max(-d.z, 0.0);
  d.xy -= vec2(f.x < 0.0 ? -under : under, f.y < 0.0 ? -under : under);
  return normalize(d);
}
void main()
{
  int a = int(aContact.x & 65535u);
  Pose first = bodyPose(a);
  float level = forceLevel() * sqrt(frictionShare());
  if (first.place == NOWHERE || level <= 0.0) {
    gl_Position = vec4(0.0, 0.0, 2.0, 1.0);
    return;
  }
  vec3 begin = contactPlace(a, first.place), end = begin + 7.0 * uWidth * level * direction();
  vec3 p = bandCorner(gl_VertexID % 6, begin, end, 0.45 * uWidth * (0.3 + 0.7 * level),
                      0.03 * uWidth, vAcross);
  gl_Position = uMatrix * vec4(p, 1.0);
}
`;

const FRICTION_FRAGMENT = SHADER_HEAD + `
uniform vec3 uFrictionColour;
in float vAcross;
out vec4 oColour;
void main()
{
  float soft = smoothstep(1.0, 1.0 - max(fwidth(vAcross) * 1.5, 0.15), abs(vAcross));
  oColour = vec4(uFrictionColour, 0.95 * soft);
}
`;

// ---- contact points: discs with a rim, as large as bodies allow; they lie between two bodies, and
// are taken to be a little nearer, so that those at the front of a heap are in front of it ----

const POINT_VERTEX = SHADER_HEAD + POSE_GLSL + CONTACT_GLSL + `
uniform vec2 uViewport;
out vec2 vAt;            // from the middle, pixels
flat out float vRadius;  // pixels
flat out int vMode;
void main()
{
  int a = int(aContact.x & 65535u);
  Pose first = bodyPose(a);
  vec3 place = contactPlace(a, first.place);
  vec4 centre = uMatrix * vec4(place, 1.0);
  vec4 before = uMatrix * vec4(place + 2.0 * uWidth * normalize(uEye - place), 1.0);
  vMode = int(aContact.z >> 16) & 15;
  if (first.place == NOWHERE || centre.w <= 0.0) {
    gl_Position = vec4(0.0, 0.0, 2.0, 1.0);
    return;
  }
  float scale = max(1.0, uViewport.y / 700.0);
  float seen = uWidth * length(vec3(uMatrix[0].y, uMatrix[1].y, uMatrix[2].y)) * 0.5 * uViewport.y
    / centre.w;
  vRadius = clamp(0.7 * seen, 0.8 * scale, 6.0 * scale);
  vec2 corner = vec2(gl_VertexID == 1 || gl_VertexID == 2 || gl_VertexID == 4 ? 1.0 : -1.0,
                     gl_VertexID == 2 || gl_VertexID == 4 || gl_VertexID == 5 ? 1.0 : -1.0);
  vAt = corner * (vRadius + 1.0);
  gl_Position = vec4(centre.xy / centre.w + 2.0 * vAt / uViewport, before.z / before.w, 1.0);
}
`;

const POINT_FRAGMENT = SHADER_HEAD + `
uniform vec3 uPointColour, uContactModes[10];
uniform bool uByMode;
uniform float uStrength;
in vec2 vAt;
flat in float vRadius;
flat in int vMode;
out vec4 oColour;
void main()
{
  float away = length(vAt), rim = clamp(vRadius - 2.0, 0.0, 1.5);  // specks have none
  vec3 colour = uByMode ? uContactModes[min(vMode, 9)] : uPointColour;
  float white = min(1.0, rim) * smoothstep(vRadius - rim - 0.5, vRadius - rim + 0.5, away);
  colour = mix(colour, vec3(1.0), white);
  oColour = vec4(colour, uStrength * clamp(vRadius + 0.5 - away, 0.0, 1.0));
}
`;

// ---- trails: where bodies have been ----

const TRAIL_VERTEX = SHADER_HEAD + `
layout(location = 0) in vec3 aPoint;
uniform mat4 uMatrix;
void main() { gl_Position = uMatrix * vec4(aPoint, 1.0); }
`;

const TRAIL_FRAGMENT = SHADER_HEAD + `
uniform vec3 uTrailColour;
out vec4 oColour;
void main() { oColour = vec4(uTrailColour, 0.75); }
`;

// ---- lines of joints: as wide as they say in pixels, with round ends ----

const STROKE_VERTEX = SHADER_HEAD + `
layout(location = 0) in vec3 aBegin;
layout(location = 1) in vec3 aEnd;
layout(location = 2) in vec2 aStyle;  // colour, half width
uniform mat4 uMatrix;
uniform vec2 uViewport;
uniform vec3 uJointColour, uLimitColour, uForceColour, uTorqueColour;
flat out vec2 vBegin, vEnd;
flat out vec3 vColour;
flat out float vWide;
void main()
{
  vec4 begin = uMatrix * vec4(aBegin, 1.0), end = uMatrix * vec4(aEnd, 1.0);
  vec3 colours[4] = vec3[](uJointColour, uLimitColour, uForceColour, uTorqueColour);
  vColour = colours[int(aStyle.x)];
  vWide = aStyle.y * max(1.0, uViewport.y / 700.0);
  if (begin.w <= 0.0 || end.w <= 0.0) {
    gl_Position = vec4(0.0, 0.0, 2.0, 1.0);
    return;
  }
  vBegin = (0.5 + 0.5 * begin.xy / begin.w) * uViewport;
  vEnd = (0.5 + 0.5 * end.xy / end.w) * uViewport;
  vec2 along = vEnd - vBegin;
  float size = length(along);
  along = size > 0.0 ? along / size : vec2(1.0, 0.0);
  int corner = gl_VertexID;
  bool atEnd = corner == 1 || corner == 2 || corner == 4;
  float side = corner == 0 || corner == 1 || corner == 3 ? -1.0 : 1.0;
  vec2 p = (atEnd ? vEnd + (vWide + 1.0) * along : vBegin - (vWide + 1.0) * along)
    + side * (vWide + 1.0) * vec2(-along.y, along.x);
  gl_Position = vec4(2.0 * p / uViewport - 1.0, 0.0, 1.0);
}
`;

const STROKE_FRAGMENT = SHADER_HEAD + `
flat in vec2 vBegin, vEnd;
flat in vec3 vColour;
flat in float vWide;
out vec4 oColour;
void main()
{
  vec2 d = vEnd - vBegin, p = gl_FragCoord.xy - vBegin;
  float part = clamp(dot(p, d) / max(dot(d, d), 1e-9), 0.0, 1.0);
  oColour = vec4(vColour, clamp(vWide + 0.5 - length(p - part * d), 0.0, 1.0));
}
`;

const BACKGROUND_VERTEX = SHADER_HEAD + `
void main()
{
  gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0, 1.0, 1.0);
}
`;

const BACKGROUND_FRAGMENT = SHADER_HEAD + `
uniform vec3 uBackTop, uBackBottom;
uniform vec2 uViewport;
out vec4 oColour;
void main() { oColour = vec4(mix(uBackBottom, uBackTop, gl_FragCoord.y / uViewport.y), 1.0); }
`;

const PROGRAMS = {
  background: [BACKGROUND_VERTEX, BACKGROUND_FRAGMENT],
  sphere: [SPHERE_VERTEX, SPHERE_FRAGMENT],
  sphereDepth: [SPHERE_DEPTH_VERTEX, SPHERE_DEPTH_FRAGMENT],
  mesh: [MESH_VERTEX, MESH_FRAGMENT],
  meshDepth: [MESH_DEPTH_VERTEX, MESH_DEPTH_FRAGMENT],
  plane: [PLANE_VERTEX, PLANE_FRAGMENT],
  force: [FORCE_VERTEX, FORCE_FRAGMENT],
  friction: [FRICTION_VERTEX, FRICTION_FRAGMENT],
  point: [POINT_VERTEX, POINT_FRAGMENT],
  trail: [TRAIL_VERTEX, TRAIL_FRAGMENT],
  stroke: [STROKE_VERTEX, STROKE_FRAGMENT],
};
