/**
 * Collects the secrets that calls of a test transfer in either direction, and checks that none of them occurs
 * in the lines of the log or in the bodies of refusals.
 *
 * From calls and answers, it collects texts with the form of a token, wherever they occur (headers, cookies,
 * paths, queries, bodies); the values of fields such as `password` and `client_secret`, in complete bodies
 * and in broken ones; the credentials of HTTP Basic; and the tokens of forms.
 */
import { isEventStream } from "./event_stream.ts";
import type { Serve } from "../../src/entry/listen.ts";
import { Buffer } from "node:buffer";

/** The length of 256 random bits in base64url: every token, code and client secret of the service has it. */
const tokenLength = 43;
const uuidForm = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;
const secretName = "(?:\\w+_)?password|(?:\\w+_)?secret|(?:\\w+_)?token|code_verifier|device_code|code";
const secretNames = new RegExp(`^(?:${secretName})$`, "i");
/**
 * Matches a text that may have such names. Most texts have none, and this check takes a fifth of the time.
 */
const namesSecrets = /password|secret|token|["']code["']|device_code|code_verifier/i;
/**
 * Members of JSON that hold secrets. A pattern instead of a parser, because broken JSON carries secrets, too.
 */
const secretMembers = new RegExp(`["'](${secretName})["']\\s*:\\s*["']((?:[^"'\\\\]|\\\\.)*)`, "gi");
/** Parameters that a client makes up and may see again. */
const publicParameters = /([?&](?:state|nonce|code_challenge)=)[^&#]*/g;
/** The most characters of a body that are searched. Larger bodies contain no sign-in. */
const mostLooked = 65_536;
/** Recent bodies: the service and its client learn the same ones. */
const recent = new Set<string>();
const mostRecent = 50;

/** The kinds of secrets with the form of a token, by the secret. */
const tokens = new Map<string, string>();
/** The kinds of other secrets, by the secret. */
const others = new Map<string, string>();
/**
 * The written forms of other secrets, by a hash of their first four characters, which few places of a text
 * match.
 */
const written = new Map<number, [form: string, kind: string][]>();

/** Remembers a secret. Ignores words, digits and repetitions, which messages may hold for other reasons. */
export function keepSecret(kind: string, value: string): void {
  // A token takes each new kind, because it may only have been seen in a text before. Other secrets keep
  // their first kind.
  if (/^[\w-]{43}$/.test(value)) tokens.set(value, kind);
  // A `code` of another form is the code of a problem, a language or a device.
  if (others.has(value) || kind === "code") return;
  const isPlain = /^(?:[a-z_ ]+|[\d.: -]+)$/i.test(value) && !/\w \w/.test(value);
  if (value.length < 8 || isPlain || uuidForm.test(value) || new Set(value).size < 5) return;
  others.set(value, kind);
  const forms = new Set([value, JSON.stringify(value).slice(1, -1)]);
  if (value.isWellFormed()) forms.add(encodeURIComponent(value));
  for (const form of forms) {
    const start = startAt(form, 0);
    const alike = written.get(start);
    if (alike) alike.push([form, kind]);
    else written.set(start, [[form, kind]]);
  }
}

/** Returns a hash of the four characters at this position. */
function startAt(text: string, at: number): number {
  let start = 0;
  for (let next = at; next < at + 4; next++) start = Math.imul(start, 31) + text.charCodeAt(next) | 0;
  return start;
}

/** Remembers the secrets that a call carries or an answer returns. */
export function learn(headers: Headers, body: string, url = ""): void {
  if (url !== "") learnUrl(url);
  const location = headers.get("location");
  if (location) learnUrl(location);
  learnAuthorization(headers.get("authorization"));
  learnTokens("session cookie", headers.get("cookie") ?? "");
  if (headers.has("set-cookie")) learnTokens("session cookie", headers.getSetCookie().join(" "));
  learnBody(body, headers.get("content-type") ?? "");
}

/** Does the same as `learn` for a call with headers that are no `Headers`, which take longer to make. */
export function learnCall(headers: Readonly<Record<string, string>>, body: string, url: string): void {
  learnUrl(url);
  let type = "";
  for (const [name, value] of Object.entries(headers)) {
    const known = name.toLowerCase();
    if (known === "authorization") learnAuthorization(value);
    else if (known === "cookie") learnTokens("session cookie", value);
    else if (known === "content-type") type = value;
  }
  learnBody(body, type);
}

function learnAuthorization(value: string | null): void {
  const [scheme, given = ""] = (value ?? "").split(" ");
  if (/^bearer$/i.test(scheme!)) keepSecret("access token", given);
  if (/^basic$/i.test(scheme!)) {
    keepSecret("basic credentials", given);
    keepSecret("client secret", Buffer.from(given, "base64").toString().split(":").slice(1).join(":"));
  }
}

function learnUrl(url: string): void {
  const own = url.replace(publicParameters, "$1");
  learnTokens("token in an address", own);
  const query = own.split("#")[0]!.split("?")[1];
  if (query) learnFields(new URLSearchParams(query));
}

function learnBody(body: string, type: string): void {
  if (body === "") return;
  const text = body.slice(0, mostLooked);
  if (type.includes("html")) {
    for (const [, value] of text.matchAll(/name="token" value="([^"]+)"/g)) keepSecret("form token", value!);
  } else if (type.includes("form-urlencoded")) {
    learnFields(new URLSearchParams(text));
  } else if (!recent.has(text)) {
    if (recent.size === mostRecent) recent.clear();
    recent.add(text);
    learnTokens("token", text);
    if (!namesSecrets.test(text)) return;
    for (const [, name, value] of text.matchAll(secretMembers)) keepSecret(name!, unescapeJson(value!));
  }
}

function learnFields(fields: URLSearchParams): void {
  for (const [name, value] of fields) if (secretNames.test(name)) keepSecret(name, value);
}

function learnTokens(kind: string, text: string): void {
  for (const token of tokensIn(text)) if (!tokens.has(token)) tokens.set(token, kind);
}

/**
 * Returns the words that have the length of a token. Words consist of letters, digits, `_` and `-`. Looks at
 * one character in 43, because each such word has one of them. A regular expression looks at every character,
 * and takes 3 to 5 times as long.
 */
export function tokensIn(text: string): string[] {
  const found: string[] = [];
  for (let at = tokenLength - 1; at < text.length; at += tokenLength) {
    if (!isOfWord(text.charCodeAt(at))) continue;
    let from = at;
    while (from > 0 && isOfWord(text.charCodeAt(from - 1))) from--;
    while (at < text.length && isOfWord(text.charCodeAt(at))) at++;
    if (at - from === tokenLength) found.push(text.slice(from, at));
  }
  return found;
}

/** True for a letter, a digit, `_` and `-`. */
function isOfWord(code: number): boolean {
  return code >= 97 && code <= 122 || code >= 65 && code <= 90 || code >= 48 && code <= 57 ||
    code === 95 || code === 45;
}

function unescapeJson(text: string): string {
  try {
    return JSON.parse(`"${text}"`);
  } catch {
    return text;
  }
}

/** Returns the kinds of all secrets that are known so far. */
export function kindsKnown(): ReadonlySet<string> {
  return new Set([...tokens.values(), ...others.values()]);
}

/** Returns the kinds of the known secrets that the text holds. */
export function secretsIn(text: string): string[] {
  const found = new Set<string>();
  for (const candidate of tokensIn(text)) {
    const kind = tokens.get(candidate);
    if (kind) found.add(kind);
  }
  for (let at = 0; at + 4 <= text.length; at++) {
    for (const [form, kind] of written.get(startAt(text, at)) ?? []) {
      if (text.startsWith(form, at)) found.add(kind);
    }
  }
  return [...found];
}

/** A text of the service, with its name for an error message. */
export interface Said {
  readonly about: string;
  readonly text: string;
}

/** Throws for the first text that holds a secret. The error does not contain the secret. */
export function checkSaid(said: readonly Said[]): void {
  if (said.length === 0) return;
  // Checks all texts at once first, because usually none holds a secret.
  if (secretsIn(said.map(({ text }) => text).join("\n")).length === 0) return;
  for (const { about, text } of said) {
    const [kind] = secretsIn(text);
    if (kind) throw new Error(`${about} holds a secret: ${kind}`);
  }
}

/** Returns the lines of a log with a name for each. */
export function saidInLog(lines: readonly string[]): Said[] {
  return lines.map((text) => ({
    about: `A line of the log about ${/"event":"(\w+)"/.exec(text)?.[1] ?? "something"}`,
    text,
  }));
}

/**
 * Returns the text of a refusal; empty for other answers. Leaves out what forms and links to providers carry
 * along.
 */
export function saidInRefusal(call: string, status: number, text: string): Said[] {
  if (status < 400) return [];
  const shown = text.replace(/<input type="hidden"[^>]*>|action="[^"]*"|href="\/auth\/sso\/[^"]*"/g, "");
  return [{ about: `The answer ${status} to ${call}`, text: shown }];
}

/** Watches the requests and answers of a service. */
export interface Watch {
  readonly serve: Serve;
  /** Throws when a refusal so far, or a line of the log, holds a secret. */
  check(lines: readonly string[]): void;
}

/** The header of a request whose caller learns its secrets, and those of the answer, and checks the answer. */
export const watchedByCaller = "x-watched-by-caller";

export function watchSecrets(serve: Serve): Watch {
  const refusals: Said[] = [];
  return {
    async serve(request, bindings) {
      if (request.headers.has(watchedByCaller)) return await serve(request, bindings);
      listen(request);
      const response = await serve(request, bindings);
      const { status, headers } = response;
      if (response.body === null || isEventStream(response)) learn(headers, "");
      else {
        const text = await response.clone().text();
        learn(headers, text);
        refusals.push(...saidInRefusal(`a ${request.method} (${headers.get("x-request-id")})`, status, text));
      }
      return response;
    },
    check: (lines) => checkSaid([...refusals, ...saidInLog(lines)]),
  };
}

/** Learns the secrets of a request once the service reads it. */
function listen(request: Request): void {
  learn(request.headers, "", request.url);
  const text = request.text.bind(request);
  const bytes = request.arrayBuffer.bind(request);
  Object.defineProperties(request, {
    text: { value: async () => heard(request, await text()) },
    arrayBuffer: {
      value: async () => {
        const read = await bytes();
        heard(request, new TextDecoder().decode(read.slice(0, mostLooked)));
        return read;
      },
    },
  });
}

function heard(request: Request, text: string): string {
  learn(request.headers, text);
  return text;
}
