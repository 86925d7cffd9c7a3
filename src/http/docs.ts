/** `/docs`: a reference to browse and try, of Swagger UI, which is served from here and asks nobody else. */
import type { Hono } from "hono";
import { z } from "@hono/zod-openapi";
import { notFound } from "../core/errors.ts";
import type { Deps } from "../deps.ts";
import { sha1Hex } from "../platform/crypto.ts";
import { type Page, serveByHand } from "./by_hand.ts";
import { originOf } from "./headers.ts";
import type { Described } from "./openapi_operation.ts";
import { describedProblem } from "./openapi_problems.ts";

/** Puts `GET /docs` and the assets below it on the app. */
export function serveDocs(app: Hono, deps: Deps): void {
  const made = new Map<string, Promise<Page>>();
  serveByHand(app, deps, "/docs", (c) => {
    const origin = originOf(c.req.raw, deps.config.publicUrl, deps.config.trustProxy);
    return { type: "text/html; charset=utf-8", text: html, headers: policyOf(origin) };
  });
  serveByHand(app, deps, "/docs/:asset", (c) => {
    const name = c.req.param("asset") ?? "";
    const asset = assets.get(name);
    if (!asset) throw notFound("There is no such path.");
    let page = made.get(name);
    if (!page) made.set(name, page = pageOf(asset));
    return page;
  });
}

interface Asset {
  readonly type: string;
  readonly text: () => Promise<string>;
}

const script = "text/javascript; charset=utf-8";

/** Imported when first asked for: nothing of them costs time or memory at the start. */
const assets: ReadonlyMap<string, Asset> = new Map([
  ["swagger-ui.js", {
    type: script,
    text: async () =>
      (await import("swagger-ui-dist/swagger-ui-bundle.js", { with: { type: "text" } })).default,
  }],
  ["swagger-ui.css", {
    type: "text/css; charset=utf-8",
    text: async () => (await import("swagger-ui-dist/swagger-ui.css", { with: { type: "text" } })).default,
  }],
  ["start.js", { type: script, text: () => Promise.resolve(start) }],
]);

async function pageOf({ type, text }: Asset): Promise<Page> {
  const loaded = await text();
  return { type, text: loaded, etag: `"${sha1Hex(loaded)}"`, keepFor: 3600 };
}

/** Swagger UI sets styles on elements and draws its icons from data addresses; scripts are ours alone. */
function policyOf(origin: string): Record<string, string> {
  // The origin comes from the request, where it may be anything.
  const service = /^https?:\/\/(?:[\w.-]+|\[[\da-f:.]+\])(?::\d+)?$/i.test(origin) ? ` ${origin}` : "";
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    `connect-src 'self'${service}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ];
  return { "Content-Security-Policy": policy.join("; ") };
}

const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Wayline CRM: API reference</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/swagger-ui.css">
</head>
<body>
<div id="swagger-ui"><p>The API is described in <a href="/openapi.json">openapi.json</a>.</p></div>
<script src="/docs/swagger-ui.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;

const start = `SwaggerUIBundle({
  url: "/openapi.json",
  dom_id: "#swagger-ui",
  deepLinking: true,
  docExpansion: "none",
  filter: true,
  validatorUrl: null,
});
`;

/** For the OpenAPI document. */
export const docsOperations: readonly Described[] = [
  {
    method: "get",
    path: "/docs",
    operationId: "getReference",
    tags: ["Service"],
    summary: "A reference to browse",
    security: [],
    responses: {
      200: {
        description: "A page.",
        content: { "text/html": { schema: z.string().openapi({ example: "<!doctype html>" }) } },
      },
    },
  },
  {
    method: "get",
    path: "/docs/{asset}",
    operationId: "getReferenceAsset",
    tags: ["Service"],
    summary: "Scripts and styles of the reference",
    security: [],
    request: {
      params: z.object({ asset: z.enum([...assets.keys()]).openapi({ example: "start.js" }) }),
    },
    responses: {
      200: {
        description: "The file.",
        content: { "text/javascript": { schema: z.string() }, "text/css": { schema: z.string() } },
      },
      404: describedProblem("There is no such file. Code `not_found`."),
    },
  },
];
