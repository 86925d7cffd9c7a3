/** @jsxRuntime automatic @jsxImportSource hono/jsx */
/** The frame of every page of the documentation. It needs no script. */
import type { PropsWithChildren } from "hono/jsx";
import { Mark } from "../identity/auth/pages/brand.tsx";
import { guideGroups } from "./guides.ts";

export const assetsPath = "/docs/assets";

interface Frame {
  readonly title: string;
  /** The path of this page, marked in the list of pages. */
  readonly path: string;
  /** Text of the search field. */
  readonly query?: string;
  /** Tags of the reference, shown below its entry. */
  readonly tags?: readonly { readonly name: string; readonly path: string }[];
  readonly styles?: readonly string[];
  readonly scripts?: readonly string[];
}

export function Layout(
  { title, path, query = "", tags = [], styles = [], scripts = [], children }: PropsWithChildren<Frame>,
) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{`${title} · Wayline CRM`}</title>
        <meta name="color-scheme" content="light dark" />
        <link rel="icon" type="image/svg+xml" href={`${assetsPath}/icon.svg`} />
        {styles.map((name) => <link key={name} rel="stylesheet" href={`${assetsPath}/${name}`} />)}
        <link rel="stylesheet" href={`${assetsPath}/docs.css`} />
        {scripts.map((name) => <script key={name} src={`${assetsPath}/${name}`} defer></script>)}
      </head>
      <body>
        <a class="skip" href="#content">Skip to the content</a>
        <header>
          <a class="brand" href="/docs">
            <Mark />Wayline CRM
          </a>
          <a class="to-pages" href="#pages">All pages</a>
          <form role="search" method="get" action="/docs/search">
            <label class="unseen" for="q">Search the documentation</label>
            <input
              id="q"
              name="q"
              type="search"
              value={query}
              placeholder="Search"
              maxlength={200}
            />
            <button type="submit">Search</button>
          </form>
        </header>
        <div class="columns">
          <main id="content">{children}</main>
          <nav class="pages" id="pages" aria-label="Pages">
            <h2>Start</h2>
            <ul>
              <PageLink to="/docs" title="Documentation" path={path} />
              <PageLink
                to="/docs/reference"
                title="API reference"
                path={path}
              />
              {tags.map((tag) => (
                <PageLink
                  key={tag.path}
                  to={tag.path}
                  title={tag.name}
                  path={path}
                />
              ))}
            </ul>
            {guideGroups.map((group) => (
              <>
                <h2>{group.title}</h2>
                <ul>
                  {group.guides.map(({ slug, title }) => (
                    <PageLink to={`/docs/${slug}`} title={title} path={path} />
                  ))}
                </ul>
              </>
            ))}
          </nav>
        </div>
      </body>
    </html>
  );
}

function PageLink(
  { to, title, path }: { to: string; title: string; path: string },
) {
  return (
    <li>
      <a
        href={to}
        {...(to === path ? { "aria-current": "page" as const } : {})}
      >
        {title}
      </a>
    </li>
  );
}
