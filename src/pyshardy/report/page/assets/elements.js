/* What everything on the report is made with: the data, texts of shardings, and the state, which is in
   the fragment: #view=program&op=12&q=dot. Whatever comes from the program is put in as text, never as markup. The
   files of this folder become one script, in the order of report/page/page.py. */

const data = JSON.parse(document.getElementById("data").textContent);
const text = (index) => (index < 0 ? "" : data.texts[index]);
const view = document.getElementById("view");
const detail = document.getElementById("detail");

function axisChip(name) {
  const bare = name.replace(/^"|".*$/g, "");
  return element("span", { class: `axis b${data.colours[bare] ?? "n"}` }, name.replaceAll('"', ""));
}
/** A sharding's text with its axes as chips of their colours. */
function sharding(written) {
  if (!written) return element("span", { class: "soft" }, "no sharding");
  const shown = element("span", { class: "mono" });
  written
    .split(/("(?:[^"\\]|\\.)*"(?::\(\d+\)\d+)?)/)
    .forEach((piece, index) => shown.append(index % 2 ? axisChip(piece) : piece));
  return shown;
}

// --- state

const state = new Proxy(
  {},
  {
    get: (_, key) => new URLSearchParams(location.hash.slice(1)).get(key) ?? "",
  },
);
function go(changes, replace = false) {
  const now = new URLSearchParams(location.hash.slice(1));
  for (const [key, value] of Object.entries(changes))
    value === null || value === "" ? now.delete(key) : now.set(key, value);
  const hash = `#${now}`;
  if (hash === location.hash) return;
  if (replace) {
    history.replaceState(null, "", hash);
    show();
  } else location.hash = hash;
}
