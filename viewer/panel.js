// ---- panel: what was simulated, and how well ---------------------------------------------------

class Panel {
  constructor(recording) {
    this.recording = recording;
    document.title = recording.title || recording.scene || "Scree recording";
    byId("title").textContent = document.title;
    byId("subtitle").textContent = recording.scene;
    this.fillFacts();
    this.fillParameters();
    this.fillNotes();
    this.drawChart();
  }

  fillFacts() {
    const r = this.recording, list = byId("facts");
    this.bodies = addTerm(list, "Bodies", "");
    this.contacts = addTerm(list, "Contacts", "");
    addTerm(list, "Time step", formatUnit(r.step, "s"));
    if (r.law) addTerm(list, "Contact law", r.law);
    this.residual = addTerm(list, "Worst residual so far", "");
    if (r.tolerance) addTerm(list, "Tolerance", formatNumber(r.tolerance));
    this.penetration = addTerm(list, "Worst penetration so far", "");
  }

  fillParameters() {
    const {parameters, settings, text} = this.recording;
    const list = byId("parameters").querySelector("dl");
    for (const p of parameters) addTerm(list, p.name, p.text || formatNumber(p.value), p.meaning);
    byId("parameters").hidden = !parameters.length;
    for (const setting of settings) {
      const item = document.createElement("li");
      item.textContent = setting;
      byId("settings").querySelector("ul").append(item);
    }
    byId("settings").hidden = !settings.length;
    byId("scene-text").querySelector("pre").textContent = text;
    byId("scene-text").hidden = !text;
  }

  fillNotes() {
    const r = this.recording, shown = r.frames.time.length;
    const notes = [];
    if (!r.closed) notes.push("The recording ended early: its run was stopped.");
    notes.push(shown < r.recordedFrames
      ? `${formatCount(shown)} of ${formatCount(r.recordedFrames)} recorded frames are shown.`
      : `All ${formatCount(shown)} recorded frames are shown.`);
    const grain = Math.max(...r.size) / 65535 / 2;
    notes.push(`Positions are rounded to ${formatUnit(grain, "m")}, rotations to 0.3°; ` +
               "between frames they are interpolated.");
    notes.push(`Lines of the grid are ${formatUnit(gridCell(r.focus), "m")} apart.`);
    if (r.joints.length && !r.hasJoints) notes.push("Joints were left out to keep the page small.");
    if (!r.hasContacts) notes.push("Contacts were left out to keep the page small.");
    byId("notes").textContent = notes.join(" ");
  }

  drawChart() {
    const {time, kinetic} = this.recording.frames;
    const begin = time[0], end = time[time.length - 1], top = Math.max(...kinetic, 0);
    this.chartX = (t) => (end > begin ? 280 * (t - begin) / (end - begin) : 0);
    const point = (k) => `${this.chartX(time[k]).toFixed(2)} ` +
                         `${(95 - 91 * Math.max(kinetic[k] || 0, 0) / (top || 1)).toFixed(2)}`;
    const line = "M" + time.map((_, k) => point(k)).join("L");
    byId("chart-line").setAttribute("d", line);
    byId("chart-area").setAttribute("d", `${line}L280 96L0 96Z`);
    byId("chart-begin").textContent = `${begin.toFixed(1)} s`;
    byId("chart-end").textContent = `${end.toFixed(1)} s`;
    byId("chart-top").textContent = `top: ${formatUnit(top, "J")}`;
  }

  update(time, {index}) {
    const {frames, bodies} = this.recording;
    const x = this.chartX(time).toFixed(2);
    byId("chart-cursor").setAttribute("d", `M${x} 0V96`);
    if (index === this.index) return;
    this.index = index;
    byId("energy-now").textContent = formatUnit(frames.kinetic[index], "J");
    const now = frames.bodies[index];
    this.bodies.textContent =
      now < bodies ? `${formatCount(now)} of ${formatCount(bodies)}` : formatCount(bodies);
    this.contacts.textContent = formatCount(frames.contacts[index]);
    this.residual.textContent = formatNumber(frames.residual[index]);
    this.penetration.textContent = formatUnit(frames.penetration[index], "m");
  }

  // The body that was clicked on; -1: none.
  showBody(body, index) {
    byId("body").hidden = body < 0;
    if (body < 0 || (body === this.body && index === this.bodyAt)) return;
    Object.assign(this, {body, bodyAt: index});
    byId("body-name").textContent = this.recording.names[body] ?? "";
    const list = byId("body-facts"), found = describeBody(this.recording, index, body);
    list.replaceChildren();
    if (!found) return void addTerm(list, "Not there in this frame", "");
    "xyz".split("").forEach((axis, k) => addTerm(list, axis, formatUnit(found.place[k], "m")));
    addTerm(list, "Speed", formatUnit(found.speed, "m/s"));
    addTerm(list, "Angular speed", formatUnit(found.spin, "rad/s"));
    if (!this.recording.hasContacts) return;
    addTerm(list, "Contacts", formatCount(found.contacts));
    addTerm(list, "Normal force", formatUnit(found.normal, "N"), "largest");
    addTerm(list, "Friction", formatUnit(found.friction, "N"), "largest");
  }
}

// ---- legend of the colours ----

function legendRow(text, colour) {
  const row = document.createElement("div"), swatch = document.createElement("span");
  swatch.className = "swatch";
  swatch.style.background = colour;
  row.className = "mode";
  row.append(swatch, text);
  return row;
}

class Legend {
  constructor(recording) {
    this.recording = recording;
    byId("legend-bar").style.background = `linear-gradient(to right, ${RAMP.join(", ")})`;
  }

  show(mode, {forces, friction, theme}) {
    byId("legend-forces").hidden = !forces;
    byId("legend-forces").textContent = this.legendOfForces();
    if (friction && this.recording.hasContacts) {
      for (const [name, part] of [["normal force", "force"], ["friction", "friction"]]) {
        byId("legend-forces").append(legendRow(name, THEMES[theme][part]));
      }
    }
    const [title, ticks] = this.content(mode);
    byId("legend").hidden = !title;
    byId("legend-title").textContent = title;
    [...byId("legend-ticks").children].forEach((span, k) => { span.textContent = ticks[k]; });
  }

  // The modes that a frame has, with their colours and how many contacts are in each.
  showModes(wanted, index) {
    const list = byId("legend-modes");
    list.hidden = !wanted;
    if (!wanted || this.modesOf === index) return;
    this.modesOf = index;
    const counts = CONTACT_MODES.map(() => 0), words = this.recording.contacts[index];
    for (let k = 0; k < words.length; k += CONTACT_WORDS) {
      ++counts[Math.min(words[k + 2] >>> 16 & 15, counts.length - 1)];
    }
    const rows = CONTACT_MODES.map(([name, colour], k) =>
      legendRow(`${name} ${formatCount(counts[k])}`, colour));
    list.replaceChildren(...rows.filter((_, k) => counts[k] > 0));
  }

  legendOfForces() {
    const {hasContacts, hasJoints, forceScale, reactionScale, torqueScale} = this.recording;
    const parts = [];
    if (hasContacts && forceScale > 0) {
      parts.push(`Widest lines: ${formatUnit(forceScale, "N")} and more`);
    }
    const arrows = [[reactionScale, "N"], [torqueScale, "N m (two heads)"]]
      .filter(([scale]) => hasJoints && scale > 0).map(([scale, unit]) => formatUnit(scale, unit));
    if (arrows.length) parts.push(`Arrows of joints: ${arrows.join(", ")}`);
    return parts.join(". ");
  }

  // Speeds have a square-root scale: the middle is a quarter of the largest.
  content(mode) {
    const {speedMax, spinMax, focus, moving} = this.recording;
    const root = (max, unit) => ["0", formatUnit(max / 4, unit), formatUnit(max, unit)];
    const even = (low, high, unit) => [low, (low + high) / 2, high].map((x) => formatUnit(x, unit));
    switch (mode) {
      case "speed": return ["Speed", root(speedMax, "m/s")];
      case "spin": return ["Angular speed", root(spinMax, "rad/s")];
      case "height": return ["Height of the centre", even(...focus.heights, "m")];
      case "age": return ["Order of release", ["first", "", formatCount(moving) + "th"]];
      default: return ["", ["", "", ""]];
    }
  }
}
