/** Reads requests of OAuth clients: JSON, forms, the query, HTTP Basic. */
import { isJson, readText } from "../../http/bodies.ts";
import { extractQuery } from "../../http/request.ts";
import { invalidClient, invalidRequest } from "./oauth_error.ts";

/** The most bytes of a body. Credentials and tokens are short, and many people may sign in at once. */
const bodyLimit = 64 * 1024;

/** Fields by name. */
export type Fields = ReadonlyMap<string, string>;

/** A request with client credentials. */
export interface ClientRequest {
  readonly fields: Fields;
  /** The possible credentials: HTTP Basic can be read in two ways, with and without escapes. */
  readonly credentials: readonly ClientCredentials[];
}

export interface TokenRequest extends ClientRequest {
  readonly grantType: string;
}

export interface ClientCredentials {
  readonly id: string;
  readonly secret: string;
}

/** What an endpoint takes: how it reads a request, and the names that it reads, of all that may be sent. */
export interface Reading<Asked> {
  readonly read: (request: Request, fields: Fields) => Asked;
  readonly names: readonly string[];
  readonly parameters: readonly string[];
}

const credentialNames = ["client_id", "client_secret"];

/** The request of the token endpoint. Throws OAuthError. */
export const tokenRequest: Reading<TokenRequest> = {
  read: readTokenRequest,
  names: [
    ...["grant_type", ...credentialNames, "username", "password", "refresh_token"],
    ...["code", "code_verifier", "redirect_uri", "device_code"],
  ],
  parameters: ["grant_type"],
};

/** A request that has client credentials but no grant type, and these fields. Throws the same errors. */
export function clientRequest(...names: string[]): Reading<ClientRequest> {
  return {
    read: ({ headers }, fields) => ({ fields, credentials: readCredentials(headers, fields) }),
    names: [...credentialNames, ...names],
    parameters: [],
  };
}

function readTokenRequest(request: Request, fields: Fields): TokenRequest {
  const asked = extractQuery(request.url).getAll("grant_type");
  if (asked.length > 1) throw invalidRequest("grant_type is repeated.");
  const grantType = asked[0] ?? fields.get("grant_type");
  if (!grantType) throw invalidRequest("grant_type is missing.");
  return { grantType, fields, credentials: readCredentials(request.headers, fields) };
}

/** Returns the fields with these names; throws 400 when one is missing. */
export function requireFields<Name extends string>(fields: Fields, ...names: Name[]): Record<Name, string> {
  const missing = names.filter((name) => !fields.get(name));
  if (missing.length > 0) throw invalidRequest(`${missing.join(", ")} must be given.`);
  return Object.fromEntries(names.map((name) => [name, fields.get(name)!])) as Record<Name, string>;
}

/**
 * Reads the fields of a body, JSON or a form. `onNames` takes the names of all that was sent. Throws
 * OAuthError; 413 above 64 KiB.
 */
export async function readFields(
  request: Request,
  withinMs: number,
  onNames: (names: readonly string[]) => void,
): Promise<Fields> {
  const { headers } = request;
  const text = await readText(request, bodyLimit, withinMs);
  if (text === "") return new Map();
  const type = (headers.get("content-type") ?? "").split(";", 1)[0]!.trim().toLowerCase();
  const fields = isJson(headers)
    ? readJsonFields(text, onNames)
    : type === "application/x-www-form-urlencoded"
    ? readFormFields(text, onNames)
    : null;
  if (!fields) {
    throw invalidRequest("Send the body as application/json or application/x-www-form-urlencoded.", 415);
  }
  for (const [name, value] of fields) {
    if (value.includes("\0") || !value.isWellFormed()) {
      throw invalidRequest(`${name} must be text without NUL characters.`);
    }
    // An empty field counts as absent: RFC 6749, section 3.2.
    if (value === "") fields.delete(name);
  }
  return fields;
}

function readJsonFields(text: string, onNames: (names: readonly string[]) => void): Map<string, string> {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw invalidRequest("The body is not JSON.");
  }
  if (body === null || typeof body !== "object" || Array.isArray(body)) {
    throw invalidRequest("The body must be a JSON object.");
  }
  onNames(Object.keys(body));
  const fields = new Map<string, string>();
  for (const [name, value] of Object.entries(body)) {
    if (typeof value === "string") fields.set(name, value);
    else if (value !== null && known.has(name)) throw invalidRequest(`${name} must be a string.`);
  }
  return fields;
}

function readFormFields(text: string, onNames: (names: readonly string[]) => void): Map<string, string> {
  const form = new URLSearchParams(text);
  onNames([...form.keys()]);
  const fields = new Map<string, string>();
  for (const [name, value] of form) {
    if (fields.has(name)) throw invalidRequest(`${name} is repeated.`);
    fields.set(name, value);
  }
  return fields;
}

/** Names of fields that an endpoint reads; others are ignored. */
const known = new Set([...tokenRequest.names, "token"]);

function readCredentials(headers: Headers, fields: Fields): ClientCredentials[] {
  const header = headers.get("authorization");
  const [id, secret] = [fields.get("client_id"), fields.get("client_secret")];
  if (header === null || !/^basic /i.test(header)) {
    if (!id || !secret) throw invalidClient();
    return [{ id, secret }];
  }
  if (secret !== undefined) {
    throw invalidRequest("Send client_secret in the body or by HTTP Basic, not both.");
  }
  const written = parseBasic(header);
  const found = [written, decodeCredentials(written)].filter((each) => id === undefined || each.id === id);
  if (found.length === 0) throw invalidRequest("client_id differs from that of the Authorization header.");
  return found;
}

function parseBasic(header: string): ClientCredentials {
  try {
    const bytes = Uint8Array.from(atob(header.slice(6).trim()), (char) => char.charCodeAt(0));
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    const colon = text.indexOf(":");
    if (colon > 0 && !text.includes("\0")) return { id: text.slice(0, colon), secret: text.slice(colon + 1) };
  } catch {
    // Not base64, or not text.
  }
  throw invalidClient();
}

/** RFC 6749 form-encodes both parts inside the header; most clients send them unencoded. */
function decodeCredentials(written: ClientCredentials): ClientCredentials {
  const decode = (text: string) => decodeURIComponent(text.replaceAll("+", " "));
  try {
    return { id: decode(written.id), secret: decode(written.secret) };
  } catch {
    return written;
  }
}
