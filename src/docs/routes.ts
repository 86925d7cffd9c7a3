/** `/docs`: guides, search and the API reference. `/` redirects there. Public, without cookies. */
import type { Context, Hono } from "hono";
import type { Deps } from "../deps.ts";
import { type Page, serveRaw } from "../http/raw_routes.ts";
import { securityHeaders } from "../http/headers.ts";
import { originOf } from "../http/request.ts";
import type { SiteContent, siteOf } from "./site.tsx";

type Site = ReturnType<typeof siteOf>;

/** Adds the routes of the documentation to the app. The first request loads the pages. */
export function serveDocs(app: Hono, deps: Deps, content: SiteContent): void {
  let site: Promise<Site> | undefined;
  const opened = () => site ??= import("./site.tsx").then(({ siteOf }) => siteOf(content));
  const serve = (route: string, page: (site: Site, c: Context) => Page | Promise<Page>) =>
    serveRaw(app, deps, route, async (c) => await page(await opened(), c));
  const param = (c: Context, name: string) => c.req.param(name) ?? "";
  const origin = (c: Context) => originOf(c.req.raw, deps.config.publicUrl, deps.config.trustProxy);

  serveRaw(app, deps, "/", (_, requestId) =>
    new Response(null, {
      status: 302,
      headers: {
        ...securityHeaders,
        "X-Request-Id": requestId,
        Location: "/docs",
      },
    }));
  serve("/docs", (site) => site.index());
  serve("/docs/search", (site, c) => site.search(c.req.query("q") ?? ""));
  serve("/docs/assets/:asset", (site, c) => site.asset(param(c, "asset")));
  serve("/docs/reference", (site) => site.reference());
  serve("/docs/reference/:tag", (site, c) => site.referenceOf(param(c, "tag"), origin(c)));
  serve("/docs/reference/:tag/openapi.json", (site, c) => site.documentOf(param(c, "tag"), origin(c)));
  serve("/docs/:guide", (site, c) => site.guide(param(c, "guide")));
}
