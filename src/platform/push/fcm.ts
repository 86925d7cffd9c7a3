/**
 * Push messages over Firebase Cloud Messaging, HTTP v1. The service account signs a token and exchanges it
 * for an access token of an hour.
 */
import { encodeBase64urlNoPadding } from "@oslojs/encoding";
import type { FcmServiceAccount } from "../../config.ts";
import type { Clock } from "../clock.ts";
import { type Answered, type Fetcher, FetchFailed } from "../fetcher.ts";
import { type Push, type Pusher, PushFailed } from "./push.ts";

const scope = "https://www.googleapis.com/auth/firebase.messaging";
const grant = "urn:ietf:params:oauth:grant-type:jwt-bearer";
/** Seconds for which our own token is valid. */
const assertionSeconds = 3_600;
/** Milliseconds before its expiry from which a token is no longer used. */
const margin = 60_000;
const timeoutMs = 10_000;

export interface FcmParts {
  readonly account: FcmServiceAccount;
  readonly fetcher: Fetcher;
  readonly clock: Clock;
  /** The origin of the service. */
  readonly url: string;
}

/** Returns a pusher over Firebase Cloud Messaging, for the service account. */
export function makeFcmPusher({ account, fetcher, clock, url }: FcmParts): Pusher {
  let key: Promise<CryptoKey> | null = null;
  let admission: { token: Promise<string>; from: number; until: number } | null = null;

  /** Returns the access token, which is requested once for all waiting messages. */
  function getAccessToken(): Promise<string> {
    const now = clock.now();
    // A clock that is set back must not keep an expired token.
    if (admission && now >= admission.from && now < admission.until) return admission.token;
    const mine = { token: ask(now), from: now, until: now + assertionSeconds * 1000 - margin };
    admission = mine;
    mine.token.catch(() => {
      if (admission === mine) admission = null;
    });
    return mine.token;

    async function ask(at: number): Promise<string> {
      const assertion = await signAssertion(await (key ??= importPrivateKey(account)), account, at);
      const answer = await postRequest(fetcher, account.token_uri, {
        headers: { "Content-Type": "application/x-www-form-urlencoded" },
        body: String(new URLSearchParams({ grant_type: grant, assertion })),
      });
      const { access_token, expires_in } = parseObject(answer.bodyExcerpt);
      if (answer.status !== 200 || typeof access_token !== "string") {
        throw new PushFailed(`the service account was refused: ${explainAnswer(answer)}`, "server");
      }
      if (typeof expires_in === "number") mine.until = at + expires_in * 1000 - margin;
      return access_token;
    }
  }

  return {
    async send(push) {
      const token = await getAccessToken();
      const answer = await postRequest(
        fetcher,
        `${url}/v1/projects/${encodeURIComponent(account.project_id)}/messages:send`,
        {
          headers: { "Content-Type": "application/json", Authorization: `Bearer ${token}` },
          body: JSON.stringify({ message: composeMessage(push) }),
        },
      );
      if (answer.status === 200) return "sent";
      if (readErrorCode(answer) === "UNREGISTERED") return "unregistered";
      // The next message requests a new token.
      if (answer.status === 401) admission = null;
      throw new PushFailed(explainAnswer(answer), classifyFailure(answer));
    },
  };
}

function composeMessage({ token, title, body, data }: Push) {
  return {
    token,
    notification: { title, body },
    data,
    android: { priority: "high" },
    apns: { payload: { aps: { sound: "default" } } },
  };
}

function classifyFailure({ status }: Answered): PushFailed["failure"] {
  if (status === 401 || status === 429 || status >= 500) return "server";
  // 400 is about the message or its token, 403 about a token of another project.
  return status === 400 || status === 403 ? "refused" : "deferred";
}

async function postRequest(
  fetcher: Fetcher,
  url: string,
  { headers, body }: { headers: Record<string, string>; body: string },
): Promise<Answered> {
  try {
    return await fetcher.post(url, { headers, body, timeoutMs });
  } catch (error) {
    if (error instanceof FetchFailed) throw new PushFailed(error.message, "server", { cause: error });
    throw error;
  }
}

/** The error code of the service. */
function readErrorCode({ bodyExcerpt }: Answered): unknown {
  const { error } = parseObject(bodyExcerpt);
  const details: unknown = isObject(error) ? error.details : null;
  if (!Array.isArray(details)) return null;
  return details.filter(isObject).find(({ errorCode }) => errorCode !== undefined)?.errorCode ?? null;
}

/** One line for the log. */
function explainAnswer({ status, bodyExcerpt }: Answered): string {
  const { error, error_description } = parseObject(bodyExcerpt);
  const words = isObject(error) ? error.message : error_description ?? error;
  return typeof words === "string" ? `${status} ${words.replaceAll(/\s+/g, " ").slice(0, 300)}` : `${status}`;
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const algorithm = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" };

async function importPrivateKey({ private_key }: FcmServiceAccount): Promise<CryptoKey> {
  try {
    const base64 = private_key.replaceAll(/-----[^-]+-----|\s/g, "");
    const der = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    return await crypto.subtle.importKey("pkcs8", der, algorithm, false, ["sign"]);
  } catch (cause) {
    throw new PushFailed("the private key of FCM_SERVICE_ACCOUNT cannot be read", "server", { cause });
  }
}

/** Makes the account's signed JSON Web Token. `at`: epoch milliseconds. */
async function signAssertion(key: CryptoKey, account: FcmServiceAccount, at: number): Promise<string> {
  const iat = Math.floor(at / 1000);
  const { client_email: iss, token_uri: aud } = account;
  const claims = { iss, scope, aud, iat, exp: iat + assertionSeconds };
  const text = `${encodeJson({ alg: "RS256", typ: "JWT" })}.${encodeJson(claims)}`;
  const signature = await crypto.subtle.sign(algorithm, key, new TextEncoder().encode(text));
  return `${text}.${encodeBase64urlNoPadding(new Uint8Array(signature))}`;
}

function encodeJson(value: object): string {
  return encodeBase64urlNoPadding(new TextEncoder().encode(JSON.stringify(value)));
}
