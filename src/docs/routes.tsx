/** @jsxRuntime automatic @jsxImportSource hono/jsx */
/** `/docs`: guides, search and the API reference. `/` redirects there. Public, without cookies. */
import type { Hono } from "hono";
import { notFound } from "../core/errors.ts";
import type { Deps } from "../deps.ts";
import { type Page, serveRaw } from "../http/raw_routes.ts";
import type { ApiDocument } from "../http/discovery.ts";
import { originOf, securityHeaders } from "../http/headers.ts";
import { sha1Hex } from "../platform/crypto.ts";
import { type Asset, assets } from "./assets.ts";
import { type Parts, renderGuide } from "./content.ts";
import { type Guide, guides } from "./guides.ts";
import type { Rendered } from "./markdown.ts";
import { GuidePage, IndexPage, SearchPage } from "./pages.tsx";
import { type Node, type Tag, tagsOf } from "./reference.ts";
import { ReferenceIndexPage, ReferencePage, tagPath } from "./reference_pages.tsx";
import { searchSections, type Section, sectionsOf } from "./search.ts";

export interface DocsContent {
  /** Returns the OpenAPI document for an origin, as JSON. */
  readonly document: ApiDocument;
  /** The generated parts of the guides. */
  readonly parts: Parts;
}

/** Puts the documentation on the app. Pages are rendered on first use. */
export function serveDocs(
  app: Hono,
  deps: Deps,
  { document, parts }: DocsContent,
): void {
  const rendered = kept((guide: Guide) => renderGuide(guide, parts));
  const loaded = kept(({ type, text }: Asset) => text().then((loaded) => assetPage(type, loaded)));
  const tags = once(() => tagsOf(JSON.parse(document(placeholder).text) as Node));
  const sections = once(() => allSections(rendered, tags()));
  const origin = (request: Request) => originOf(request, deps.config.publicUrl, deps.config.trustProxy);

  serveRaw(app, deps, "/", (_, requestId) =>
    new Response(null, {
      status: 302,
      headers: {
        ...securityHeaders,
        "X-Request-Id": requestId,
        Location: "/docs",
      },
    }));
  serveRaw(app, deps, "/docs", () => pageOf(<IndexPage />));
  serveRaw(app, deps, "/docs/search", async (c) => {
    const query = (c.req.query("q") ?? "").trim().slice(0, 200);
    return pageOf(
      <SearchPage
        query={query}
        found={searchSections(await sections(), query)}
      />,
    );
  });
  serveRaw(app, deps, "/docs/assets/:asset", (c) => {
    const asset = assets.get(c.req.param("asset") ?? "");
    if (!asset) throw notFound("There is no such file.");
    return loaded(asset);
  });
  serveRaw(
    app,
    deps,
    "/docs/reference",
    () => pageOf(<ReferenceIndexPage tags={tags()} />),
  );
  serveRaw(app, deps, "/docs/reference/:tag", (c) => {
    const tag = tagNamed(tags(), c.req.param("tag"));
    return pageOf(
      <ReferencePage tag={tag} tags={tags()} />,
      viewerPolicy(origin(c.req.raw)),
    );
  });
  serveRaw(app, deps, "/docs/reference/:tag/openapi.json", (c) => {
    const tag = tagNamed(tags(), c.req.param("tag"));
    const text = JSON.stringify(tag.document).replaceAll(
      placeholder,
      JSON.stringify(origin(c.req.raw)).slice(1, -1),
    );
    return {
      type: "application/json; charset=utf-8",
      text,
      etag: `"${sha1Hex(text)}"`,
    };
  });
  serveRaw(app, deps, "/docs/:guide", async (c) => {
    const guide = guides.find(({ slug }) => slug === c.req.param("guide"));
    if (!guide) throw notFound("There is no such page.");
    return pageOf(<GuidePage guide={guide} rendered={await rendered(guide)} />);
  });
}

const placeholder = "https://origin.invalid";

function tagNamed(tags: readonly Tag[], slug: string | undefined): Tag {
  const tag = tags.find((each) => each.slug === slug);
  if (!tag) throw notFound("There is no such page.");
  return tag;
}

async function allSections(
  rendered: (guide: Guide) => Promise<Rendered>,
  tags: readonly Tag[],
): Promise<Section[]> {
  const ofGuides = await Promise.all(
    guides.map(async (guide) =>
      sectionsOf(
        guide.title,
        `/docs/${guide.slug}`,
        (await rendered(guide)).html,
      )
    ),
  );
  const ofReference = tags.flatMap((tag) =>
    tag.operations.map(({ method, path, id, summary, description }) => ({
      page: tag.name,
      heading: summary,
      address: `${tagPath(tag)}#${id}`,
      text: `${method.toUpperCase()} ${path}. ${description}`,
    }))
  );
  return [...ofGuides.flat(), ...ofReference];
}

const policy = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

/**
 * The viewer sets styles on elements and draws its icons from data addresses; scripts come from this origin
 * only.
 */
function viewerPolicy(origin: string): string {
  // The origin comes from the request, so it is untrusted.
  const service = /^https?:\/\/(?:[\w.-]+|\[[\da-f:.]+\])(?::\d+)?$/i.test(origin) ? ` ${origin}` : "";
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    `connect-src 'self'${service}`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

async function pageOf(
  page: { toString(): string | Promise<string> },
  contentPolicy: string = policy,
): Promise<Page> {
  const text = `<!doctype html>${await page.toString()}`;
  return {
    type: "text/html; charset=utf-8",
    text,
    etag: `"${sha1Hex(text)}"`,
    headers: { "Content-Security-Policy": contentPolicy },
  };
}

function assetPage(type: string, text: string): Page {
  return { type, text, etag: `"${sha1Hex(text)}"`, keepFor: 3600 };
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** Caches the result for each argument. Failures are not cached. */
function kept<K, V>(make: (key: K) => Promise<V>): (key: K) => Promise<V> {
  const made = new Map<K, Promise<V>>();
  return (key) => {
    const there = made.get(key);
    if (there) return there;
    const making = make(key);
    made.set(key, making);
    making.catch(() => made.delete(key));
    return making;
  };
}
