"use strict";
/* What every page is made with: elements, texts of sizes and times, round figures. Whatever comes from a program is put in as
   text, never as markup. */

function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key === "class") made.className = value;
    else if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (value !== null && value !== undefined && value !== false)
      made.setAttribute(key, value === true ? "" : value);
  }
  for (const child of children.flat()) if (child !== null && child !== undefined) made.append(child);
  return made;
}

const units = ["B", "KiB", "MiB", "GiB", "TiB"];
function size(bytes) {
  let value = Math.round(bytes),
    unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit++;
  }
  return unit ? `${value.toFixed(1)} ${units[unit]}` : `${value} B`;
}
function duration(seconds) {
  if (!seconds) return "";
  if (seconds < 1e-3) return `${(seconds * 1e6).toFixed(1)} µs`;
  return seconds < 1 ? `${(seconds * 1e3).toFixed(2)} ms` : `${seconds.toFixed(2)} s`;
}
/** An element of a picture. */
function drawn(name, attributes = {}, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes))
    if (value !== null && value !== undefined) made.setAttribute(key, value);
  made.append(...children.flat().filter((one) => one !== null && one !== undefined));
  return made;
}
/** Round figures up to `most`, about `count` of them. */
function ticks(most, count = 4) {
  const least = most / count;
  if (!(least > 0)) return [0];
  const power = 10 ** Math.floor(Math.log10(least));
  const step = [1, 2, 5, 10].map((one) => one * power).find((one) => one >= least * (1 - 1e-9));
  return Array.from({ length: Math.floor(most / step + 1e-9) + 1 }, (_, place) => place * step);
}
/** Round sizes up to `most`. */
function sizeTicks(most) {
  const unit = 1024 ** Math.max(0, Math.min(4, Math.floor(Math.log2(Math.max(most, 1)) / 10)));
  return ticks(most / unit).map((one) => one * unit);
}
