// ---- numbers and terms, as all pages write them ------------------------------------------------

const SI_PREFIXES = [[1e9, "G"], [1e6, "M"], [1e3, "k"], [1, ""], [1e-3, "m"], [1e-6, "µ"],
                     [1e-9, "n"]];

function byId(id) { return document.getElementById(id); }

function formatNumber(x) {
  if (x === null || !Number.isFinite(x)) return "–";
  const size = Math.abs(x);
  if (x !== 0 && (size < 1e-3 || size >= 1e6)) return x.toExponential(2).replace(/\.?0+e/, "e");
  return String(Number(x.toPrecision(3)));
}

// Three digits with a prefix: 0.00123 J is 1.23 mJ.
function formatUnit(x, unit) {
  if (x === null || !Number.isFinite(x)) return "–";
  const size = Math.abs(x);
  const [factor, prefix] = SI_PREFIXES.find(([f]) => size >= 0.9995 * f) || [1, ""];
  if (size < 1e-9) return size === 0 ? `0 ${unit}` : `${x.toExponential(1)} ${unit}`;
  return `${Number((x / factor).toPrecision(3))} ${prefix}${unit}`;
}

function formatCount(n) { return n.toLocaleString("en-GB").replace(/,/g, "\u202f"); }

function addTerm(list, term, value, note) {
  const dt = document.createElement("dt"), dd = document.createElement("dd");
  dt.textContent = term;
  dd.textContent = value;
  if (note) {
    const small = document.createElement("small");
    small.textContent = note;
    dt.append(" ", small);
  }
  list.append(dt, dd);
  return dd;
}
