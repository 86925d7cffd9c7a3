/**
 * Markdown to HTML: headings with anchors, links between guides, and tables and code with scrollbars of their
 * own.
 */
import { Marked, type Tokens } from "marked";

export interface Heading {
  readonly id: string;
  readonly level: number;
  readonly text: string;
}

export interface Rendered {
  /** The text of the first heading. */
  readonly title: string;
  /** The text below it. */
  readonly html: string;
  readonly headings: readonly Heading[];
}

/** Renders a guide. Drops comments, which mark examples for the tests. */
export function render(markdown: string): Rendered {
  const headings: Heading[] = [];
  const taken = new Map<string, number>();
  const marked = new Marked({
    gfm: true,
    renderer: {
      heading({ tokens, depth }: Tokens.Heading) {
        const text = extractText(this.parser.parseInline(tokens));
        if (depth === 1) {
          headings.push({ id: "content", level: 1, text });
          return "";
        }
        const id = anchor(text, taken);
        headings.push({ id, level: depth, text });
        const words = this.parser.parseInline(tokens);
        return `<h${depth} id="${id}">${words} ` +
          `<a class="anchor" href="#${id}" aria-label="Link to ${escapeHtml(text)}">#</a></h${depth}>\n`;
      },
      html({ text }: Tokens.HTML | Tokens.Tag) {
        return text.trimStart().startsWith("<!--") ? "" : text;
      },
      link({ href, tokens }: Tokens.Link) {
        return `<a href="${escapeHtml(rewriteAddress(href))}">${this.parser.parseInline(tokens)}</a>`;
      },
      code({ text, lang }: Tokens.Code) {
        const language = (lang ?? "").split(" ")[0]!;
        const label = language === "" ? "Code" : `Code: ${language}`;
        return `<pre tabindex="0" role="group" aria-label="${escapeHtml(label)}"><code>` +
          `${escapeHtml(text)}</code></pre>\n`;
      },
      table({ header, rows }: Tokens.Table) {
        const cells = (row: readonly Tokens.TableCell[], tag: string) =>
          row.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join("");
        const label = extractText(
          header.map((cell) => this.parser.parseInline(cell.tokens)).join(", "),
        );
        return `<div class="table" tabindex="0" role="group" aria-label="Table: ${escapeHtml(label)}">` +
          `<table><thead><tr>${cells(header, "th")}</tr></thead>` +
          `<tbody>${rows.map((row) => `<tr>${cells(row, "td")}</tr>`).join("\n")}</tbody></table></div>\n`;
      },
    },
  });
  const html = marked.parse(markdown, { async: false });
  const title = headings.find(({ level }) => level === 1)?.text ?? "";
  return { title, html, headings: headings.filter(({ level }) => level > 1) };
}

/** Renders a line of Markdown, such as the description of an operation. */
export function renderInline(markdown: string): string {
  return new Marked({ gfm: true }).parseInline(
    escapeHtml(markdown).replaceAll("&quot;", '"'),
    {
      async: false,
    },
  );
}

export function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(
    ">",
    "&gt;",
  ).replaceAll(
    '"',
    "&quot;",
  );
}

/** Guides name each other by file, so that the links also work in a repository browser. */
function rewriteAddress(href: string): string {
  const named = /^([\w-]+)\.md(#.*)?$/.exec(href);
  return named ? `/docs/${named[1]}${named[2] ?? ""}` : href;
}

/** Returns the text of rendered HTML. */
export function extractText(html: string): string {
  return html.replaceAll(/<[^<>]+>/g, "").replaceAll("&lt;", "<").replaceAll(
    "&gt;",
    ">",
  ).replaceAll(
    "&quot;",
    '"',
  ).replaceAll("&#39;", "'").replaceAll("&amp;", "&");
}

/** Makes anchors like repository browsers do. A second heading with the same words gets `-1`. */
function anchor(text: string, taken: Map<string, number>): string {
  const id = text.toLowerCase().replaceAll(/[^\p{L}\p{N}\s_-]/gu, "").trim()
    .replaceAll(/\s/g, "-");
  const before = taken.get(id) ?? 0;
  taken.set(id, before + 1);
  return before === 0 ? id : `${id}-${before}`;
}
