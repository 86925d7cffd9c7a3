/** Public endpoints: health, readiness and the OpenAPI document. */
import type { Hono } from "hono";
import { z } from "zod";
import { ConfigError } from "../config.ts";
import { Problem } from "../core/errors.ts";
import { explainWrongKey, keyFits, type SealedColumn } from "../db/key_check.ts";
import type { Deps } from "../deps.ts";
import { sha1Hex } from "../platform/crypto.ts";
import { DatabaseFull, DatabaseUnavailable } from "../platform/database/database.ts";
import { withDeadline } from "../platform/database/retry.ts";
import { listPendingMigrations } from "../platform/database/migrate.ts";
import { migrationTags } from "../platform/database/migration_tags.ts";
import { describeError } from "../platform/log.ts";
import { type Page, serveRaw } from "./raw_routes.ts";
import type { DocumentParts } from "./openapi.ts";
import { referToHeaders } from "./openapi_headers.ts";
import type { Described } from "./openapi_operation.ts";
import { describeProblem } from "./openapi_problems.ts";
import { fullDetail } from "./problems.ts";
import { meanings } from "./problem_meanings.ts";
import { findOrigin } from "./request.ts";
import { sql } from "../db/statements.ts";

/** What those ask who watch the service. These endpoints report a fault of the database themselves. */
export const probePaths = ["/health", "/ready"];

/** Adds `GET /health`, `/ready` and `/openapi.json` to the app. */
export function mountDiscovery(
  app: Hono,
  deps: Deps,
  { document, sealed }: { readonly document: ApiDocument; readonly sealed: readonly SealedColumn[] },
): void {
  serveRaw(app, deps, "/health", () => json({ status: "ok" }));
  serveRaw(app, deps, "/ready", async () => {
    await checkReady(deps, sealed);
    return json({ status: "ready" });
  });
  serveRaw(app, deps, "/openapi.json", async (c) => {
    const { text, etag } = await document(
      findOrigin(c.req.raw, deps.config.publicUrl, deps.config.trustProxy),
    );
    return {
      ...json(text),
      etag,
      headers: { "Access-Control-Allow-Origin": "*" },
    };
  });
}

function json(value: object | string): Page {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return { type: "application/json; charset=utf-8", text };
}

/** Bytes on the disk with which the service works: SQLite's log and its page cache grow by steps. */
const leastFree = 1_048_576;
/** Milliseconds after which a write that is tried counts as refused. Load balancers wait a few seconds. */
const probePatience = 2_000;

const probes = new WeakMap<Deps["db"], Promise<unknown>>();

/** Tries a write; however often it is called, one at a time. SQLite writes only changed pages: the value must change. */
function probe(db: Deps["db"]): Promise<unknown> {
  const begun = probes.get(db) ??
    db.write([sql`update caller_changes set n = n + 1`]).finally(() => probes.delete(db));
  probes.set(db, begun);
  return begun;
}

/**
 * Throws 503 unless the database answers and takes writes, has every migration, and its secrets belong to this key.
 */
async function checkReady(
  { db, log, secretsKey }: Pick<Deps, "db" | "log" | "secretsKey">,
  sealed: readonly SealedColumn[],
): Promise<void> {
  let pending: string[];
  let fits = true;
  try {
    pending = await listPendingMigrations(db, migrationTags);
    if (pending.length === 0) fits = await keyFits(db, secretsKey, sealed);
    if ((db.freeBytes() ?? leastFree) < leastFree) throw new DatabaseFull("the disk is nearly full");
    // Tries a write, because no other one may arrive while this returns 503.
    if (db.isRefusing()) await withDeadline(probePatience, probe(db), () => {});
  } catch (error) {
    if (error instanceof ConfigError) throw notReady(`${error.message}.`);
    if (!(error instanceof DatabaseUnavailable)) log.error({ event: "not_ready", ...describeError(error) });
    throw notReady(error instanceof DatabaseFull ? fullDetail : refusing(db));
  }
  if (pending.length > 0) throw notReady(`The database lacks migrations: ${pending.join(", ")}.`);
  if (!fits) {
    log.error({ event: "not_ready", error: explainWrongKey("SECRETS_KEY") });
    throw notReady(`${explainWrongKey("SECRETS_KEY")}.`);
  }
}

function refusing(db: Deps["db"]): string {
  return db.isRefusing() ? "The database takes no changes." : "The database does not answer.";
}

function notReady(why: string): Problem {
  return new Problem(503, "unavailable", why, { headers: { "Retry-After": "5" } });
}

interface ServedDocument {
  readonly text: string;
  readonly etag: string;
}

/** The number of origins to cache: a service has few, but a caller can name any. */
const mostOrigins = 8;

/**
 * Returns the OpenAPI document as JSON, with the addresses of an origin such as `https://crm.example.org`.
 */
export type ApiDocument = (origin: string) => Promise<ServedDocument>;

/** Builds the document at the first call, which also loads the builder. Caches it for a few origins. */
export function apiDocument(described: DocumentParts): ApiDocument {
  const parts = { ...described, byHand: [...described.byHand, ...operations] };
  const placeholder = "https://origin.invalid";
  const served = new Map<string, ServedDocument>();
  let pieces: string[] | null = null;
  return async (origin) => {
    const kept = served.get(origin);
    if (kept) return kept;
    const { openApiDocument } = await import("./openapi.ts");
    pieces ??= JSON.stringify(openApiDocument(parts, placeholder)).split(placeholder);
    const text = pieces.join(JSON.stringify(origin).slice(1, -1));
    const made = { text, etag: `"${sha1Hex(text)}"` };
    if (served.size >= mostOrigins) served.clear();
    served.set(origin, made);
    return made;
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
    description: "Does not use the database.",
    security: [],
    responses: {
      200: answer(
        "The process is up.",
        z.object({ status: z.literal("ok") }).meta({ id: "Health", example: { status: "ok" } }),
      ),
    },
  },
  {
    method: "get",
    path: "/ready",
    operationId: "getReadiness",
    tags: ["Service"],
    summary: "Whether the service is ready",
    description:
      "The database answers and takes changes, has every migration and room on its disk, and its secrets belong to the key " +
      "of this process.",
    security: [],
    responses: {
      200: answer(
        "The service is ready.",
        z.object({ status: z.literal("ready") }).meta({ id: "Readiness", example: { status: "ready" } }),
      ),
      503: describeProblem(
        "The service is not ready; try again after `Retry-After` seconds. Code `unavailable`.",
      ),
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
      200: {
        ...answer(
          "OpenAPI 3.1.",
          z.looseObject({ openapi: z.string() }).meta({ id: "OpenApi", example: { openapi: "3.1.0" } }),
        ),
        headers: referToHeaders("ETag"),
      },
      304: {
        description: "The document has not changed: `If-None-Match` names its ETag.",
        headers: referToHeaders("ETag"),
      },
    },
  },
  {
    method: "get",
    path: "/problems/{code}",
    operationId: "getProblemMeaning",
    tags: ["Service"],
    summary: "Get the meaning of a problem code",
    description: "The `type` of a problem is the address of this page.",
    security: [],
    request: {
      params: z.object({
        code: z.enum(Object.keys(meanings)).meta({ example: "validation_failed" }),
      }),
    },
    responses: {
      200: {
        description: "The meaning of the code.",
        content: { "text/plain": { schema: z.string().meta({ example: "Not Found" }) } },
      },
      404: describeProblem("There is no such code. Code `not_found`."),
    },
  },
];
