// ---- player: time, and the controls that change it ---------------------------------------------

const PLAY_ICON = "M4 2.5v11l9.5-5.5z";
const PAUSE_ICON = "M3.5 2h3v12h-3zM9.5 2h3v12h-3z";
const END_PAUSE = 0.8;  // s at the end before the recording begins again

class Player {
  constructor(recording) {
    const times = recording.frames.time;
    this.times = times;
    this.begin = times[0];
    this.end = times[times.length - 1];
    this.time = this.begin;
    this.playing = false;
    this.speed = 1;
    this.loop = true;
    this.rested = 0;
  }

  // Moves on by `seconds` of the wall clock.
  advance(seconds) {
    if (!this.playing) return;
    if (this.time < this.end) {
      this.time = Math.min(this.end, this.time + seconds * this.speed);
      this.rested = 0;
      return;
    }
    this.rested += seconds;
    if (!this.loop) this.playing = false;
    else if (this.rested > END_PAUSE) this.time = this.begin;
  }

  seek(time) { this.time = clamp(time, this.begin, this.end); this.rested = 0; }

  toggle() {
    this.playing = !this.playing;
    if (this.playing && this.time >= this.end) this.seek(this.begin);
  }

  // To the next or the previous frame.
  stepFrame(direction) {
    this.playing = false;
    const near = 1e-9 * (this.end - this.begin);
    const later = direction > 0
      ? this.times.find((t) => t > this.time + near)
      : this.times.findLast((t) => t < this.time - near);
    if (later !== undefined) this.seek(later);
  }
}

function showPlayer(player) {
  byId("play-icon").setAttribute("d", player.playing ? PAUSE_ICON : PLAY_ICON);
  byId("slider").value = player.time;
  byId("clock").textContent = `${player.time.toFixed(2)} / ${player.end.toFixed(2)} s`;
}

function connectPlayer(player, changed) {
  const slider = byId("slider");
  slider.min = player.begin;
  slider.max = player.end;
  slider.addEventListener("input", () => { player.seek(Number(slider.value)); changed(); });
  byId("play").addEventListener("click", () => { player.toggle(); changed(); });
  byId("speed").addEventListener("change", (event) => {
    player.speed = Number(event.target.value);
    changed();
  });
  byId("loop").addEventListener("change", (event) => {
    player.loop = event.target.checked;
    changed();
  });
  connectChart(player, changed);
}

// Pressing or dragging on the chart moves the time.
function connectChart(player, changed) {
  const chart = byId("chart");
  const seek = (event) => {
    const box = chart.getBoundingClientRect();
    const part = (event.clientX - box.left) / box.width;
    player.seek(player.begin + part * (player.end - player.begin));
    changed();
  };
  chart.addEventListener("pointerdown", (event) => {
    chart.setPointerCapture(event.pointerId);
    seek(event);
  });
  chart.addEventListener("pointermove", (event) => { if (event.buttons & 1) seek(event); });
}
