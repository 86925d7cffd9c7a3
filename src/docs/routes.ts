/**
 * `/docs`: guides, search and the API reference. `/` redirects to the console; `/problems/:code` explains a code.
 * Public, without cookies.
 */
import type { Context, Hono } from "hono";
import { notFound, Problem } from "../core/errors.ts";
import type { Deps } from "../deps.ts";
import { type Page, serveRaw } from "../http/raw_routes.ts";
import { securityHeaders } from "../http/headers.ts";
import { explainCode } from "../http/problem_meanings.ts";
import { findOrigin } from "../http/request.ts";
import type { makeSite, SiteContent } from "./site.tsx";

type Site = ReturnType<typeof makeSite>;

/** Adds the routes of the documentation to the app. The first request loads the pages. */
export function serveDocs(app: Hono, deps: Deps, content: SiteContent): void {
  let site: Promise<Site> | undefined;
  const openSite = () => site ??= import("./site.tsx").then(({ makeSite }) => makeSite(content));
  const serve = (route: string, page: (site: Site, c: Context) => Page | Promise<Page>) =>
    serveRaw(app, deps, route, async (c) => {
      const site = await openSite();
      try {
        return await page(site, c);
      } catch (error) {
        if (!(error instanceof Problem) || error.status !== 404 || asksForJson(c.req.raw)) throw error;
        return varying(await site.missing());
      }
    });
  const param = (c: Context, name: string) => c.req.param(name) ?? "";
  const origin = (c: Context) => findOrigin(c.req.raw, deps.config.publicUrl, deps.config.trustProxy);

  serveRaw(app, deps, "/", (_, requestId) =>
    new Response(null, {
      status: 302,
      headers: {
        ...securityHeaders,
        "X-Request-Id": requestId,
        Location: "/app",
      },
    }));
  serve("/docs", (site) => site.index());
  serve("/docs/search", (site, c) => site.search(c.req.query("q") ?? ""));
  serve("/docs/assets/:asset", (site, c) => site.asset(param(c, "asset")));
  serve("/docs/reference", (site) => site.reference());
  serve("/docs/reference/:tag", (site, c) => site.makeReference(param(c, "tag"), origin(c)));
  serve("/docs/reference/:tag/openapi.json", (site, c) => site.makeDocument(param(c, "tag"), origin(c)));
  serve("/docs/:guide", (site, c) => site.guide(param(c, "guide")));
  serve("/docs/*", () => {
    throw notFound("There is no such page.");
  });
  serveRaw(app, deps, "/problems/:code", async (c) => {
    const code = param(c, "code");
    const text = explainCode(code);
    if (accepts(c.req.raw, "text/html")) {
      const site = await openSite();
      return varying(
        await (text === null ? site.missing() : site.problem(code, text.slice(code.length).trim())),
      );
    }
    if (text === null) throw notFound("There is no such code.");
    const guide = `${origin(c)}/docs/errors#codes`;
    return varying({ type: "text/plain; charset=utf-8", text: `${text}\n\n${guide} has every code.\n` });
  });
}

/** Whether a client wants JSON and no page. Browsers name `text/html`; plain calls take anything. */
function asksForJson(request: Request): boolean {
  return accepts(request, "json") && !accepts(request, "text/html");
}

function accepts({ headers }: Request, type: string): boolean {
  return (headers.get("accept") ?? "").toLowerCase().includes(type);
}

function varying(page: Page): Page {
  return { ...page, headers: { ...page.headers, Vary: "Accept" } };
}
