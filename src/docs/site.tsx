/** @jsxRuntime automatic @jsxImportSource hono/jsx */
/** The pages of the documentation: guides, search and the API reference. Guides are rendered on first use. */
import type { Contribution } from "../customers/filter_catalogue.ts";
import { notFound } from "../core/errors.ts";
import type { ApiDocument } from "../http/discovery.ts";
import type { Endpoint } from "../http/endpoint.ts";
import type { Page } from "../http/raw_routes.ts";
import { sha1Hex } from "../platform/crypto.ts";
import { type Asset, assets } from "./assets.ts";
import { renderGuide } from "./content.ts";
import { type Guide, guides } from "./guides.ts";
import { render, type Rendered } from "./markdown.ts";
import { GuidePage, IndexPage, MissingPage, ProblemPage, SearchPage } from "./pages.tsx";
import { makeGuideParts } from "./parts.ts";
import { listTags, type Node, type Tag } from "./reference.ts";
import { composeTagPath, ReferenceIndexPage, ReferencePage } from "./reference_pages.tsx";
import { searchSections, type Section, splitSections } from "./search.ts";

export interface SiteContent {
  /** Returns the OpenAPI document for an origin, as JSON. */
  readonly document: ApiDocument;
  /** Filter fields of other features, for the tables of the guides. */
  readonly filterFields: readonly Contribution[];
  readonly endpoints: readonly Endpoint[];
}

/** Returns a function for each page. An unknown name throws 404. */
export function makeSite({ document, filterFields, endpoints }: SiteContent) {
  const parts = makeGuideParts(filterFields, endpoints);
  const rendered = memoizeByKey((guide: Guide) => renderGuide(guide, parts));
  const loaded = memoizeByKey(({ type, text }: Asset) =>
    text().then((loaded) => makeAssetPage(type, loaded))
  );
  const tags = once(async () => listTags(JSON.parse((await document(placeholder)).text) as Node));
  const sections = once(async () => listSections(rendered, await tags()));
  return {
    index: async () =>
      makePage(<IndexPage tour={render((await import("./tour.md", { with: { type: "text" } })).default)} />),
    async search(asked: string) {
      const query = asked.trim().slice(0, 200);
      return makePage(<SearchPage query={query} found={searchSections(await sections(), query)} />);
    },
    missing: async (): Promise<Page> => ({ ...await makePage(<MissingPage />), status: 404 }),
    problem: (code: string, meaning: string) => makePage(<ProblemPage code={code} meaning={meaning} />),
    asset(name: string) {
      const asset = assets.get(name);
      if (!asset) throw notFound("There is no such file.");
      return loaded(asset);
    },
    reference: async () => makePage(<ReferenceIndexPage tags={await tags()} />),
    async makeReference(slug: string, origin: string) {
      const all = await tags();
      return makePage(<ReferencePage tag={findTag(all, slug)} tags={all} />, composeViewerPolicy(origin));
    },
    /** The part of the OpenAPI document that the reference page of a tag shows. */
    async makeDocument(slug: string, origin: string): Promise<Page> {
      const text = JSON.stringify(findTag(await tags(), slug).document).replaceAll(
        placeholder,
        JSON.stringify(origin).slice(1, -1),
      );
      return {
        type: "application/json; charset=utf-8",
        text,
        etag: `"${sha1Hex(text)}"`,
      };
    },
    async guide(slug: string) {
      const guide = guides.find((each) => each.slug === slug);
      if (!guide) throw notFound("There is no such page.");
      return makePage(<GuidePage guide={guide} rendered={await rendered(guide)} />);
    },
  };
}

const placeholder = "https://origin.invalid";

function findTag(tags: readonly Tag[], slug: string): Tag {
  const tag = tags.find((each) => each.slug === slug);
  if (!tag) throw notFound("There is no such page.");
  return tag;
}

async function listSections(
  render: (guide: Guide) => Promise<Rendered>,
  tags: readonly Tag[],
): Promise<Section[]> {
  const ofGuides = await Promise.all(
    guides.map(async (guide) =>
      splitSections(
        guide.title,
        `/docs/${guide.slug}`,
        (await render(guide)).html,
      )
    ),
  );
  const ofReference = tags.flatMap((tag) =>
    tag.operations.map(({ method, path, id, summary, description }) => ({
      page: tag.name,
      heading: summary,
      address: `${composeTagPath(tag)}#${id}`,
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
 * Returns the content security policy of the reference pages. The viewer sets styles on elements and draws
 * its icons from `data:` addresses. Scripts come from this origin only.
 */
function composeViewerPolicy(origin: string): string {
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

async function makePage(
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

function makeAssetPage(type: string, text: string): Page {
  return { type, text, etag: `"${sha1Hex(text)}"`, keepFor: 3600 };
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** Caches the result for each argument. Failures are not cached. */
function memoizeByKey<K, V>(make: (key: K) => Promise<V>): (key: K) => Promise<V> {
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
