/** @jsxRuntime automatic @jsxImportSource hono/jsx */
/** Stored HTML of notes. It was cleaned when it was written, and is cleaned again here, without attributes but `href`. */
import { raw } from "hono/html";

const allowed = [
  "p",
  "br",
  "b",
  "i",
  "strong",
  "em",
  "u",
  "ul",
  "ol",
  "li",
  "a",
  "blockquote",
  "div",
  "span",
];

export async function StoredHtml({ html }: { html: string | null }) {
  if (html === null || html === "") return null;
  const { default: sanitize } = await import("sanitize-html");
  const clean = sanitize(html, {
    allowedTags: allowed,
    allowedAttributes: { a: ["href", "rel"] },
    allowedSchemes: ["http", "https", "mailto", "tel"],
    allowProtocolRelative: false,
    transformTags: {
      a: (tagName, { href }) => ({
        tagName,
        attribs: { ...(href ? { href } : {}), rel: "noopener noreferrer" },
      }),
    },
  });
  return <div class="stored" dir="auto" hx-ignore="">{raw(clean)}</div>;
}
