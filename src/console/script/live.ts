/** Live pages: what others change is shown, and never takes focus, what is typed or what is open away. */
export const liveScript = `
// Milliseconds between two looks at a live page.
const lookEach = 3000;
let etag = null;
let looking = false;
let swapping = false;
let touched = new WeakSet();

// The page that is shown was made without a tag that the script can read, so the first look brings one.
function began() {
  etag = null;
  touched = new WeakSet();
  count();
}

document.addEventListener("input", ({ target }) => {
  const form = target.closest?.("form");
  if (form) touched.add(form);
});

// A refused form is no page that could be asked for again.
const isPaused = () => document.hidden || looking || dragged || document.body.dataset.live !== "true" ||
  isAlerted("signed-out") || document.querySelector("main > [data-refused]") !== null;

async function look() {
  if (isPaused()) return;
  looking = true;
  const address = location.pathname + location.search;
  try {
    const answer = await fetch(address, {
      headers: etag ? { "If-None-Match": etag } : {},
      cache: "no-store",
      redirect: "manual",
    });
    if (answer.type === "opaqueredirect") {
      offline(false);
      return signedOut();
    }
    if (answer.status === 304) offline(false);
    if (answer.status !== 200 || address !== location.pathname + location.search) return;
    offline(false);
    const tag = answer.headers.get("etag");
    renew(await answer.text());
    etag = tag;
  } catch {
    offline(true);
  } finally {
    looking = false;
  }
}

function renew(text) {
  const page = new DOMParser().parseFromString(text, "text/html");
  swapping = true;
  try {
    announce(page);
    for (const id of ["notifications", "content"]) {
      const [now, next] = [document.getElementById(id), page.getElementById(id)];
      if (now && next) merge(now, next);
    }
    count();
  } finally {
    swapping = false;
  }
}

// New leads are read out; people who see them need no word.
function announce(page) {
  const known = new Set([...document.querySelectorAll("[data-entity=lead]")].map(({ dataset }) => dataset.id));
  const fresh = [...page.querySelectorAll("[data-entity=lead]")].filter(({ dataset }) => !known.has(dataset.id));
  const link = fresh[0]?.querySelector("a");
  const status = document.getElementById("status");
  if (link && status) status.textContent = "Lead: " + link.textContent.trim();
}

function keyOf(node) {
  if (node.nodeType !== 1) return null;
  return node.id || node.dataset.id || (node.matches("form") ? node.getAttribute("action") : null) ||
    node.getAttribute("aria-labelledby");
}

// Whether somebody works in it: it has the focus, or a form in which something is typed.
function isInUse(node) {
  if (node.nodeType !== 1) return false;
  return node.contains(document.activeElement) ||
    [node, ...node.querySelectorAll("form")].some((form) => touched.has(form));
}

// Makes the children of an element equal to those of the new page.
function merge(now, next) {
  for (const { name, value } of next.attributes) {
    if (now.getAttribute(name) !== value) now.setAttribute(name, value);
  }
  for (const { name } of [...now.attributes]) {
    if (name !== "open" && name !== "tabindex" && !next.hasAttribute(name)) now.removeAttribute(name);
  }
  const kept = new Map();
  for (const child of now.childNodes) {
    const key = keyOf(child);
    if (key) kept.set(key, child);
  }
  const matched = new Set();
  let at = now.firstChild;
  for (const child of [...next.childNodes]) {
    const key = keyOf(child);
    let match = key ? kept.get(key) ?? (child.id && document.getElementById(child.id)) : nextLike(child, at);
    if (match && (match.nodeName !== child.nodeName || match.contains(now))) match = null;
    if (!match) {
      now.insertBefore(document.importNode(child, true), at);
      continue;
    }
    matched.add(match);
    if (match === at) at = at.nextSibling;
    else place(now, match, at);
    update(match, child);
  }
  while (at) {
    const gone = at;
    at = at.nextSibling;
    if (matched.has(gone)) continue;
    if (!isInUse(gone)) gone.remove();
    else if (gone.matches("[data-entity]")) gone.dataset.status = "gone";
  }
}

// Returns the next node of the same kind without a key.
function nextLike({ nodeName, className }, at) {
  while (at && (keyOf(at) || at.nodeName !== nodeName || at.className !== className)) at = at.nextSibling;
  return at;
}

// A row keeps its focus when it moves, where the browser can do so; else it stays.
function place(parent, node, before) {
  if (parent.moveBefore) parent.moveBefore(node, before);
  else if (!node.contains(document.activeElement)) parent.insertBefore(node, before);
}

function update(now, next) {
  if (now.nodeType === 3) {
    if (now.nodeValue !== next.nodeValue) now.nodeValue = next.nodeValue;
    return;
  }
  if (now.nodeType !== 1 || now.id === "status" || now.id === "notices") return;
  // A form in which somebody types stays as it is.
  if (now.matches("form") && isInUse(now)) return;
  if (now.matches("time[data-countdown]") && now.dateTime === next.dateTime) return;
  merge(now, next);
}

`;
