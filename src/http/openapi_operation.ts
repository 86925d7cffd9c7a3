/** Builds the operations of the OpenAPI document from the declarations of endpoints. */
import type { RouteConfig } from "@asteasolutions/zod-to-openapi";
import { z } from "zod";
import type { Endpoint } from "./endpoint.ts";
import {
  type HeaderName,
  listAnswerHeaders,
  listDeprecationHeaders,
  listRefusalHeaders,
  rateLimits,
  referToHeaders,
} from "./openapi_headers.ts";
import { describeConflicts, describeProblem, describeRefusal } from "./openapi_problems.ts";

/** The description of a route that is no endpoint. */
export type Described = RouteConfig;

/** Returns the path in OpenAPI's form. */
export function documentPath(path: string): string {
  return path.replaceAll(/:(\w+)/g, "{$1}");
}

/** Returns the operation of an endpoint. */
export function describeOperation(endpoint: Endpoint): RouteConfig {
  const { declared, access } = endpoint;
  const writing = endpoint.writes;
  const tagged = declared.method === "get" && !declared.endless &&
    isRecord(declared.answers[200]?.schema ?? null);
  const refusals = [401, 403, 404, 429, 500, 503];
  if (declared.query || declared.body || writing) refusals.push(422);
  if (declared.body || declared.multipart) refusals.push(400, 408, 413, 415);
  if (declared.method === "put" || declared.method === "delete") refusals.push(412);
  const needs = [
    access === "trusted" || declared.trusted
      ? "Needs a trusted client."
      : access === "client"
      ? "Needs no user."
      : "",
    declared.right ? `Needs the right \`${declared.right}\`.` : "",
    ...(declared.limits ?? []).map(({ name, quota, window }) =>
      `After ${quota} failures in ${window} seconds: 429 (\`${name}\`).`
    ),
  ];
  const description = [declared.description ?? "", ...needs].filter((part) => part !== "").join(" ");
  const route: RouteConfig = {
    method: declared.method,
    path: documentPath(declared.path),
    operationId: declared.operation,
    tags: [declared.tag],
    summary: declared.summary,
    ...(description ? { description } : {}),
    ...(declared.deprecated ? { deprecated: true } : {}),
    security: [{ bearer: [] }, { oauth2: [] }],
    request: {
      ...(declared.params ? { params: describeParams(declared) } : {}),
      ...(declared.query instanceof z.ZodObject ? { query: declared.query } : {}),
      ...(writing ? { headers: writeHeaders(declared.method) } : tagged ? { headers: readHeaders } : {}),
      ...describeBody(declared),
    },
    responses: {
      ...Object.fromEntries(
        Object.entries(declared.answers).map(
          ([status, { description, schema, media = "application/json", attachment }]) => {
            const headers = {
              ...listAnswerHeaders(endpoint, isRecord(schema) && !declared.endless),
              ...(status === "303" ? referToHeaders("Location") : {}),
              ...(attachment ? referToHeaders("Content-Disposition") : {}),
            };
            const content = schema ? { content: { [media]: { schema } } } : {};
            return [status, { description, headers, ...content }];
          },
        ),
      ),
      ...(tagged
        ? {
          304: {
            description: "The record has not changed: `If-None-Match` names its ETag.",
            headers: listAnswerHeaders(endpoint, true),
          },
        }
        : {}),
      ...Object.fromEntries(refusals.sort().map((status) => [status, describeRefusal(endpoint, status)])),
      ...(writing
        ? {
          409: {
            ...describeProblem(describeConflicts(declared.conflicts ?? [])),
            headers: referToHeaders(...listRefusalHeaders(409), ...listDeprecationHeaders(endpoint)),
          },
        }
        : {}),
      ...(declared.gone === undefined ? {} : {
        410: { ...describeProblem(declared.gone), headers: referToHeaders(...listRefusalHeaders(410)) },
      }),
    },
  };
  return route;
}

/** Adds the headers of limits to every answer. */
export function addRateLimits(operation: RouteConfig): RouteConfig {
  return addHeaders(
    operation,
    (status) => status === "429" ? [...rateLimits, "Retry-After"] : rateLimits,
  );
}

/** Adds the request id to every answer. */
export function addRequestId(operation: RouteConfig): RouteConfig {
  return addHeaders(operation, () => ["X-Request-Id"]);
}

function addHeaders(
  operation: RouteConfig,
  listHeaders: (status: string) => readonly HeaderName[],
): RouteConfig {
  const responses = Object.entries(operation.responses).map(([status, response]) => {
    if ("$ref" in response) return [status, response];
    return [status, {
      ...response,
      headers: { ...response.headers, ...referToHeaders(...listHeaders(status)) },
    }];
  });
  return { ...operation, responses: Object.fromEntries(responses) };
}

function describeBody(
  { operation, body, multipart, orJson }: Endpoint["declared"],
): NonNullable<RouteConfig["request"]> {
  if (!multipart) {
    // An empty body counts as an empty object.
    const required = body ? !body.safeParse({}).success || demands(body) : false;
    return body ? { body: { required, content: { "application/json": { schema: body } } } } : {};
  }
  const files = Object.entries(multipart).map(([name, { description }]) =>
    [name, describeFile(description)] as const
  );
  const fields = body instanceof z.ZodObject ? body.shape : {};
  const name = operation.charAt(0).toUpperCase() + operation.slice(1);
  const schema = z.object({ ...Object.fromEntries(files), ...fields }).meta({ id: name });
  const json = orJson && { "application/json": { schema: orJson } };
  return { body: { required: true, content: { "multipart/form-data": { schema }, ...json } } };
}

/** A file in a form, in the words of OpenAPI 3.1. Generators make a `Blob` of it, or take any value. */
function describeFile(description: string) {
  const binary = { format: "binary", contentMediaType: "application/octet-stream" };
  return z.unknown().nonoptional().meta({ ...binary, description });
}

/** Whether the document requires a member that the schema does not, because other code demands it. */
function demands(schema: z.ZodType): boolean {
  const { required } = (schema.meta() ?? {}) as { required?: readonly string[] };
  return required !== undefined && required.length > 0;
}

function describeParams({ params = {}, describedParams = {} }: Endpoint["declared"]) {
  const forOne = { uuid: z.uuid(), integer: z.int().min(1), text: z.string().min(1) };
  const example = { uuid: "01939c5e-7d3a-7c3f-8a55-0a4be5a1a001", integer: 12, text: "abc" };
  return z.object(
    Object.fromEntries(
      Object.entries(params).map(([name, form]) => {
        const described = describedParams[name];
        return [
          name,
          described
            ? forOne.text.meta({ ...described })
            : forOne[form].meta({ example: example[form] as never }),
        ];
      }),
    ),
  );
}

/** Reports whether the schema describes a record, which has an ETag, and not a list or a batch. */
function isRecord(schema: z.ZodType | null): boolean {
  if (!(schema instanceof z.ZodObject)) return schema !== null;
  const { data, responses } = schema.shape;
  return responses === undefined && (data === undefined || data instanceof z.ZodRecord);
}

const readHeaders = z.object({
  "If-None-Match": z.string().optional().meta({
    description: "The ETag of the caller's copy. The answer is 304 while the record has it.",
    example: '"5d41402abc4b2a76b9719d911017c592"',
  }),
});

function writeHeaders(method: string) {
  return z.object({
    "Idempotency-Key": z.string().min(1).max(255).optional().meta({
      description: "Makes the call safe to repeat: for 24 hours, a repeated call gets the same answer.",
      example: "b3f1c9d2-order-17",
    }),
    ...(method === "post" ? {} : {
      "If-Match": z.string().optional().meta({
        description: "The ETag that the record must have, else 412.",
        example: '"5d41402abc4b2a76b9719d911017c592"',
      }),
    }),
  });
}
