/** `GET /metrics`: figures for Prometheus. */
import type { Hono } from "hono";
import { notFound, Problem } from "../../core/errors.ts";
import type { Deps } from "../../deps.ts";
import type { Described } from "../../http/openapi_operation.ts";
import { describeProblem } from "../../http/openapi_problems.ts";
import { serveRaw } from "../../http/raw_routes.ts";
import { timingSafeEqualText } from "../../platform/crypto.ts";
import { renderDatabaseFigures } from "./database_figures.ts";

const type = "text/plain; version=0.0.4; charset=utf-8";

export function serveMetrics(app: Hono, deps: Deps): void {
  serveRaw(app, deps, "/metrics", async (c) => {
    checkReader(deps, c.req.raw.headers.get("authorization") ?? "");
    const ofDatabase = await renderDatabaseFigures(deps);
    return { type, text: (deps.metrics?.text() ?? "") + ofDatabase };
  });
}

/** Throws 401 for a wrong bearer token, and 404 when `METRICS_TOKEN` is not set. */
function checkReader({ config: { metricsToken } }: Deps, authorization: string): void {
  if (metricsToken === null) throw notFound();
  const given = /^bearer +(\S+)$/i.exec(authorization)?.[1] ?? "";
  if (timingSafeEqualText(given, metricsToken)) return;
  throw new Problem(401, "unauthenticated", "The bearer token must be METRICS_TOKEN.", {
    headers: { "WWW-Authenticate": "Bearer" },
  });
}

export const metricsOperations: readonly Described[] = [{
  method: "get",
  path: "/metrics",
  operationId: "getProcessMetrics",
  tags: ["Service"],
  summary: "Get figures for Prometheus",
  description:
    "For the operator; the bearer token is `METRICS_TOKEN`. Counters are those of the process that answers; what " +
    "waits, how late it is, and the size are those of the database. Workers and Deno Deploy have only the latter.",
  security: [],
  responses: {
    200: {
      description: "The figures, in the text format 0.0.4.",
      content: { "text/plain": { schema: { type: "string", example: 'wayline_waiting{kind="mails"} 0\n' } } },
    },
    401: describeProblem("The bearer token is wrong. Code `unauthenticated`."),
    404: describeProblem("`METRICS_TOKEN` is not set. Code `not_found`."),
    503: describeProblem("The database did not answer in time. Code `unavailable`."),
  },
}];
