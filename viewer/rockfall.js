// ---- a rockfall study on its map: what src/io/rockfall_page.c wrote, drawn on a canvas ----------

const LINE_RAMP = ["#2c3f8f", "#2f7fb5", "#3fb28f", "#d9c84a", "#ef8a3c", "#c8342b"];
const LAYER_RAMP = ["#fff3c4", "#fcd06a", "#f49b42", "#dd5a3c", "#a5294f", "#5b1259"];
const BUCKETS = 32;        // colours of lines: all segments of one are one path
const LOGARITHMIC = new Set(["passages", "frequency", "deposits", "energy_max", "energy_90", "energy_95"]);
const HOLE = 65535;        // the word of a height that is none
const POINT_WORDS = 6;     // x, y, time, speed, energy, jump
const LINE_VALUE = {speed: [3, 1, "m/s", "Speed"], energy: [4, 2, "J", "Kinetic energy"],
                    jump: [5, 3, "m", "Jump height"]};  // word, place in `most`, unit, title
const ROCK_COLUMNS = ["form", "end", "diameter", "mass", "x0", "y0", "x1", "y1", "time", "length",
                      "runout", "speed", "energy", "jump", "points"];
const ICON = {play: "M4 2l10 6-10 6z", pause: "M3 2h4v12H3zM9 2h4v12H9z"};

// ---- reading ----

function takeBytes(id) {
  const element = document.getElementById(id), binary = atob(element.textContent.trim());
  element.remove();  // the text is large
  const bytes = new Uint8Array(binary.length);
  for (let k = 0; k < bytes.length; ++k) bytes[k] = binary.charCodeAt(k);
  return new DataView(bytes.buffer);
}

function wordsOf(view) {
  return Uint16Array.from({length: view.byteLength / 2}, (_, k) => view.getUint16(2 * k, true));
}

function readStudy() {
  const s = JSON.parse(document.getElementById("study").textContent);
  const [low, high] = s.heights;
  s.height = Float32Array.from(wordsOf(takeBytes("heights")), 
                               (w) => w === HOLE ? NaN : low + (high - low) * w / (HOLE - 1));
  s.cells = new Map();
  const cells = takeBytes("cells"), size = 4 + 2 * s.layers.length;
  for (let at = 0; at < cells.byteLength; at += size) {
    s.cells.set(cells.getUint32(at, true),
                s.layers.map((l, k) => l.most * cells.getUint16(at + 4 + 2 * k, true) / 65535));
  }
  s.points = wordsOf(takeBytes("points"));
  let first = 0;
  s.rocks = s.rocks.map((row) => {
    const rock = Object.fromEntries(ROCK_COLUMNS.map((name, k) => [name, row[k]]));
    rock.first = first;
    first += rock.points;
    return rock;
  });
  s.width = s.cell * (s.mapColumns - 1);   // m, between the outermost points
  s.depth = s.cell * (s.mapRows - 1);
  return s;
}

// Metres from the first point of the map.
function placeOf(s, point) {
  return [s.width * s.points[POINT_WORDS * point] / 65535,
          s.depth * s.points[POINT_WORDS * point + 1] / 65535];
}

// ---- colours ----

function rgbOf(hex) { return [1, 3, 5].map((k) => parseInt(hex.slice(k, k + 2), 16)); }

function colourOf(ramp, share) {
  const at = Math.min(Math.max(share, 0), 1) * (ramp.length - 1), k = Math.min(Math.floor(at), ramp.length - 2);
  const a = rgbOf(ramp[k]), b = rgbOf(ramp[k + 1]);
  return a.map((x, i) => Math.round(x + (at - k) * (b[i] - x)));
}

// Where a value lies in its scale, 0 to 1; logarithmic ones have three decades.
function shareOf(layer, value) {
  if (!(layer.most > 0)) return 0;
  if (!LOGARITHMIC.has(layer.name)) return value / layer.most;
  const decades = decadesOf(layer);
  return decades > 0 ? 1 + Math.log10(value / layer.most) / decades : 1;
}

function decadesOf(layer) {
  const counts = layer.name === "passages" || layer.name === "deposits";
  return counts ? Math.min(3, Math.log10(layer.most)) : 3;
}

// ---- pictures of the map ----

function makePicture(s, colour) {
  const canvas = document.createElement("canvas");
  canvas.width = s.columns;
  canvas.height = s.rows;
  const context = canvas.getContext("2d"), image = context.createImageData(s.columns, s.rows);
  for (let row = 0; row < s.rows; ++row) {
    for (let column = 0; column < s.columns; ++column) {
      const rgba = colour(column, row);
      if (rgba) image.data.set(rgba, 4 * ((s.rows - 1 - row) * s.columns + column));
    }
  }
  context.putImageData(image, 0, 0);
  return canvas;
}

// Shaded by a light from the north-west, with a second, weaker one from above.
function makeRelief(s, dark) {
  const cell = s.cell * s.step, light = [-0.5, 0.5, 0.7071];
  const at = (c, r) => (c < 0 || r < 0 || c >= s.columns || r >= s.rows ? NaN : s.height[r * s.columns + c]);
  // Between the neighbours that are there, at rims and beside holes the point itself and one.
  const slope = (here, before, after) => {
    const steps = !Number.isNaN(before) + !Number.isNaN(after);
    const low = Number.isNaN(before) ? here : before, high = Number.isNaN(after) ? here : after;
    return steps ? (high - low) / (steps * cell) : 0;
  };
  return makePicture(s, (c, r) => {
    const here = at(c, r);
    if (Number.isNaN(here)) return null;
    const dx = slope(here, at(c - 1, r), at(c + 1, r)), dy = slope(here, at(c, r - 1), at(c, r + 1));
    const length = Math.hypot(dx, dy, 1);
    const sun = Math.max(0, (-light[0] * dx - light[1] * dy + light[2]) / length), sky = 1 / length;
    const grey = dark ? 18 + 95 * sun + 30 * sky : 70 + 130 * sun + 50 * sky;
    const high = (here - s.heights[0]) / (s.heights[1] - s.heights[0] || 1);
    return [grey + 8 * high, grey + 3 * high, grey - 6 * high, 255];
  });
}

function makeOverlay(s, k) {
  const layer = s.layers[k];
  return makePicture(s, (c, r) => {
    const values = s.cells.get(r * s.columns + c);
    if (!values || !(values[k] > 0)) return null;
    return [...colourOf(LAYER_RAMP, shareOf(layer, values[k])), 215];
  });
}

// One path for each colour, in metres.
function makePaths(s, [word]) {
  const paths = Array.from({length: BUCKETS}, () => new Path2D());
  for (const rock of s.rocks) {
    let bucket = -1, from = null;
    for (let k = rock.first; k < rock.first + rock.points; ++k) {
      const to = placeOf(s, k);
      if (from) {
        const next = Math.min(BUCKETS - 1, Math.floor(s.points[POINT_WORDS * k + word] * BUCKETS / 65536));
        if (next !== bucket) paths[next].moveTo(...from);
        bucket = next;
        paths[next].lineTo(...to);
      }
      from = to;
    }
  }
  return paths;
}

// ---- the page ----

class Study {
  constructor(study) {
    Object.assign(this, {study, canvas: byId("view"), time: study.most[0], playing: false});
    this.context = this.canvas.getContext("2d");
    this.readAddress();
    this.fillPanel();
    this.fillControls();
    this.listen();
    this.resize();
    this.choose();
  }

  readAddress() {
    this.wanted = new URLSearchParams(location.hash.slice(1));
    const dark = window.matchMedia("(prefers-color-scheme: dark)").matches;
    this.dark = this.wanted.has("theme") ? this.wanted.get("theme") === "dark" : dark;
    document.documentElement.dataset.theme = this.dark ? "dark" : "light";
    this.relief = makeRelief(this.study, this.dark);
  }

  fillControls() {
    const none = new Option("relief alone", "none");
    byId("layer").append(none, ...this.study.layers.map((l) => new Option(l.meaning, l.name)));
    byId("layer").value = this.wanted.get("layer") || "none";
    if (!byId("layer").value) byId("layer").value = "none";
    byId("lines").value = this.wanted.get("lines") || (this.wanted.has("layer") ? "none" : "speed");
    if (!byId("lines").value) byId("lines").value = "speed";
    byId("slider").max = this.study.most[0] || 1;
    if (this.wanted.has("t")) this.time = Number(this.wanted.get("t"));
  }

  fillPanel() {
    const s = this.study, list = byId("facts"), n = s.rocks.length;
    const count = (end) => s.rocks.filter((r) => r.end === end).length;
    const most = (name) => Math.max(...s.rocks.map((r) => r[name]));
    byId("title").textContent = "Rockfall";
    byId("subtitle").textContent =
      `${formatCount(n)} blocks on a map of ${s.mapColumns} × ${s.mapRows} cells of ${formatNumber(s.cell)} m`;
    addTerm(list, "Came to rest", formatCount(count("rested")));
    addTerm(list, "Left the map", formatCount(count("left")));
    if (count("late")) addTerm(list, "Still moving", formatCount(count("late")));
    addTerm(list, "Farthest run-out", `${formatNumber(most("runout"))} m`);
    addTerm(list, "Highest speed", `${formatNumber(most("speed"))} m/s`);
    addTerm(list, "Highest kinetic energy", formatUnit(most("energy"), "J"));
    addTerm(list, "Highest jump", `${formatNumber(most("jump"))} m`);
    addTerm(list, "Seed", s.seed);
    const drawn = s.rocks.filter((r) => r.points > 0).length;
    const notes = [];
    if (drawn < n) notes.push(`Lines of ${formatCount(drawn)} blocks are kept.`);
    if (s.step > 1) notes.push(`Each cell shown is ${s.step} × ${s.step} of the map.`);
    byId("notes").textContent = notes.join(" ");
    this.drawChart();
  }

  drawChart() {
    const {width, blocks, left} = this.study.runout, n = blocks.length, top = Math.max(...blocks, 1);
    const bar = (k) => {
      const x = 280 * k / n, w = 280 / n - Math.min(1, 84 / n), h = 92 * blocks[k] / top;
      return blocks[k] ? `M${x} 96h${w}v${-h}h${-w}z` : "";
    };
    byId("chart-area").setAttribute("d", blocks.map((_, k) => bar(k)).join(""));
    byId("chart-area").style.fill = "var(--accent)";
    byId("chart-begin").textContent = "0";
    byId("chart-end").textContent = `${formatNumber(n * width)} m`;
    byId("chart").addEventListener("pointermove", (event) => {
      const box = byId("chart").getBoundingClientRect();
      const k = Math.min(n - 1, Math.max(0, Math.floor(n * (event.clientX - box.left) / box.width)));
      const out = left[k] ? `, ${left[k]} left` : "";
      byId("chart-now").textContent =
        `${formatNumber(k * width)} to ${formatNumber((k + 1) * width)} m: ${blocks[k]}${out}`;
    });
  }

  listen() {
    for (const id of ["layer", "lines", "deposits"]) byId(id).addEventListener("change", () => this.choose());
    byId("play").addEventListener("click", () => this.toggle());
    byId("slider").addEventListener("input", () => { this.time = Number(byId("slider").value); this.draw(); });
    byId("reset").addEventListener("click", () => this.frame());
    byId("details").addEventListener("click", () => {
      byId("details").setAttribute("aria-expanded", byId("panel").classList.toggle("open"));
      this.resize();
      this.draw();
    });
    window.addEventListener("resize", () => { this.resize(); this.draw(); });
    window.addEventListener("keydown", (event) => {
      if (event.target.closest("select, button")) return;
      if (event.key === " ") { event.preventDefault(); this.toggle(); }
      if (event.key === "r") this.frame();
    });
    this.listenToPointer();
  }

  listenToPointer() {
    const {canvas} = this, fingers = new Map();
    canvas.addEventListener("pointerdown", (event) => {
      fingers.set(event.pointerId, [event.offsetX, event.offsetY]);
      canvas.setPointerCapture(event.pointerId);
    });
    for (const end of ["pointerup", "pointercancel"]) {
      canvas.addEventListener(end, (event) => fingers.delete(event.pointerId));
    }
    canvas.addEventListener("pointermove", (event) => {
      const before = fingers.get(event.pointerId), now = [event.offsetX, event.offsetY];
      if (!before) { this.tell(...now); return; }
      const other = [...fingers].find(([id]) => id !== event.pointerId);
      if (other) {
        const apart = (p) => Math.hypot(p[0] - other[1][0], p[1] - other[1][1]);
        this.zoomAt(other[1][0], other[1][1], apart(now) / Math.max(1, apart(before)));
      } else {
        this.shift[0] += now[0] - before[0];
        this.shift[1] += now[1] - before[1];
      }
      fingers.set(event.pointerId, now);
      this.draw();
    });
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.zoomAt(event.offsetX, event.offsetY, Math.exp(-0.0015 * event.deltaY));
      this.draw();
    }, {passive: false});
    canvas.addEventListener("dblclick", () => this.frame());
  }

  // ---- view: pixel = shift + zoom (x, -y) ----

  resize() {
    const {canvas} = this, ratio = Math.min(window.devicePixelRatio || 1, 2);
    canvas.width = Math.round(canvas.clientWidth * ratio);
    canvas.height = Math.round(canvas.clientHeight * ratio);
    this.ratio = ratio;
    if (!this.zoom) this.frame(this.wanted);
  }

  frame(wanted) {
    const {study: s, canvas} = this, w = canvas.clientWidth, h = canvas.clientHeight;
    const given = (name) => (wanted && wanted.has(name) ? Number(wanted.get(name)) : NaN);
    const whole = 0.94 * Math.min(w / (s.width + s.cell), h / (s.depth + s.cell));
    this.zoom = whole * (given("zoom") > 0 ? given("zoom") : 1);
    const x = given("x") - s.origin[0], y = given("y") - s.origin[1];
    this.shift = [w / 2 - this.zoom * (Number.isFinite(x) ? x : s.width / 2),
                  h / 2 + this.zoom * (Number.isFinite(y) ? y : s.depth / 2)];
    if (this.paths || this.overlay !== undefined) this.draw();
  }

  zoomAt(x, y, factor) {
    this.zoom *= factor;
    this.shift = [x + factor * (this.shift[0] - x), y + factor * (this.shift[1] - y)];
  }

  // ---- what is shown ----

  choose() {
    const s = this.study, layer = s.layers.findIndex((l) => l.name === byId("layer").value);
    const value = LINE_VALUE[byId("lines").value];
    this.overlay = layer >= 0 ? makeOverlay(s, layer) : null;
    this.paths = value ? makePaths(s, value) : null;
    this.fillLegend("legend-layer", layer >= 0 ? s.layers[layer].meaning : null, LAYER_RAMP,
                    layer >= 0 ? this.layerTicks(s.layers[layer]) : []);
    this.fillLegend("legend-lines", value ? `${value[3]} along lines` : null, LINE_RAMP,
                    value ? ["0", formatUnit(s.most[value[1]], value[2])] : []);
    this.draw();
  }

  layerTicks(layer) {
    const unit = layer.unit === "1" ? "" : layer.unit;
    const least = LOGARITHMIC.has(layer.name) ? layer.most / 10 ** decadesOf(layer) : 0;
    return [least, layer.most].map((x) => (unit ? formatUnit(x, unit) : formatNumber(x)));
  }

  fillLegend(id, title, ramp, ticks) {
    const legend = byId(id), spans = legend.querySelectorAll("span");
    legend.hidden = !title;
    spans[0].textContent = title || "";
    ticks.forEach((text, k) => { spans[k + 1].textContent = text; });
    legend.querySelector(".bar").style.background = `linear-gradient(to right, ${ramp.join(", ")})`;
  }

  tell(px, py) {
    const s = this.study, list = byId("here");
    const x = (px - this.shift[0]) / this.zoom, y = (this.shift[1] - py) / this.zoom;
    const column = Math.floor((x / s.cell + 0.5) / s.step), row = Math.floor((y / s.cell + 0.5) / s.step);
    list.textContent = "";
    if (column < 0 || row < 0 || column >= s.columns || row >= s.rows) return;
    const cell = row * s.columns + column, values = s.cells.get(cell);
    byId("here-title").textContent =
      `x ${(x + s.origin[0]).toFixed(1)}, y ${(y + s.origin[1]).toFixed(1)}`;
    addTerm(list, "Height", `${formatNumber(s.height[cell])} m`);
    s.layers.forEach((layer, k) => {
      const unit = layer.unit === "1" ? "" : layer.unit;
      if (values) addTerm(list, layer.meaning, unit ? formatUnit(values[k], unit) : formatNumber(values[k]));
    });
    if (!values) addTerm(list, "No block passed", "");
  }

  // ---- drawing ----

  draw() {
    const {context, canvas, study: s} = this;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.fillStyle = getComputedStyle(document.documentElement).getPropertyValue("--back");
    context.fillRect(0, 0, canvas.width, canvas.height);
    const z = this.zoom * this.ratio, cell = s.cell * s.step;
    context.setTransform(z, 0, 0, -z, this.shift[0] * this.ratio, this.shift[1] * this.ratio);
    this.drawPicture(this.relief, cell, this.zoom * cell < 12);
    if (this.overlay) this.drawPicture(this.overlay, cell, false);
    if (this.paths) this.drawPaths();
    this.drawBlocks();
    this.drawScale();
    byId("clock").textContent = `${this.time.toFixed(1)} s`;
    byId("slider").value = this.time;
    byId("play-icon").setAttribute("d", this.playing ? ICON.pause : ICON.play);
  }

  // A picture's pixels are cells about the points of the map.
  drawPicture(picture, cell, smooth) {
    const {context} = this, half = this.study.cell / 2;
    context.save();
    context.imageSmoothingEnabled = smooth;
    context.translate(-half, -half + cell * picture.height);
    context.scale(cell, -cell);
    context.drawImage(picture, 0, 0);
    context.restore();
  }

  drawPaths() {
    const {context} = this, many = Math.sqrt(100 / Math.max(1, this.study.rocks.length));
    context.lineWidth = 1.2 / this.zoom;
    context.lineJoin = "round";
    context.globalAlpha = this.overlay ? 0.55 : Math.min(0.9, Math.max(0.25, many));
    this.paths.forEach((path, k) => {
      context.strokeStyle = `rgb(${colourOf(LINE_RAMP, (k + 0.5) / BUCKETS)})`;
      context.stroke(path);
    });
    context.globalAlpha = 1;
  }

  // Blocks on their way, and those that have come to an end.
  drawBlocks() {
    const {context, study: s} = this, resting = byId("deposits").checked;
    for (const rock of s.rocks) {
      const over = this.time >= rock.time || this.time >= s.most[0];
      if (over && (!resting || rock.end !== "rested")) continue;
      if (!over && !rock.points) continue;
      const [x, y] = over ? [rock.x1 - s.origin[0], rock.y1 - s.origin[1]] : this.placeAt(rock);
      const radius = Math.max(over ? 2 : 3, this.zoom * rock.diameter / 2) / this.zoom;
      context.beginPath();
      context.arc(x, y, radius, 0, 2 * Math.PI);
      context.fillStyle = over ? "#16181c" : "#ffffff";
      context.strokeStyle = over ? "#ffffff" : "#16181c";
      context.lineWidth = 0.8 / this.zoom;
      context.fill();
      context.stroke();
    }
  }

  placeAt(rock) {
    const s = this.study, timeOf = (k) => s.most[0] * s.points[POINT_WORDS * k + 2] / 65535;
    let low = rock.first, high = rock.first + rock.points - 1;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (timeOf(middle) <= this.time) low = middle;
      else high = middle;
    }
    const a = placeOf(s, low), b = placeOf(s, high), begin = timeOf(low), span = timeOf(high) - begin;
    const part = span > 0 ? Math.min(1, Math.max(0, (this.time - begin) / span)) : 1;
    return a.map((x, i) => x + part * (b[i] - x));
  }

  drawScale() {
    const wanted = 120 / this.zoom, ten = 10 ** Math.floor(Math.log10(wanted));
    const length = ten * (wanted / ten >= 5 ? 5 : wanted / ten >= 2 ? 2 : 1);
    byId("scale-bar").style.width = `${length * this.zoom}px`;
    byId("scale-text").textContent = length >= 1000 ? `${length / 1000} km` : `${formatNumber(length)} m`;
  }

  // ---- time ----

  toggle() {
    this.playing = !this.playing;
    if (this.playing && this.time >= this.study.most[0]) this.time = 0;
    this.last = performance.now();
    if (this.playing) requestAnimationFrame((now) => this.tick(now));
    this.draw();
  }

  tick(now) {
    if (!this.playing) return;
    this.time += Number(byId("speed").value) * (now - this.last) / 1000;
    this.last = now;
    if (this.time >= this.study.most[0]) {
      this.time = this.study.most[0];
      this.playing = false;
    }
    this.draw();
    if (this.playing) requestAnimationFrame((next) => this.tick(next));
  }
}

try {
  new Study(readStudy());
} catch (error) {
  byId("message").hidden = false;
  byId("message").textContent = `The study cannot be shown: ${error.message}`;
}
