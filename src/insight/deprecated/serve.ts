/** `GET /reports/performance/:name`: the report as a PDF without a token, for five minutes. */
import { z } from "zod";
import type { Hono } from "hono";
import { notFound } from "../../core/errors.ts";
import { readMemberRow, selectMemberById } from "../../db/caller_guard.ts";
import { sql } from "../../db/statements.ts";
import type { Deps } from "../../deps.ts";
import { composeDeprecationHeaders, corsHeaders, securityHeaders } from "../../http/headers.ts";
import type { Described } from "../../http/openapi_operation.ts";
import { describeProblem } from "../../http/openapi_problems.ts";
import { serveRaw } from "../../http/raw_routes.ts";
import { readCompanyRow, selectReportCompany } from "../reports/parameters.ts";
import { parsePerformanceAddress, performanceFolder } from "./address.ts";
import { makeDeprecation } from "./deprecation.ts";

const makeGoneProblem = () => notFound("There is no such report; its address may have expired.");

export function servePerformance(app: Hono, deps: Deps): void {
  serveRaw(app, deps, `${performanceFolder}:name`, async (c, requestId) => {
    const now = deps.clock.now();
    const asked = parsePerformanceAddress(deps.secretsKey, c.req.param("name") ?? "", now);
    if (asked === null) throw makeGoneProblem();
    const [users, companies] = await deps.db.read([
      selectMemberById(asked.user_id),
      selectReportCompany(sql`(select u.company_id from users u where u.id = ${asked.user_id})`),
    ]);
    const row = users!.rows[0];
    const caller = row && readMemberRow(row);
    if (!caller?.rights.has("reports.view")) throw makeGoneProblem();
    const headers = {
      ...corsHeaders,
      ...securityHeaders,
      ...composeDeprecationHeaders({ deprecated: makeDeprecation("/v1/reports/export") }, c.req.url),
      "X-Request-Id": requestId,
      "Cache-Control": "private, no-store",
      "Content-Type": "application/pdf",
      "Content-Disposition": 'inline; filename="performance.pdf"',
      // There is no `sandbox`, in which browsers show no PDF. They show it as an object with their own
      // styles.
      "Content-Security-Policy":
        "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    };
    if (c.req.method === "HEAD") return new Response(null, { headers });
    const reader = { deps, caller, company: readCompanyRow(companies!.rows[0]!) };
    const { printPerformance } = await import("./pdf.ts");
    return new Response(await printPerformance(deps, reader, now, asked.query), { headers });
  });
}

export const performanceOperations: readonly Described[] = [{
  method: "get",
  path: "/reports/performance/{name}",
  operationId: "getPerformancePdf",
  tags: ["Deprecated reports"],
  summary: "Get the performance report by its address",
  description: "Requires no token: the address is the secret, and works for five minutes.",
  security: [],
  deprecated: true,
  request: { params: z.object({ name: z.string().meta({ example: "eyJ1c2VyIjoxfQ.pdf" }) }) },
  responses: {
    200: {
      description: "The report.",
      content: { "application/pdf": { schema: { type: "string", format: "binary" } } },
    },
    404: describeProblem("There is no such report, or its address has expired. Code `not_found`."),
    503: describeProblem("The database did not answer. Code `unavailable`."),
  },
}];
