/** @jsxRuntime automatic @jsxImportSource hono/jsx */
/** Makes responses of pages, of redirects, and of what cannot be shown or done. */
import type { Context as HonoContext } from "hono";
import { Problem } from "../core/errors.ts";
import type { Deps } from "../deps.ts";
import { matchesNone } from "../http/conditional.ts";
import { asProblem } from "../http/problems.ts";
import { extractPathAndQuery } from "../http/request.ts";
import { respondText } from "../http/respond.ts";
import { setCookie, slideSession } from "../identity/auth/sessions.ts";
import { sha1Hex } from "../platform/crypto.ts";
import { loadAssets } from "./assets.ts";
import { showFault } from "./errors/view.tsx";
import { Form } from "./forms.tsx";
import { Frame, renderNode, type Visitor } from "./frame.tsx";
import { offersAdministration } from "./parts/administration.ts";
import { composeFramedHeaders, composePageHeaders } from "./headers.ts";
import { composeMessageText, makeMessageCookie, readMessage } from "./message.ts";
import type { Download, Framed, Node, Page, View } from "./page.ts";
import type { Person } from "./person.ts";
import { findReturn, readReturnAddress } from "./return_address.ts";
import { isSetUp, setupPath } from "./setup_code.ts";
import { Expired, originFor, SignedOut } from "./steps.ts";
import { readAcceptedLanguage } from "../core/languages.ts";
import { languages } from "./texts/languages.ts";
import type { Visit } from "./visit.ts";

/** Returns the page inside the frame, with the message that it shows once. */
export async function respondPage(
  c: HonoContext,
  deps: Deps,
  page: Page,
  visit: Visit,
  view: View,
  status: number,
): Promise<Response> {
  const origin = originFor(c, deps);
  const { person } = visit;
  const message = status === 200 && c.req.raw.method === "GET"
    ? readMessage(c.req.raw.headers, origin, visit.texts)
    : null;
  const undo = message?.undo
    ? (
      <Form forms={visit.forms} action={message.undo} class="undo">
        <button type="submit" class="quiet">{visit.texts.undo}</button>
      </Form>
    )
    : null;
  const frame = (
    <Frame
      language={person.language}
      view={view}
      section={page.section}
      visitor={makeVisitor(person)}
      live={view.live ?? page.live ?? false}
      status={message ? composeMessageText(message, visit.texts) : ""}
      undo={undo}
      forms={visit.forms}
    />
  );
  const cookies: string[] = message ? [makeMessageCookie(null, origin)] : [];
  const slid = await slide(c, deps, person);
  if (slid) cookies.push(slid);
  return await respondFrame(c, deps, frame, status, cookies);
}

function makeVisitor(person: Person): Visitor {
  const { name, unread, userId, preferences: { theme, shortcuts } } = person;
  return { name, unread, userId, administers: offersAdministration(person), theme, shortcuts };
}

/** Moves the end of the session, at most once a day. Returns the cookie with its new end. */
async function slide(c: HonoContext, deps: Deps, { session }: Person): Promise<string | null> {
  const now = deps.clock.now();
  const cookie = c.get("session");
  const moved = slideSession(cookie, session, now);
  if (!moved) return null;
  await deps.db.write([moved.statement]).catch(() => {});
  return setCookie(cookie, originFor(c, deps), moved.seconds);
}

/** Returns the page, or 304 when the browser shows the same one. */
export async function respondFrame(
  c: HonoContext,
  { compressor }: Deps,
  frame: Node,
  status: number,
  cookies: readonly string[],
): Promise<Response> {
  const html = `<!doctype html>${await renderNode(frame)}`;
  const etag = `"${sha1Hex(stripKeys(html))}"`;
  const headers = { ...composePageHeaders(c.get("requestId")), ETag: etag };
  const isSame = status === 200 && matchesNone(c.req.raw.headers, etag);
  const response = isSame
    ? new Response(null, { status: 304, headers })
    : respondText(compressor, c.req.raw, html, {
      status,
      headers: { ...headers, "Content-Type": "text/html; charset=utf-8" },
    });
  for (const cookie of cookies) response.headers.append("Set-Cookie", cookie);
  return response;
}

/** Returns the page without the parts that are new each time it is shown. */
function stripKeys(html: string): string {
  return html.replaceAll(/<input type="hidden" name="(?:key|token)" value="[^"]*"\/>/g, "");
}

/** Returns stored HTML for a frame. Mails and letters are written for a light ground. */
export function respondFramed(c: HonoContext, { compressor }: Deps, { framed }: Framed): Response {
  const style = "<style>body { margin: 0.75rem; background: #fff; color: #17202b; overflow-wrap: anywhere; " +
    "font: 0.9375rem/1.5 system-ui, sans-serif; } img { max-width: 100%; }</style>";
  const html = `<!doctype html><meta charset="utf-8">${style}<body dir="auto">${framed}`;
  return respondText(compressor, c.req.raw, html, {
    status: 200,
    headers: { ...composeFramedHeaders(c.get("requestId")), "Content-Type": "text/html; charset=utf-8" },
  });
}

/** Returns a text as a file. */
export function respondDownload(
  c: HonoContext,
  { compressor }: Deps,
  { file, type, name }: Download,
): Response {
  return respondText(compressor, c.req.raw, file, {
    status: 200,
    headers: {
      ...composePageHeaders(c.get("requestId")),
      "Content-Type": type,
      "Content-Disposition": `attachment; filename="${name}"`,
    },
  });
}

/** Leads to another page. */
export function redirect(c: HonoContext, location: string, cookies: readonly string[]): Response {
  const headers = new Headers({ ...composePageHeaders(c.get("requestId")), Location: location });
  for (const cookie of cookies) headers.append("Set-Cookie", cookie);
  return new Response(null, { status: 303, headers });
}

/** Returns the page of an error; without a session it leads to the sign-in. */
export async function respondRefused(
  c: HonoContext,
  deps: Deps,
  page: Page,
  error: unknown,
): Promise<Response> {
  const { method, headers, url } = c.req.raw;
  if (error instanceof SignedOut) {
    // A form is no page: the person comes back to the page that showed it.
    if (!await isSetUp(deps)) return redirect(c, setupPath, []);
    const next = method === "POST" ? composePageAddress(page, c) : extractPathAndQuery(url);
    return redirect(c, `/auth/sign-in?${new URLSearchParams({ next })}`, []);
  }
  await loadAssets();
  const person = c.get("person") ?? null;
  const language = person?.language ?? readAcceptedLanguage(headers.get("accept-language"));
  const { status, more } = error instanceof Expired
    ? { status: 403, more: { headers: {} } }
    : asProblem(ownFault(error, method), deps.log, c.get("requestId"));
  const view = showFault(languages[language], status, c.get("requestId"), error);
  const frame = (
    <Frame
      language={language}
      view={view}
      section={null}
      visitor={person && makeVisitor(person)}
      forms={null}
    />
  );
  const response = await respondFrame(c, deps, frame, status, []);
  for (const [name, value] of Object.entries(more.headers ?? {})) response.headers.set(name, value);
  return response;
}

/** A page chooses what it asks of the API, so that a refusal of its parameters is a defect of the page. */
function ownFault(error: unknown, method: string): unknown {
  const isOwn = error instanceof Problem && error.status === 422 && method !== "POST";
  return isOwn ? new Error(`A page made a wrong call: ${error.message}`, { cause: error }) : error;
}

/** Returns where the page of a form is, with its query when the form stands on it. */
export function composePageAddress({ path }: Page, c: HonoContext): string {
  const asked = extractPathAndQuery(c.req.raw.url);
  if (path.endsWith("*")) return asked;
  const filled = path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(c.req.param(name) ?? ""));
  const isAsked = readReturnAddress(c.req.raw) === null && asked.split("?", 1)[0] === filled;
  return isAsked ? asked : findReturn(filled, c.req.raw);
}
