/* The tabs, the keys, and drawing anew whenever the fragment changes. */

/** The views in the order of their tabs: the title of each, and the function that draws it. */
const views = {
  program: { title: "Program", draw: programView },
  ...(data.time ? { time: { title: "Time", draw: timeView } } : {}),
  communication: { title: "Communication", draw: communicationView },
  memory: { title: "Memory", draw: memoryView },
  propagation: { title: "Propagation", draw: propagationView },
  mesh: { title: "Mesh and tensors", draw: meshView },
  ...(data.differences ? { differences: { title: "What differs", draw: differencesView } } : {}),
};
const tabs = document.getElementById("views");
for (const [key, { title }] of Object.entries(views))
  tabs.append(element("button", { role: "tab", "data-view": key, onclick: () => go({ view: key }) }, title));
tabs.addEventListener("keydown", (event) => {
  const all = [...tabs.children],
    place = all.indexOf(document.activeElement);
  const next = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (next && place >= 0) {
    all[(place + next + all.length) % all.length].focus();
    event.preventDefault();
  }
});
let shownView = "";
function show() {
  const current = state.view in views ? state.view : "program";
  for (const tab of tabs.children) {
    const own = tab.dataset.view === current;
    tab.setAttribute("aria-selected", String(own));
    tab.tabIndex = own ? 0 : -1;
  }
  const kept = focusKey();
  views[current].draw();
  showDetail();
  shownView = current;
  refocus(kept);
}
/** What says which element has the focus, so that drawing anew does not lose it. */
function focusKey() {
  const at = document.activeElement,
    around = at?.closest("#view, #detail");
  if (!around) return null;
  const key = (one) => one.id || one.dataset.key || `${one.tagName} ${one.getAttribute("aria-label") ?? one.textContent}`;
  return { around, key, name: key(at), place: [...around.querySelectorAll(at.tagName)].indexOf(at), tag: at.tagName };
}
function refocus(kept) {
  if (!kept || kept.around.contains(document.activeElement)) return;
  const all = [...kept.around.querySelectorAll(kept.tag)];
  const found = all.filter((one) => kept.key(one) === kept.name);
  (found.includes(all[kept.place]) ? all[kept.place] : found[0] ?? all[kept.place])?.focus({ preventScroll: true });
}
for (const link of document.querySelectorAll("#costs a"))
  link.addEventListener("click", () => setTimeout(() => tabs.scrollIntoView({ block: "start" }), 0));
for (const button of document.querySelectorAll("#costs .copy"))
  button.addEventListener("click", () => copy(button, button.parentNode.querySelector(".lines").textContent));
/* A frame around the page may want the views alone. */
document.body.classList.toggle("alone", state.alone === "1");
addEventListener("hashchange", show);
addEventListener("keydown", (event) => {
  if (event.key === "/" && !/input|select|textarea/i.test(event.target.tagName)) {
    event.preventDefault();
    const focus = () => document.getElementById("search")?.focus();
    if (shownView === "program") return focus();
    // The search field is there once the program is drawn.
    go({ view: "program" });
    setTimeout(focus, 0);
  }
});
show();
