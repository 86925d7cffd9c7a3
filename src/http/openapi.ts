/** The OpenAPI 3.1 document, from the declarations that the endpoints are served by. */
import { OpenAPIHono, z } from "@hono/zod-openapi";
import { conflictCodes } from "../core/errors.ts";
import { type Endpoint, writes } from "./endpoint.ts";

type Registry = OpenAPIHono["openAPIRegistry"];
type RouteConfig = Parameters<Registry["registerPath"]>[0];

const FieldErrorSchema = z.object({
  path: z.string().openapi({ example: "billing.country" }),
  code: z.string().openapi({ example: "required" }),
  message: z.string().openapi({ example: "Must be given." }),
}).openapi("FieldError");

const ProblemSchema = z.object({
  type: z.string().openapi({ example: "https://crm.example.org/problems/not_found" }),
  title: z.string().openapi({ example: "Not Found" }),
  status: z.int().openapi({ example: 404 }),
  detail: z.string().openapi({ example: "There is no such record, or it is not visible to you." }),
  code: z.string().openapi({ example: "not_found" }),
  request_id: z.string().openapi({ example: "0d3c1a5e-6f0b-4f39-9d61-52a0c9d2f9c4" }),
  errors: z.array(FieldErrorSchema).optional(),
  impact: z.unknown().optional().openapi({
    description: "What stands in the way of a deletion (`delete_blocked`).",
  }),
}).openapi("Problem");

const problems: Record<number, string> = {
  400: "The body is not of the form that its type says. Code `malformed_json`.",
  401: "No token, or it is unknown, expired or revoked. Code `unauthenticated`.",
  403: "The user type, right or trust that `detail` names is missing. Code `forbidden`.",
  404: "No such record, or one that the caller cannot see. Code `not_found`.",
  412: "`If-Match` names another version. Code `precondition_failed`.",
  408: "The body did not arrive within a minute. Code `request_timeout`.",
  413: "The body is too large. Code `payload_too_large`.",
  415: "The body is of another type than the endpoint takes. Code `unsupported_media_type`.",
  422: "Fields are wrong; `errors` says which and why. Code `validation_failed`, or `idempotency_mismatch`.",
  429: "Too many calls; wait for `Retry-After` seconds. Code `rate_limited`.",
  500: "A fault of ours. Code `internal`.",
  503: "The database or storage did not answer; try again. Code `unavailable`.",
};

/** An operation that is served by hand (no envelope), described for the document. */
export type Described = RouteConfig;

/** `servers` names the origin. The document lists every endpoint and no other. */
export function openApiDocument(
  endpoints: readonly Endpoint[],
  byHand: readonly Described[],
  origin: string,
): object {
  const app = new OpenAPIHono();
  const registry = app.openAPIRegistry;
  registry.registerComponent("securitySchemes", "bearer", {
    type: "http",
    scheme: "bearer",
    description: "An access token of `POST /auth/token`.",
  });
  for (const endpoint of endpoints) registry.registerPath(routeOf(endpoint));
  for (const described of byHand) registry.registerPath(described);
  return app.getOpenAPI31Document({
    openapi: "3.1.0",
    info: {
      title: "Wayline CRM",
      version: "1.0.0",
      description: "A multi-tenant sales CRM as a JSON API: leads, cases, customers and signed webhooks.",
      license: { name: "Apache-2.0", url: "https://www.apache.org/licenses/LICENSE-2.0" },
    },
    servers: [{ url: origin }],
    tags: [...new Set(endpoints.map(({ declared }) => declared.tag)), "Service"].map((name) => ({ name })),
  });
}

/** The path in OpenAPI's form. */
export function documentedPath(path: string): string {
  return path.replaceAll(/:(\w+)/g, "{$1}");
}

function routeOf(endpoint: Endpoint): RouteConfig {
  const { declared, access } = endpoint;
  const writing = writes(endpoint);
  const tagged = declared.method === "get" && isRecord(declared.answers[200]?.schema ?? null);
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
    path: documentedPath(declared.path),
    operationId: declared.operation,
    tags: [declared.tag],
    summary: declared.summary,
    ...(description ? { description } : {}),
    ...(declared.deprecated ? { deprecated: true } : {}),
    security: [{ bearer: [] }],
    request: {
      ...(declared.params ? { params: paramsOf(declared.params) } : {}),
      ...(declared.query instanceof z.ZodObject ? { query: declared.query } : {}),
      ...(writing ? { headers: writeHeaders(declared.method) } : tagged ? { headers: readHeaders } : {}),
      ...bodyOf(declared),
    },
    responses: {
      ...Object.fromEntries(
        Object.entries(declared.answers).map(([status, { description, schema }]) => [
          status,
          schema ? { description, content: { "application/json": { schema } } } : { description },
        ]),
      ),
      ...(tagged
        ? { 304: { description: "The record still has the ETag that `If-None-Match` names." } }
        : {}),
      ...Object.fromEntries(refusals.sort().map((status) => [status, describedProblem(problems[status]!)])),
      ...(writing ? { 409: describedProblem(conflictsOf(declared.conflicts ?? [])) } : {}),
    },
  };
  return declared.limits ? withRateLimits(route) : route;
}

/** The operation with the headers that tell of its limits, on every answer. */
export function withRateLimits(operation: RouteConfig): RouteConfig {
  const responses = Object.entries(operation.responses).map(([status, response]) => {
    const headers = status === "429" ? refusedHeaders : limitedHeaders;
    const own = "headers" in response && response.headers instanceof z.ZodObject
      ? response.headers.shape
      : {};
    return [status, { ...response, headers: headers.extend(own) }];
  });
  return { ...operation, responses: Object.fromEntries(responses) };
}

const limitedHeaders = z.object({
  "RateLimit-Policy": z.string().openapi({
    description: "The limits of the call: `q` in `w` seconds (draft-ietf-httpapi-ratelimit-headers).",
    example: '"password";q=10;w=600',
  }),
  RateLimit: z.string().optional().openapi({
    description: "What is left of them: `r` for `t` seconds.",
    example: '"password";r=7;t=412',
  }),
});
const refusedHeaders = limitedHeaders.extend({
  "Retry-After": z.string().openapi({ description: "Seconds.", example: "412" }),
});

function bodyOf({ operation, body, multipart }: Endpoint["declared"]): NonNullable<RouteConfig["request"]> {
  if (!multipart) {
    return body ? { body: { required: true, content: { "application/json": { schema: body } } } } : {};
  }
  const files = Object.entries(multipart).map(([name, { description }]) =>
    [name, z.string().openapi({ format: "binary", description })] as const
  );
  const fields = body instanceof z.ZodObject ? body.shape : {};
  const name = operation.charAt(0).toUpperCase() + operation.slice(1);
  const schema = z.object({ ...Object.fromEntries(files), ...fields }).openapi(name);
  return { body: { required: true, content: { "multipart/form-data": { schema } } } };
}

function paramsOf(forms: NonNullable<Endpoint["declared"]["params"]>) {
  const forOne = { uuid: z.uuid(), integer: z.int().min(1), text: z.string().min(1) };
  const example = { uuid: "01939c5e-7d3a-7c3f-8a55-0a4be5a1a001", integer: 12, text: "abc" };
  return z.object(
    Object.fromEntries(
      Object.entries(forms).map((
        [name, form],
      ) => [name, forOne[form].openapi({ example: example[form] as never })]),
    ),
  );
}

/** Lists have no ETag. */
function isRecord(schema: z.ZodType | null): boolean {
  return schema instanceof z.ZodObject && !("data" in schema.shape);
}

const readHeaders = z.object({
  "If-None-Match": z.string().optional().openapi({
    description: "The ETag of what the caller has: 304 while it is still that.",
    example: '"5d41402abc4b2a76b9719d911017c592"',
  }),
});

function writeHeaders(method: string) {
  return z.object({
    "Idempotency-Key": z.string().min(1).max(255).optional().openapi({
      description: "Makes the call safe to send again: within 24 hours its answer is repeated.",
      example: "b3f1c9d2-order-17",
    }),
    ...(method === "post" ? {} : {
      "If-Match": z.string().optional().openapi({
        description: "The ETag that the record must still have.",
        example: '"5d41402abc4b2a76b9719d911017c592"',
      }),
    }),
  });
}

function conflictsOf(codes: readonly string[]): string {
  const named = conflictCodes.filter((code) => codes.includes(code) || code === "idempotency_in_progress");
  return `The record's state refuses it. Codes ${named.map((code) => `\`${code}\``).join(", ")}.`;
}

/** A refusal in the document. */
export function describedProblem(description: string) {
  return { description, content: { "application/problem+json": { schema: ProblemSchema } } };
}
