/** What anyone may ask: is the service up, is it ready, what does it offer. */
import type { Hono } from "hono";
import { z } from "@hono/zod-openapi";
import { notFound, Problem } from "../core/errors.ts";
import { keyFits, wrongKey } from "../db/key_check.ts";
import type { Deps } from "../deps.ts";
import { sha1Hex } from "../platform/crypto.ts";
import { DatabaseFull, DatabaseUnavailable } from "../platform/database/database.ts";
import { pendingMigrations } from "../platform/database/migrate.ts";
import { migrationTags } from "../platform/database/migration_tags.ts";
import { errorFields } from "../platform/log.ts";
import { type Page, serveByHand } from "./by_hand.ts";
import { docsOperations, serveDocs } from "./docs.ts";
import type { Endpoint } from "./endpoint.ts";
import { originOf } from "./headers.ts";
import { type Described, describedProblem, openApiDocument } from "./openapi.ts";
import { fullDetail } from "./problems.ts";
import { meanings, meaningText } from "./problem_meanings.ts";

/**
 * Puts `GET /health`, `/ready`, `/openapi.json`, `/docs` and `/problems/:code` on the app. `byHand`
 * describes what else is served without an endpoint, for the document.
 */
export function discovery(
  app: Hono,
  deps: Deps,
  endpoints: readonly Endpoint[],
  byHand: readonly Described[],
): void {
  serveByHand(app, deps, "/health", () => json({ status: "ok" }));
  serveByHand(app, deps, "/ready", async () => {
    await checkReady(deps);
    return json({ status: "ready" });
  });
  const document = documentByOrigin(endpoints, [...byHand, ...operations, ...docsOperations]);
  serveByHand(app, deps, "/openapi.json", (c) => {
    const text = document(originOf(c.req.raw, deps.config.publicUrl, deps.config.trustProxy));
    return {
      ...json(text),
      etag: `"${sha1Hex(text)}"`,
      headers: { "Access-Control-Allow-Origin": "*" },
    };
  });
  serveDocs(app, deps);
  serveByHand(app, deps, "/problems/:code", (c) => {
    const text = meaningText(c.req.param("code") ?? "");
    if (text === null) throw notFound("There is no such code.");
    return { type: "text/plain; charset=utf-8", text };
  });
}

function json(value: object | string): Page {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return { type: "application/json; charset=utf-8", text };
}

/** Throws 503 unless the database answers, lacks no migration, and was sealed with this key. */
async function checkReady({ db, log, secretsKey }: Pick<Deps, "db" | "log" | "secretsKey">): Promise<void> {
  let pending: string[];
  let fits = true;
  try {
    pending = await pendingMigrations(db, migrationTags);
    if (pending.length === 0) fits = await keyFits(db, secretsKey);
    // No other write may come while this is 503. SQLite writes only what differs.
    if (db.isFull()) await db.write([{ sql: "update caller_changes set n = n + 1", args: [] }]);
  } catch (error) {
    if (!(error instanceof DatabaseUnavailable)) log.error({ event: "not_ready", ...errorFields(error) });
    throw notReady(error instanceof DatabaseFull ? fullDetail : "The database does not answer.");
  }
  if (pending.length > 0) throw notReady(`The database lacks migrations: ${pending.join(", ")}.`);
  if (!fits) {
    log.error({ event: "not_ready", error: wrongKey("SECRETS_KEY") });
    throw notReady(`${wrongKey("SECRETS_KEY")}.`);
  }
}

function notReady(why: string): Problem {
  return new Problem(503, "unavailable", why, { headers: { "Retry-After": "5" } });
}

/** The document is made once, at the first call; only its origin is put in each time. */
function documentByOrigin(
  endpoints: readonly Endpoint[],
  byHand: readonly Described[],
): (origin: string) => string {
  const placeholder = "https://origin.invalid";
  let parts: string[] | null = null;
  return (origin) => {
    parts ??= JSON.stringify(openApiDocument(endpoints, byHand, placeholder)).split(
      JSON.stringify(placeholder),
    );
    return parts.join(JSON.stringify(origin));
  };
}

const answer = (description: string, schema: z.ZodType) => ({
  description,
  content: { "application/json": { schema } },
});

const operations: readonly Described[] = [
  {
    method: "get",
    path: "/health",
    operationId: "getHealth",
    tags: ["Service"],
    summary: "Whether the process is up",
    description: "Touches nothing else.",
    security: [],
    responses: {
      200: answer(
        "It is up.",
        z.object({ status: z.literal("ok") }).openapi("Health", { example: { status: "ok" } }),
      ),
    },
  },
  {
    method: "get",
    path: "/ready",
    operationId: "getReadiness",
    tags: ["Service"],
    summary: "Whether the service can serve",
    description:
      "The database answers, has every migration, has room on its disk, and was sealed with the key of this process.",
    security: [],
    responses: {
      200: answer(
        "It can.",
        z.object({ status: z.literal("ready") }).openapi("Readiness", { example: { status: "ready" } }),
      ),
      503: describedProblem("It cannot yet; ask again after `Retry-After` seconds. Code `unavailable`."),
    },
  },
  {
    method: "get",
    path: "/openapi.json",
    operationId: "getOpenApiDocument",
    tags: ["Service"],
    summary: "This document",
    security: [],
    responses: {
      200: answer(
        "OpenAPI 3.1.",
        z.looseObject({ openapi: z.string() }).openapi("OpenApi", { example: { openapi: "3.1.0" } }),
      ),
    },
  },
  {
    method: "get",
    path: "/problems/{code}",
    operationId: "getProblemMeaning",
    tags: ["Service"],
    summary: "What the code of a problem means",
    description: "Where the `type` of a problem leads.",
    security: [],
    request: {
      params: z.object({
        code: z.enum(Object.keys(meanings)).openapi({ example: "validation_failed" }),
      }),
    },
    responses: {
      200: {
        description: "In words.",
        content: { "text/plain": { schema: z.string().openapi({ example: "Not Found" }) } },
      },
      404: describedProblem("There is no such code. Code `not_found`."),
    },
  },
];
