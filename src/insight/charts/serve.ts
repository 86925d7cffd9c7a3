/** `GET /charts/:name`: a chart without a token, for 24 hours. */
import { z } from "zod";
import type { Hono } from "hono";
import { notFound } from "../../core/errors.ts";
import { lifetimes } from "../../core/lifetimes.ts";
import { isAhead } from "../../db/moments.ts";
import { sql } from "../../db/statements.ts";
import type { Deps } from "../../deps.ts";
import { corsHeaders } from "../../http/headers.ts";
import { referToHeaders } from "../../http/openapi_headers.ts";
import type { Described } from "../../http/openapi_operation.ts";
import { describeProblem } from "../../http/openapi_problems.ts";
import { serveRaw } from "../../http/raw_routes.ts";
import { sha1Hex } from "../../platform/crypto.ts";
import { parseChartName } from "./address.ts";
import { svgPolicy, svgType } from "./picture.ts";
import { ChartImage } from "./schema.ts";

const headers = { ...corsHeaders, "Content-Security-Policy": svgPolicy };

export function serveCharts(app: Hono, deps: Deps): void {
  serveRaw(app, deps, "/charts/:name", async (c) => {
    const id = parseChartName(deps, c.req.param("name") ?? "");
    const now = deps.clock.now();
    const [found] = await deps.db.read([
      sql`select r.svg from report_charts r join companies c on c.id = r.company_id
        where r.id = ${id ?? ""} and ${isAhead(sql`r.expires_at`, now, lifetimes.chart)}
        and c.deleted_at is null`,
    ]);
    const svg = found!.rows[0]?.svg as string | undefined;
    if (svg === undefined) throw notFound("There is no such chart; it may have expired.");
    return { type: svgType, text: svg, etag: `"${sha1Hex(svg)}"`, headers };
  });
}

export const chartOperations: readonly Described[] = [{
  method: "get",
  path: "/charts/{name}",
  operationId: "getChart",
  tags: ["Charts"],
  summary: "Get a chart by its address",
  description:
    "Requires no token: the address is the secret, and works for 24 hours, for pages of any origin.",
  security: [],
  request: {
    params: z.object({ name: z.string().meta({ example: "AZOcXn06fD-KVQpL5aGgAQ.svg" }) }),
  },
  responses: {
    200: {
      description: "The chart.",
      headers: referToHeaders("ETag"),
      content: { "image/svg+xml": { schema: ChartImage } },
    },
    304: { description: "The chart is unchanged.", headers: referToHeaders("ETag") },
    404: describeProblem("There is no such chart, or it has expired. Code `not_found`."),
    503: describeProblem("The database did not answer. Code `unavailable`."),
  },
}];
