/**
 * The script of the search box: a combobox by the keyboard pattern of the ARIA guide. It shows what the page of the
 * search shows, which also works without it.
 */
export const searchScript = `
{
// Characters from which it searches, and milliseconds without a key until it does.
const [fewest, pause] = [2, 150];
let [waiting, asking, chosen] = [null, null, -1];

const boxOf = (target) => target?.closest?.("form.search input[name=q]");
const formOf = (box) => box.closest("form");
const listOf = (box) => document.getElementById("found") ?? box.form.appendChild(made());
const options = () => [...document.querySelectorAll("#found [role=option]")];
const isOpen = (box) => box.getAttribute("aria-expanded") === "true";

function made() {
  const list = document.createElement("div");
  Object.assign(list, { id: "found", className: "found", hidden: true });
  list.setAttribute("role", "listbox");
  return list;
}

function ready() {
  const box = document.querySelector("form.search input[name=q]");
  if (!box || box.getAttribute("role") === "combobox") return;
  const list = listOf(box);
  list.setAttribute("aria-label", formOf(box).querySelector("label").textContent);
  list.hidden = true;
  for (
    const [name, value] of [
      ["role", "combobox"], ["aria-autocomplete", "list"], ["aria-expanded", "false"], ["aria-controls", list.id],
    ]
  ) box.setAttribute(name, value);
}

function close(box) {
  clearTimeout(waiting);
  asking?.abort();
  choose(box, -1);
  box.setAttribute("aria-expanded", "false");
  const list = document.getElementById("found");
  if (list) list.hidden = true;
}

function choose(box, at) {
  const all = options();
  chosen = at;
  for (const [place, option] of all.entries()) option.setAttribute("aria-selected", String(place === at));
  if (at < 0) return box.removeAttribute("aria-activedescendant");
  box.setAttribute("aria-activedescendant", all[at].id);
  all[at].scrollIntoView({ block: "nearest" });
}

async function search(box) {
  const [text, form] = [box.value.trim(), formOf(box)];
  asking?.abort();
  if ([...text].length < fewest) return close(box);
  asking = new AbortController();
  const { signal } = asking;
  try {
    const address = form.getAttribute("action") + "?" + new URLSearchParams({ q: text });
    const answer = await fetch(address, { signal, redirect: "manual" });
    if (answer.status !== 200) return close(box);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (signal.aborted || document.activeElement !== box) return;
    fill(box, page, address);
  } catch {
    if (!signal.aborted) close(box);
  }
}

function fill(box, page, address) {
  const list = listOf(box);
  const option = (text, href) => {
    const one = document.createElement("div");
    one.setAttribute("role", "option");
    one.dataset.href = href;
    one.append(...text);
    return one;
  };
  const groups = [...page.querySelectorAll("main section")].map((section) => {
    const group = document.createElement("div");
    const name = document.createElement("div");
    group.setAttribute("role", "group");
    group.setAttribute("aria-label", section.querySelector("h2").textContent);
    Object.assign(name, { className: "kind", textContent: section.querySelector("h2").textContent });
    name.setAttribute("aria-hidden", "true");
    const rows = [...section.querySelectorAll("[data-entity]")].map((row) =>
      option(
        [...row.querySelectorAll("a bdi, .what > bdi, .sub")].filter((part) => !part.closest("a") || part.matches("a bdi"))
          .map((part) => document.importNode(part, true)),
        row.querySelector("a")?.getAttribute("href") ?? address,
      )
    );
    group.append(name, ...rows);
    return group;
  });
  const empty = page.querySelector("main [data-empty]")?.textContent;
  list.replaceChildren(...groups, option([empty ?? formOf(box).dataset.all], address));
  for (const [place, one] of options().entries()) one.id = "found-" + place;
  list.hidden = false;
  box.setAttribute("aria-expanded", "true");
  choose(box, -1);
}

function go(option) {
  location.assign(option.dataset.href);
}

document.addEventListener("input", ({ target }) => {
  const box = boxOf(target);
  if (!box) return;
  ready();
  clearTimeout(waiting);
  waiting = setTimeout(() => search(box), pause);
});
document.addEventListener("focusin", ready);
document.addEventListener("focusout", ({ target, relatedTarget }) => {
  const box = boxOf(target);
  if (box && !relatedTarget?.closest?.("#found")) close(box);
});
// A press on an option must not take the focus from the box before the click.
document.addEventListener("mousedown", (event) => {
  if (event.target.closest?.("#found")) event.preventDefault();
});
document.addEventListener("click", ({ target }) => {
  const option = target.closest?.("#found [role=option]");
  if (option) go(option);
});
document.addEventListener("keydown", (event) => {
  const box = boxOf(event.target);
  if (!box || event.isComposing || event.ctrlKey || event.metaKey) return;
  const { key } = event;
  if (key === "Escape" && isOpen(box)) {
    event.preventDefault();
    return close(box);
  }
  if (key === "ArrowDown" || key === "ArrowUp") {
    event.preventDefault();
    if (!isOpen(box)) return void search(box);
    const last = options().length - 1;
    if (key === "ArrowDown") choose(box, chosen >= last ? 0 : chosen + 1);
    else choose(box, chosen <= 0 ? last : chosen - 1);
  }
  if (key === "Enter" && isOpen(box) && chosen >= 0) {
    event.preventDefault();
    go(options()[chosen]);
  }
});
document.addEventListener("submit", ({ target }) => {
  if (target.matches("form.search")) close(target.elements.namedItem("q"));
});

// --- The way to the box: "/", or Ctrl+K and Cmd+K ------------------------------------------------------------

document.addEventListener("keydown", (event) => {
  const { key, ctrlKey, metaKey, altKey, target } = event;
  const isCommand = (ctrlKey || metaKey) && !altKey && key.toLowerCase() === "k";
  const isSlash = key === "/" && !ctrlKey && !metaKey && !altKey &&
    !target.closest?.("input, textarea, select, [contenteditable]") && document.body.dataset.shortcuts !== "off";
  const box = document.querySelector("form.search input[name=q]");
  if (!box || !(isCommand || isSlash)) return;
  event.preventDefault();
  box.focus();
  box.select();
});

document.addEventListener("htmx:after:swap", ready);
ready();
}
`;
