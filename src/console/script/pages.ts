/**
 * The script of the console. Everything works without it. htmx changes pages in place; this adds what it leaves out:
 * focus, countdowns, and what people see when their session has ended or the service is away.
 */
export const pagesScript = `"use strict";
const allWords = {
  en: { left: (n, unit) => n + " " + unit + (n === 1 ? "" : "s") + " left", overdue: "overdue",
    day: "day", hour: "hour", minute: "minute", second: "second", offline: "No connection",
    ended: "Your session has ended. What you typed is still here.", again: "Sign in again",
    reached: "A milestone that was reached stays reached." },
  de: { left: (n, [one, many]) => "noch " + n + " " + (n === 1 ? one : many), overdue: "überfällig",
    day: ["Tag", "Tage"], hour: ["Stunde", "Stunden"], minute: ["Minute", "Minuten"],
    second: ["Sekunde", "Sekunden"], offline: "Keine Verbindung",
    ended: "Ihre Sitzung ist beendet. Was Sie getippt haben, ist noch da.", again: "Erneut anmelden",
    reached: "Ein erreichter Meilenstein bleibt erreicht." },
};
const words = () => allWords[document.documentElement.lang] ?? allWords.en;

// --- Pages in place -------------------------------------------------------------------------------------------

// A refused form has no page of its own, so the address stays.
document.addEventListener("htmx:before:history:update", (event) => {
  const raw = event.detail.response?.raw;
  if (raw && raw.status >= 400) event.preventDefault();
});

// Only pages of the console are shown in place.
document.addEventListener("htmx:before:response", (event) => {
  const { request, response: { raw } } = event.detail.ctx;
  const { pathname } = new URL(raw.url);
  const isOurs = pathname === "/app" || pathname.startsWith("/app/");
  // A server before the service answers in its place.
  const isAway = raw.status >= 502 && raw.status <= 504 && !raw.headers.has("x-request-id");
  if (isOurs && !isAway) return offline(false);
  event.preventDefault();
  if (isAway) offline(true);
  else if (pathname === "/auth/sign-in" && request.method.toUpperCase() === "POST") signedOut();
  else location.assign(raw.url);
});

// The language and the theme of the page stand outside of what is exchanged.
document.addEventListener("htmx:after:request", ({ detail: { ctx: { text } } }) => {
  const head = text.slice(0, text.indexOf("<body"));
  const next = new DOMParser().parseFromString(head, "text/html").documentElement;
  document.documentElement.lang = next.lang;
  if (next.dataset.theme) document.documentElement.dataset.theme = next.dataset.theme;
  else delete document.documentElement.dataset.theme;
});

// What is typed and chosen outlasts the exchange. A form that was sent is new again, and so are all of another page; a
// search and a filter show what their page follows. What is typed into other forms of the page stays.
let [sentForm, shownPath] = [null, location.pathname];
document.addEventListener("submit", ({ target }) => sentForm = target);
function renewForms() {
  const isRefused = document.querySelector("main > [data-refused]") !== null;
  const isOther = location.pathname !== shownPath;
  for (const form of document.querySelectorAll("main form")) {
    if (form.method === "get" || (!isRefused && (isOther || form === sentForm))) form.reset();
  }
  [sentForm, shownPath] = [null, location.pathname];
}

// Back and Forward load a page anew; it is then shown where it was left. The browser cannot do so, because another page
// stood in its place.
let shownAddress = location.pathname + location.search;
function keepPlace() {
  try {
    sessionStorage.setItem("place " + shownAddress, String(scrollY));
  } catch {
    // Browsers may refuse to keep something: the page then begins at its top.
  }
}
history.scrollRestoration = "manual";
addEventListener("pagehide", keepPlace);
document.addEventListener("htmx:before:request", keepPlace);
if (performance.getEntriesByType("navigation")[0]?.type !== "navigate") {
  try {
    scrollTo(0, Number(sessionStorage.getItem("place " + shownAddress)));
  } catch {
    // As above.
  }
}

document.addEventListener("htmx:after:swap", () => {
  if (swapping) return;
  renewForms();
  shownAddress = location.pathname + location.search;
  began();
  const status = document.getElementById("status");
  const first = document.querySelector("main [role=alert]") ?? (status?.textContent ? status : null) ??
    document.querySelector("main [autofocus]") ?? document.querySelector("h1");
  if (!first) return;
  if (!first.autofocus) first.tabIndex = -1;
  first.focus({ preventScroll: first.tagName === "H1" });
});
document.addEventListener("htmx:error", ({ detail }) => detail.ctx && offline(true));
addEventListener("offline", () => offline(true));
addEventListener("online", () => check());

// --- Countdowns -----------------------------------------------------------------------------------------------

function leftOf(seconds) {
  const { left, overdue, day, hour, minute, second } = words();
  if (seconds <= 0) return overdue;
  if (seconds < 300) return left(Math.ceil(seconds), second);
  const minutes = Math.floor(seconds / 60);
  if (minutes < 120) return left(minutes, minute);
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? left(hours, hour) : left(Math.floor(hours / 24), day);
}

function count() {
  for (const time of document.querySelectorAll("time[data-countdown]")) {
    const seconds = (Date.parse(time.dateTime) - Date.now()) / 1000;
    const text = leftOf(seconds);
    if (time.textContent === text) continue;
    time.textContent = text;
    time.dataset.state = seconds <= 0 ? "overdue" : seconds < 900 ? "soon" : "far";
  }
}

// --- The session and the connection ---------------------------------------------------------------------------

const isAlerted = (id) => document.getElementById(id) !== null;

function warn(id, ...content) {
  if (isAlerted(id)) return;
  const alert = document.createElement("p");
  Object.assign(alert, { id, className: "alert" });
  alert.setAttribute("role", "alert");
  document.getElementById("notices").append(alert);
  // It is read out because its content comes after it.
  alert.append(...content);
}

function offline(isAway) {
  if (isAway) warn("offline", words().offline);
  else document.getElementById("offline")?.remove();
}

// What is typed stays, because the sign-in opens in another window.
function signedOut() {
  const link = document.createElement("a");
  const next = location.pathname + location.search;
  Object.assign(link, {
    href: "/auth/sign-in?" + new URLSearchParams({ next }), target: "_blank", textContent: words().again,
  });
  link.setAttribute("hx-boost", "false");
  warn("signed-out", words().ended + " ", link);
}

let checking = false;

// Looks whether the service or the session is back, while either is missed. Forms then belong to the new session.
async function check() {
  if (document.hidden || checking || !(isAlerted("offline") || isAlerted("signed-out"))) return;
  checking = true;
  try {
    const answer = await fetch("/app/me", { cache: "no-store", redirect: "manual" });
    if (answer.type === "opaqueredirect") {
      offline(false);
      return signedOut();
    }
    if (answer.status !== 200) return;
    offline(false);
    const { body } = new DOMParser().parseFromString(await answer.text(), "text/html");
    // Another person must not send what this one has typed.
    if (body.dataset.person !== document.body.dataset.person) return;
    const token = body.querySelector("input[name=token]").value;
    for (const input of document.querySelectorAll("input[name=token]")) input.value = token;
    document.getElementById("signed-out")?.remove();
  } catch {
    offline(true);
  } finally {
    checking = false;
  }
}
`;
