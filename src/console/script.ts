/**
 * The script of the console. Everything works without it. htmx changes pages in place; this adds what it leaves out:
 * focus, countdowns, live pages and keys. It never takes focus or what is typed away.
 */
export const script = `"use strict";
// Milliseconds between two looks at a live page.
const lookEach = 3000;

// --- Pages in place -------------------------------------------------------------------------------------------

// A refused form has no page of its own, so the address stays.
document.addEventListener("htmx:before:history:update", (event) => {
  const raw = event.detail.response?.raw;
  if (raw && raw.status >= 400) event.preventDefault();
});
document.addEventListener("htmx:after:swap", () => {
  if (swapping) return;
  began();
  const status = document.getElementById("status");
  const first = document.querySelector("main [role=alert]") ?? (status?.textContent ? status : null) ??
    document.querySelector("h1");
  if (!first) return;
  first.tabIndex = -1;
  first.focus({ preventScroll: first.tagName === "H1" });
});
document.addEventListener("htmx:error", () => offline(true));

// --- Countdowns -----------------------------------------------------------------------------------------------

const language = document.documentElement.lang;
const words = {
  en: { left: (n, unit) => n + " " + unit + (n === 1 ? "" : "s") + " left", overdue: "overdue",
    day: "day", hour: "hour", minute: "minute", second: "second", offline: "No connection",
    reached: "A milestone that was reached stays reached." },
  de: { left: (n, [one, many]) => "noch " + n + " " + (n === 1 ? one : many), overdue: "überfällig",
    day: ["Tag", "Tage"], hour: ["Stunde", "Stunden"], minute: ["Minute", "Minuten"],
    second: ["Sekunde", "Sekunden"], offline: "Keine Verbindung",
    reached: "Ein erreichter Meilenstein bleibt erreicht." },
}[language] ?? null;

function leftOf(seconds) {
  if (seconds <= 0) return words.overdue;
  if (seconds < 300) return words.left(Math.ceil(seconds), words.second);
  const minutes = Math.floor(seconds / 60);
  if (minutes < 120) return words.left(minutes, words.minute);
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? words.left(hours, words.hour) : words.left(Math.floor(hours / 24), words.day);
}

function count() {
  for (const time of document.querySelectorAll("time[data-countdown]")) {
    const text = leftOf((Date.parse(time.dateTime) - Date.now()) / 1000);
    if (time.textContent !== text) time.textContent = text;
  }
}

// --- Live pages -----------------------------------------------------------------------------------------------

let etag = null;
let looking = false;
let swapping = false;

// The page that is shown was made without a tag that the script can read, so the first look brings one.
function began() {
  etag = null;
  count();
}

const isTouched = new WeakSet();
document.addEventListener("input", ({ target }) => {
  const form = target.closest?.("form[method=post]");
  if (form) isTouched.add(form);
});

async function look() {
  if (document.hidden || looking || dragged || document.body.dataset.live !== "true") return;
  looking = true;
  const address = location.pathname + location.search;
  try {
    const answer = await fetch(address, {
      headers: etag ? { "If-None-Match": etag } : {},
      cache: "no-store",
      redirect: "manual",
    });
    offline(false);
    if (answer.type === "opaqueredirect") return signedOut();
    if (answer.status !== 200 || address !== location.pathname + location.search) return;
    const tag = answer.headers.get("etag");
    const text = await answer.text();
    if (etag !== null || document.body.dataset.shown !== tag) renew(text);
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

// Makes the children of an element equal to those of the new page. Keeps what has focus, is typed or is open.
function merge(now, next) {
  for (const { name, value } of next.attributes) {
    if (now.getAttribute(name) !== value) now.setAttribute(name, value);
  }
  for (const { name } of [...now.attributes]) {
    if (name !== "open" && name !== "tabindex" && !next.hasAttribute(name)) now.removeAttribute(name);
  }
  const keyOf = (node) => node.nodeType === 1 ? node.id || node.dataset?.id || null : null;
  const kept = new Map();
  for (const child of now.childNodes) {
    const key = keyOf(child);
    if (key) kept.set(key, child);
  }
  let at = now.firstChild;
  for (const child of [...next.childNodes]) {
    const key = keyOf(child);
    let match = key ? kept.get(key) : null;
    if (!match && at && !keyOf(at) && !key && at.nodeName === child.nodeName) match = at;
    if (!match) {
      now.insertBefore(document.importNode(child, true), at);
      continue;
    }
    if (match === at) at = at.nextSibling;
    else if (!match.contains(document.activeElement)) now.insertBefore(match, at);
    else at = match.nextSibling;
    update(match, child);
  }
  while (at) {
    const gone = at;
    at = at.nextSibling;
    if (gone.nodeType !== 1 || !gone.contains(document.activeElement)) gone.remove();
    else if (gone.matches("[data-entity]")) gone.dataset.status = "gone";
  }
}

function update(now, next) {
  if (now.nodeType === 3) {
    if (now.nodeValue !== next.nodeValue) now.nodeValue = next.nodeValue;
    return;
  }
  if (now.nodeType !== 1 || now.id === "status" || now.matches("[role=alert]")) return;
  // A form in which somebody types stays as it is.
  if (now.matches("form[method=post]") && (isTouched.has(now) || now.contains(document.activeElement))) return;
  if (now.matches("time[data-countdown]") && now.dateTime === next.dateTime) return;
  merge(now, next);
}

function offline(isAway) {
  let alert = document.getElementById("offline");
  if (!isAway) return alert?.remove();
  if (alert) return;
  alert = document.createElement("p");
  Object.assign(alert, { id: "offline", className: "alert", textContent: words.offline });
  alert.setAttribute("role", "alert");
  document.querySelector("main")?.prepend(alert);
}

function signedOut() {
  document.body.dataset.live = "false";
}

// --- Cards of the board -----------------------------------------------------------------------------------------

let dragged = null;
const columnOf = (node) => node.closest?.(".board > [data-milestone]");

document.addEventListener("dragstart", (event) => {
  const card = event.target.closest?.("[draggable=true][data-entity=case]");
  // A link is dragged as a link, and a control keeps its own gestures.
  if (!card || event.target !== card) return;
  dragged = card;
  card.classList.add("dragged");
  event.dataTransfer.effectAllowed = "move";
  event.dataTransfer.setData("text/plain", card.querySelector("a").href);
});
document.addEventListener("dragover", (event) => {
  const column = dragged && columnOf(event.target);
  for (const one of document.querySelectorAll(".column.over")) if (one !== column) one.classList.remove("over");
  if (!column) return;
  event.preventDefault();
  event.dataTransfer.dropEffect = "move";
  if (column !== columnOf(dragged)) column.classList.add("over");
});
document.addEventListener("drop", (event) => {
  const column = dragged && columnOf(event.target);
  if (!column) return;
  event.preventDefault();
  if (column === columnOf(dragged)) return;
  const form = dragged.querySelector("form[method=post]");
  const select = form.elements.namedItem("milestone_id");
  select.value = column.dataset.milestone;
  if (select.value === column.dataset.milestone) form.requestSubmit();
  else {
    select.selectedIndex = 0;
    document.getElementById("status").textContent = words.reached;
  }
});
document.addEventListener("dragend", () => {
  for (const one of document.querySelectorAll(".column.over")) one.classList.remove("over");
  dragged?.classList.remove("dragged");
  dragged = null;
});

// --- Keys -----------------------------------------------------------------------------------------------------

const places = { t: "/app", l: "/app/leads", c: "/app/cases", u: "/app/customers" };
let isGoing = false;

document.addEventListener("keydown", (event) => {
  const { key, target } = event;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (target.closest?.("input, textarea, select, [contenteditable]")) return;
  if (document.body.dataset.shortcuts === "off") return;
  if (isGoing) {
    isGoing = false;
    const link = places[key] && document.querySelector("nav.main a[href=\\"" + places[key] + "\\"]");
    if (link) return event.preventDefault(), link.click();
  }
  if (key === "g") isGoing = true;
  if (key === "j" || key === "k") move(key === "j" ? 1 : -1, event);
});

function move(by, event) {
  const links = [...document.querySelectorAll("[data-list] [data-entity]")]
    .map((row) => row.querySelector("a")).filter(Boolean);
  if (links.length === 0) return;
  const at = links.findIndex((link) => link.closest("[data-entity]").contains(document.activeElement));
  const next = links[at < 0 ? (by > 0 ? 0 : links.length - 1) : Math.min(Math.max(at + by, 0), links.length - 1)];
  event.preventDefault();
  next.focus();
}

began();
setInterval(count, 1000);
setInterval(look, lookEach);
document.addEventListener("visibilitychange", look);
`;
