/** @jsxRuntime automatic @jsxImportSource hono/jsx */
/** The pages of the API reference. The page of a tag has a list of operations, which the viewer replaces. */
import { raw } from "hono/html";
import { exampleHead } from "./example_head.ts";
import { Layout } from "./layout.tsx";
import { renderInline } from "./markdown.ts";
import type { Tag } from "./reference.ts";

export function composeTagPath({ slug }: Pick<Tag, "slug">): string {
  return `/docs/reference/${slug}`;
}

function makeEntries(tags: readonly Tag[]) {
  return tags.map((tag) => ({ name: tag.name, path: composeTagPath(tag) }));
}

export function ReferenceIndexPage({ tags }: { tags: readonly Tag[] }) {
  return (
    <Layout title="API reference" path="/docs/reference" tags={makeEntries(tags)}>
      <h1>API reference</h1>
      <h2 id="tokens">Get a token</h2>
      <p>
        Every call under <code>/v1</code> carries{" "}
        <code>Authorization: Bearer ACCESS_TOKEN</code>. A client application gets its token by its id and
        secret, here those of a running <code>deno task dev</code>, in its folder:
      </p>
      <pre
        tabindex={0}
        role="group"
        aria-label="Code: bash"
      ><code>{`${exampleHead}curl -s $crm/v1/me -H "Authorization: Bearer $token"\n`}</code></pre>
      <p>
        <a href="/docs/authentication">Authentication</a>{" "}
        describes the other grants, lifetimes and libraries. On the pages below, “Authorize” gets a token for
        you, or takes yours.
      </p>
      <h2 id="tags">Operations</h2>
      <p>
        <a href="/openapi.json">openapi.json</a> has the whole document.
      </p>
      <ul class="cards">
        {tags.map((tag) => (
          <li>
            <a href={composeTagPath(tag)}>{tag.name}</a>
            <p>{raw(renderInline(tag.description))}</p>
            <p>
              {tag.operations.length === 1 ? "1 operation" : `${tag.operations.length} operations`}
            </p>
          </li>
        ))}
      </ul>
    </Layout>
  );
}

export function ReferencePage(
  { tag, tags }: { tag: Tag; tags: readonly Tag[] },
) {
  return (
    <Layout
      title={`${tag.name}: API reference`}
      path={composeTagPath(tag)}
      tags={makeEntries(tags)}
      styles={["swagger-ui.css"]}
      scripts={["swagger-ui.js", "start.js"]}
    >
      <h1>{tag.name}</h1>
      <p>{raw(renderInline(tag.description))}</p>
      <p>
        Calls need a token: <a href="/docs/reference#tokens">get one</a>, or press “Authorize”.
      </p>
      <div
        id="reference"
        data-document={`${composeTagPath(tag)}/openapi.json`}
        data-tag={tag.name}
      >
      </div>
      <section id="operation-list">
        <h2>Operations</h2>
        {tag.operations.map((
          { method, path, id, summary, description, deprecated },
        ) => (
          <article class="operation" id={id}>
            <h3>
              <code>{`${method.toUpperCase()} ${path}`}</code>
              {deprecated ? " (deprecated)" : ""}
            </h3>
            <p>
              {summary}. {raw(renderInline(description))}
            </p>
          </article>
        ))}
      </section>
    </Layout>
  );
}
