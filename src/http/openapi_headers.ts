/** Headers of answers in the OpenAPI document. */
import type { Endpoint } from "./endpoint.ts";

interface Header {
  readonly description: string;
  readonly example: string;
  /** Whether every answer that declares it has it. */
  readonly required?: true;
}

const descriptions = {
  "X-Request-Id": {
    description: "Identifies the call in the log. Repeats the `X-Request-Id` of the request, if any.",
    example: "0d3c1a5e-6f0b-4f39-9d61-52a0c9d2f9c4",
    required: true,
  },
  ETag: {
    description: "The version of the record, for `If-None-Match` and `If-Match`.",
    example: '"5d41402abc4b2a76b9719d911017c592"',
  },
  Location: { description: "The address to open next.", example: "https://crm.example.org/auth/sign-in" },
  "Content-Disposition": {
    description: "Says that the body is a file, and its name.",
    example: 'attachment; filename="errors.csv"',
  },
  "Idempotent-Replayed": {
    description: "`true` on the answer kept for an `Idempotency-Key`; absent on the first one.",
    example: "true",
  },
  "Ignored-Members": {
    description:
      "Members of the body that the service does not know, separated by commas: `nmae, billing.foo`. " +
      "Characters other than visible ASCII, commas and `%` are percent-encoded; a long list ends with `...`.",
    example: "nmae, billing.foo",
  },
  "Ignored-Parameters": {
    description: "Parameters of the query that the service does not know, as `Ignored-Members`.",
    example: "serach",
  },
  Deprecation: {
    description: "When the endpoint or parameter was deprecated: `@` and seconds since 1970 (RFC 9745).",
    example: "@1509494400",
  },
  Sunset: {
    description: "When it may stop working (RFC 8594).",
    example: "Sun, 01 Apr 2018 00:00:00 GMT",
  },
  Link: {
    description: "Links to its replacement (RFC 8288).",
    example: '</v1/leads>; rel="successor-version"',
  },
  "RateLimit-Policy": {
    description: "The limits of the call: `q` in `w` seconds (draft-ietf-httpapi-ratelimit-headers).",
    example: '"password";q=10;w=600',
  },
  RateLimit: {
    description: "The remaining calls of each limit: `r` for `t` seconds.",
    example: '"password";r=7;t=412',
  },
  "Retry-After": { description: "Seconds to wait before the next attempt.", example: "412" },
  "WWW-Authenticate": { description: "How to authenticate (RFC 6750).", example: "Bearer", required: true },
} as const satisfies Record<string, Header>;

export type HeaderName = keyof typeof descriptions;

/** `components.headers` of the document. */
export const headerComponents = Object.fromEntries(
  Object.entries<Header>(descriptions).map(([name, { description, example, required }]) => [
    name,
    { description, ...(required ? { required } : {}), schema: { type: "string" as const }, example },
  ]),
);

export type HeaderRefs = Record<string, { $ref: string }>;

/** Returns the headers of one answer as references. */
export function referToHeaders(...names: HeaderName[]): HeaderRefs {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** The headers of every answer that may be limited. */
export const rateLimits: readonly HeaderName[] = ["RateLimit-Policy", "RateLimit"];

/** The headers that name what a call sent and nothing read. */
const ignored: readonly HeaderName[] = ["Ignored-Members", "Ignored-Parameters"];

/** Returns the headers of every error with the status. */
export function listRefusalHeaders(status: number): HeaderName[] {
  return [
    "X-Request-Id",
    ...rateLimits,
    ...(status === 401 ? [] : ignored),
    ...(status === 401 ? ["WWW-Authenticate" as const] : []),
    ...(status === 429 || status === 503 ? ["Retry-After" as const] : []),
  ];
}

/** Returns the headers of an endpoint that is deprecated or has deprecated parameters. */
export function listDeprecationHeaders({ declared }: Endpoint): HeaderName[] {
  const all = [declared.deprecated, ...Object.values(declared.deprecatedParameters ?? {})].filter((one) =>
    one !== undefined
  );
  return [
    ...(all.length > 0 ? ["Deprecation" as const] : []),
    ...(all.some(({ sunset }) => sunset) ? ["Sunset" as const] : []),
    ...(all.some(({ successor }) => successor) ? ["Link" as const] : []),
  ];
}

/** Returns the headers of a successful answer of an endpoint. `isRecord`: it shows one record. */
export function listAnswerHeaders(endpoint: Endpoint, isRecord: boolean): HeaderRefs {
  return referToHeaders(
    "X-Request-Id",
    ...rateLimits,
    ...(isRecord ? ["ETag" as const] : []),
    ...(endpoint.writes ? ["Idempotent-Replayed" as const] : []),
    ...ignored.slice(endpoint.declared.body || endpoint.declared.multipart ? 0 : 1),
    ...listDeprecationHeaders(endpoint),
  );
}
