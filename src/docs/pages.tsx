/** @jsxRuntime automatic @jsxImportSource hono/jsx */
/** The pages of guides: the index, one guide, and search results. */
import { raw } from "hono/html";
import { type Guide, guideGroups, guides } from "./guides.ts";
import { Layout } from "./layout.tsx";
import { type Rendered, renderInline } from "./markdown.ts";
import type { Found } from "./search.ts";

export function IndexPage({ tour }: { tour: Rendered }) {
  return (
    <Layout title="Documentation" path="/docs">
      <h1>Documentation</h1>
      <p>
        Wayline CRM is a sales CRM as a JSON API: leads come in, go to dealer teams, become cases, and every
        change reaches your webhooks, signed.
      </p>
      <p>
        <a href="/docs/authentication">Authentication</a> shows every way to a token. The{" "}
        <a href="/docs/reference">API reference</a> lists every operation and tries it out;{" "}
        <a href="/openapi.json">openapi.json</a> describes them for generators.
      </p>
      <h2 id="first-calls">First calls</h2>
      {raw(tour.html)}
      <p>
        <a href="/docs/set-up">Set up a company</a> of your own next.
      </p>
      {guideGroups.map((group) => (
        <>
          <h2>{group.title}</h2>
          <ul class="cards">
            {group.guides.map(({ slug, title, summary }) => (
              <li>
                <a href={`/docs/${slug}`}>{title}</a>
                <p>{summary}</p>
              </li>
            ))}
          </ul>
        </>
      ))}
    </Layout>
  );
}

export function GuidePage(
  { guide, rendered }: { guide: Guide; rendered: Rendered },
) {
  const sections = rendered.headings.filter(({ level }) => level === 2);
  const at = guides.indexOf(guide);
  const [previous, next] = [guides[at - 1], guides[at + 1]];
  return (
    <Layout title={guide.title} path={`/docs/${guide.slug}`}>
      <h1>{rendered.title}</h1>
      {sections.length < 3 ? null : (
        <nav class="contents" aria-label="On this page">
          <ul>
            {sections.map(({ id, text }) => (
              <li>
                <a href={`#${id}`}>{text}</a>
              </li>
            ))}
          </ul>
        </nav>
      )}
      {raw(rendered.html)}
      <nav class="turn" aria-label="Previous and next guide">
        {previous ? <a href={`/docs/${previous.slug}`}>{`← ${previous.title}`}</a> : <span></span>}
        {next ? <a href={`/docs/${next.slug}`}>{`${next.title} →`}</a> : <span></span>}
      </nav>
    </Layout>
  );
}

/** The answer to an address that no page has. */
export function MissingPage() {
  return (
    <Layout title="Page not found" path="">
      <h1>Page not found</h1>
      <p>
        No page of the documentation has this address. Search for what you need, or begin at{" "}
        <a href="/docs">the list of guides</a> or <a href="/docs/reference">the API reference</a>.
      </p>
    </Layout>
  );
}

/** The meaning of a problem's code, where its `type` leads. */
export function ProblemPage({ code, meaning }: { code: string; meaning: string }) {
  return (
    <Layout title={code} path="/docs/errors">
      <h1>
        <code>{code}</code>
      </h1>
      <p>{raw(renderInline(meaning))}</p>
      <p>
        <a href="/docs/errors#codes">Errors</a> has every code, and says{" "}
        <a href="/docs/errors#what-to-do">what to do</a>.
      </p>
    </Layout>
  );
}

export function SearchPage(
  { query, found }: { query: string; found: readonly Found[] },
) {
  return (
    <Layout title="Search" path="/docs/search" query={query}>
      <h1>{query === "" ? "Search" : `Search: ${query}`}</h1>
      <p>
        {query === "" ? "Type words to search for." : describeResultCount(found.length)}
      </p>
      <ul class="results">
        {found.map(({ page, heading, address, before, hit, after }) => (
          <li>
            <a href={address}>
              {heading === "" ? page : `${page}: ${heading}`}
            </a>
            <p>
              {before}
              <mark>{hit}</mark>
              {after}
            </p>
          </li>
        ))}
      </ul>
    </Layout>
  );
}

function describeResultCount(count: number): string {
  if (count === 0) return "No section has all of these words.";
  return count === 1 ? "1 result." : `${count} results, best first.`;
}
