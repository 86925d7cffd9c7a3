/** Errors in the OpenAPI document. */
import type { RouteConfig } from "@asteasolutions/zod-to-openapi";
import { z } from "zod";
import { conflictCodes } from "../core/errors.ts";
import type { Endpoint } from "./endpoint.ts";
import { listDeprecationHeaders, listRefusalHeaders, referToHeaders } from "./openapi_headers.ts";

const FieldErrorSchema = z.object({
  path: z.string().meta({ example: "billing.country" }),
  code: z.string().meta({ example: "required" }),
  message: z.string().meta({ example: "Must be given." }),
}).meta({ id: "FieldError" });

export const ProblemSchema = z.object({
  type: z.string().meta({ example: "https://crm.example.org/problems/not_found" }),
  title: z.string().meta({ example: "Not Found" }),
  status: z.int().meta({ example: 404 }),
  detail: z.string().meta({ example: "There is no such record, or it is not visible to you." }),
  code: z.string().meta({ example: "not_found" }),
  request_id: z.string().meta({ example: "0d3c1a5e-6f0b-4f39-9d61-52a0c9d2f9c4" }),
  errors: z.array(FieldErrorSchema).optional(),
  impact: z.looseObject({}).optional().meta({
    description: "The records that block a deletion (`delete_blocked`).",
  }),
  merged_into: z.uuid().optional().meta({
    description: "The record that this one was merged into, where the caller sees it (`not_found`).",
  }),
  oldest: z.string().optional().meta({
    description: "The cursor before the oldest event that is kept (`cursor_expired`).",
  }),
  merge_id: z.uuid().optional().meta({ description: "The later merge (`merge_covered`)." }),
}).meta({ id: "Problem" });

/** Errors that many operations share, by status, with their component names. */
export const problems: Readonly<Record<number, { name: string; description: string }>> = {
  400: {
    name: "MalformedBody",
    description: "The body does not match its content type. Codes `malformed_json`, `malformed_multipart`.",
  },
  401: {
    name: "Unauthenticated",
    description: "No token, or it is unknown, expired or revoked. Code `unauthenticated`.",
  },
  403: {
    name: "Forbidden",
    description: "The user type, right or trust that `detail` names is missing. Code `forbidden`.",
  },
  404: {
    name: "NotFound",
    description: "No such record, or one that the caller cannot see. Code `not_found`.",
  },
  408: {
    name: "RequestTimeout",
    description: "The body did not arrive within a minute. Code `request_timeout`.",
  },
  412: {
    name: "PreconditionFailed",
    description: "`If-Match` names another version. Code `precondition_failed`.",
  },
  413: { name: "PayloadTooLarge", description: "The body is too large. Code `payload_too_large`." },
  415: {
    name: "UnsupportedMediaType",
    description: "The endpoint does not accept this content type. Code `unsupported_media_type`.",
  },
  422: {
    name: "ValidationFailed",
    description:
      "Fields are invalid; `errors` lists each field and the rule that it breaks. Code `validation_failed`, or `idempotency_mismatch`.",
  },
  429: {
    name: "RateLimited",
    description: "Too many calls; wait for `Retry-After` seconds. Code `rate_limited`.",
  },
  500: { name: "InternalError", description: "The service failed. Code `internal`." },
  503: {
    name: "Unavailable",
    description: "The database or storage did not answer; try again later. Code `unavailable`.",
  },
};

/** Returns a shared error: by reference, unless the endpoint adds headers to it. */
export function describeRefusal(endpoint: Endpoint, status: number): RouteConfig["responses"][string] {
  const added = listDeprecationHeaders(endpoint);
  const { name, description } = problems[status]!;
  if (added.length === 0) return { $ref: `#/components/responses/${name}` };
  return {
    ...describeProblem(description),
    headers: referToHeaders(...listRefusalHeaders(status), ...added),
  };
}

/** Returns the component of the document that describes the problems of a status. */
export function describeRefusalComponent(status: number) {
  return {
    description: problems[status]!.description,
    headers: referToHeaders(...listRefusalHeaders(status)),
    content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } },
  };
}

/** Returns the description of 409 with the codes that the endpoint may return. */
export function describeConflicts(codes: readonly string[]): string {
  const named = conflictCodes.filter((code) => codes.includes(code) || code === "idempotency_in_progress");
  const quoted = named.map((code) => `\`${code}\``).join(", ");
  return `The state of the record does not allow the call. Codes ${quoted}.`;
}

/** Returns an error in the document. */
export function describeProblem(description: string) {
  return { description, content: { "application/problem+json": { schema: ProblemSchema } } };
}
