/** What a batch sends and answers. */
import { z } from "zod";
import { flag } from "../../http/zod.ts";

export const mostRequests = 50;

/** Headers that a call of a batch may send; others are ignored. */
export const takenHeaders = ["If-Match", "If-None-Match", "Idempotency-Key", "X-Request-Id"] as const;
const excludedHeaders: ReadonlySet<string> = new Set(["authorization", "cookie", "host"]);
const taken: ReadonlySet<string> = new Set(takenHeaders.map((name) => name.toLowerCase()));

/** Paths that a batch does not call: itself, and an answer without an end. */
const excludedPaths: ReadonlySet<string> = new Set(["/v1/batch", "/v1/events/stream"]);

const path = z.string().superRefine((value, ctx) => {
  const fault = findPathFault(value);
  if (fault) ctx.addIssue({ code: "custom", message: fault.message, params: { code: fault.code } });
}).meta({ example: "/v1/contacts?per_page=5" });

const headers = z.record(z.string(), z.unknown()).superRefine((sent, ctx) => {
  for (const [name, value] of Object.entries(sent)) {
    const lower = name.toLowerCase();
    const refuse = (code: "excluded" | "type" | "format", message: string) =>
      ctx.addIssue({ code: "custom", message, path: [name], params: { code } });
    if (excludedHeaders.has(lower)) refuse("excluded", "Is that of the batch.");
    else if (!taken.has(lower)) continue;
    else if (typeof value !== "string") refuse("type", "Must be text.");
    // Other characters are refused by the headers of a request themselves.
    else if (!/^[\t\x20-\x7e]*$/.test(value)) refuse("format", "Must be visible ASCII characters.");
  }
}).meta({
  description: `${takenHeaders.join(", ")}. Others are ignored; the token is that of the batch.`,
  example: { "If-Match": '"1"' },
});

const BatchRequest = z.object({
  id: z.string().nullish().meta({ description: "Comes back with the answer.", example: "new contact" }),
  method: z.enum(["GET", "POST", "PUT", "DELETE"]),
  path,
  body: z.unknown().optional().meta({ type: "object", description: "The JSON body of the call." }),
  headers: headers.nullish(),
}).meta({ id: "BatchRequest", example: { method: "GET", path: "/v1/contacts?per_page=5" } });

export type BatchRequest = z.output<typeof BatchRequest>;

export const BatchBody = z.object({
  requests: z.array(BatchRequest).min(1).max(mostRequests),
  stop_on_error: flag(false).meta({
    description: "Whether the calls after the first error are not run.",
  }),
}).meta({ id: "BatchBody", example: { requests: [{ method: "GET", path: "/v1/contacts?per_page=5" }] } });

export type BatchBody = z.output<typeof BatchBody>;

export const BatchAnswers = z.object({
  responses: z.array(z.object({
    id: z.string().nullable(),
    status: z.int(),
    headers: z.record(z.string(), z.string()).meta({ description: "By name, in lower case." }),
    body: z.unknown().meta({
      type: ["object", "string", "null"] as never,
      description: "The JSON of the answer; text for an answer of another type, null without a body.",
    }),
  })),
}).meta({ id: "BatchAnswers" });

export type BatchAnswers = z.output<typeof BatchAnswers>;

/** Whether a request would reach another address than its path shows. */
function findPathFault(
  path: string,
): { readonly code: "format" | "excluded"; readonly message: string } | null {
  const [before] = path.split(/[?#]/, 1) as [string];
  const isSound = before.startsWith("/v1/") && !/[\\\0-\x20\x7f]/.test(path) && !path.includes("#") &&
    !before.split("/").some(isUpward) && URL.canParse(`http://localhost${path}`);
  if (!isSound) return { code: "format", message: refusedForm };
  return excludedPaths.has(decodePath(before))
    ? { code: "excluded", message: "Is not called in a batch." }
    : null;
}

const refusedForm = "Must be the path and query of a call, beginning with /v1/.";

/** Whether an address loses a segment when it is read. */
function isUpward(segment: string): boolean {
  return /^(?:\.|%2e){1,2}$/i.test(segment);
}

/** Returns a path as routes are compared with it. */
function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
