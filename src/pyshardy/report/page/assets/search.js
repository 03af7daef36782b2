"use strict";
/* Files are copied by a button, and links to the point that is open say so. Which one that is stands in the fragment,
   #point=3, which the style goes by. */

const said = document.getElementById("said");

async function copy(text, shown) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Where a page may not write to the clipboard, it may copy what is selected.
    getSelection().selectAllChildren(shown);
    return document.execCommand("copy");
  }
}
for (const button of document.querySelectorAll("button[data-copy]")) {
  const shown = document.getElementById(button.dataset.copy);
  button.hidden = false;
  button.addEventListener("click", async () => {
    const done = await copy(shown.textContent, shown);
    said.textContent = done ? `copied ${shown.getAttribute("aria-label")}` : "not copied: select the text and copy it";
    button.firstChild.textContent = done ? "copied" : "not copied";
    setTimeout(() => (button.firstChild.textContent = "copy"), 2000);
  });
}
function markOpened() {
  // Before the document is whole, nothing is a :target.
  const named = document.getElementById(location.hash.slice(1));
  const open = named?.matches("article.point") ? named : document.querySelector("article.point.first");
  for (const link of document.querySelectorAll("a[href^='#point=']"))
    link.setAttribute("aria-current", String(open !== null && link.getAttribute("href") === `#${open.id}`));
}
addEventListener("hashchange", markOpened);
markOpened();
