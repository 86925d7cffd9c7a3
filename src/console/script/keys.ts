/** Keys that act alone. In fields, in a dialog, with Ctrl, Alt or Meta, and when a person has none, they do nothing. */
export const keysScript = `
// --- Keys -----------------------------------------------------------------------------------------------------

const places = {
  t: "/app", l: "/app/leads", c: "/app/cases", u: "/app/customers", m: "/app/messages", f: "/app/files",
  r: "/app/reports",
};
let isGoing = false;

document.addEventListener("keydown", (event) => {
  const { key, target } = event;
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (target.closest?.("input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable], dialog")) return;
  if (document.body.dataset.shortcuts === "off") return;
  const wasGoing = isGoing;
  isGoing = key === "g" && !wasGoing;
  if (wasGoing) {
    const link = places[key] && document.querySelector("nav.main a[href=\\"" + places[key] + "\\"]");
    if (!link) return;
    event.preventDefault();
    return link.click();
  }
  if (key === "j" || key === "k") move(key === "j" ? 1 : -1, event);
  if (key === "?") {
    event.preventDefault();
    document.getElementById("shortcuts")?.showModal();
  }
});
document.addEventListener("click", ({ target }) => target.closest?.("[data-close]")?.closest("dialog").close());

function move(by, event) {
  const links = [...document.querySelectorAll("main :is([data-list], .board) [data-entity]")]
    .map((row) => row.querySelector("a")).filter(Boolean);
  if (links.length === 0) return;
  const at = links.findIndex((link) => link.closest("[data-entity]").contains(document.activeElement));
  const next = links[at < 0 ? (by > 0 ? 0 : links.length - 1) : Math.min(Math.max(at + by, 0), links.length - 1)];
  event.preventDefault();
  next.focus();
}

began();
setInterval(count, 1000);
setInterval(() => (look(), check()), lookEach);
document.addEventListener("visibilitychange", () => (look(), check()));
addEventListener("focus", () => check());
`;
