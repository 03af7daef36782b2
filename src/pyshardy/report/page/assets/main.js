/* The tabs, the keys, and drawing anew whenever the fragment changes. */

const drawers = {
  program: programView,
  time: timeView,
  communication: communicationView,
  memory: memoryView,
  propagation: propagationView,
  mesh: meshView,
  differences: differencesView,
};
const tabs = document.getElementById("views");
for (const [key, label] of Object.entries(views))
  tabs.append(element("button", { role: "tab", "data-view": key, onclick: () => go({ view: key }) }, label));
tabs.addEventListener("keydown", (event) => {
  const all = [...tabs.children],
    place = all.indexOf(document.activeElement);
  const next = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (next && place >= 0) {
    all[(place + next + all.length) % all.length].focus();
    event.preventDefault();
  }
});
let drawn = "";
function show() {
  const current = state.view in views ? state.view : "program";
  for (const tab of tabs.children) {
    const own = tab.dataset.view === current;
    tab.setAttribute("aria-selected", String(own));
    tab.tabIndex = own ? 0 : -1;
  }
  drawers[current]();
  showDetail();
  drawn = current;
}
addEventListener("hashchange", show);
addEventListener("keydown", (event) => {
  if (event.key === "/" && !/input|select|textarea/i.test(event.target.tagName)) {
    event.preventDefault();
    const focus = () => document.getElementById("search")?.focus();
    if (drawn === "program") return focus();
    // The search field is there once the program is drawn.
    go({ view: "program" });
    setTimeout(focus, 0);
  }
});
show();
