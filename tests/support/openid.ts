/** A small OpenID provider on loopback, honest unless configured to lie. */
import { encodeBase64urlNoPadding } from "@oslojs/encoding";
import { createHmac } from "node:crypto";

const client = { client_id: "crm", client_secret: "the-secret: of the crm%" };

export type Claims = Record<string, unknown>;

/** How the provider differs from an honest one. */
export interface Lies {
  metadata?: (metadata: Claims) => Claims;
  /** Replaces the answers of paths such as `/token`. */
  answer?: Record<string, () => Response | Promise<Response>>;
  claims?: (claims: Claims) => Claims;
  /** How the id_token is signed. */
  signed?: "by a key that it does not publish" | "by nobody" | "with the client's secret" | "and changed";
  /** Changes the parameters of the redirect back to the service. */
  back?: (parameters: URLSearchParams) => void;
}

export interface Provider extends AsyncDisposable {
  readonly issuer: string;
  readonly client: typeof client;
  /** The requests so far, such as `GET /jwks`. */
  readonly asked: string[];
  /** The subject of the person who signs in next. */
  subject: string;
  lies: Lies;
  /** Milliseconds since the epoch. */
  now: () => number;
}

interface Grant {
  readonly query: URLSearchParams;
  readonly subject: string;
}

const rsa = { name: "RSASSA-PKCS1-v1_5", modulusLength: 2048, hash: "SHA-256" } as const;
const makeKeys = () =>
  crypto.subtle.generateKey({ ...rsa, publicExponent: new Uint8Array([1, 0, 1]) }, true, ["sign", "verify"]);
let keys: Promise<CryptoKeyPair> | undefined;
let otherKeys: Promise<CryptoKeyPair> | undefined;

/**
 * Starts a provider. `methods` are the ways in which clients may authenticate at the token endpoint; without
 * them, its metadata names none, and clients use HTTP Basic.
 */
export function startProvider(now: () => number, methods?: string[]): Provider {
  const grants = new Map<string, Grant>();
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, handle);
  const issuer = `http://127.0.0.1:${server.addr.port}`;
  const provider: Provider = {
    issuer,
    client,
    asked: [],
    subject: "4711",
    lies: {},
    now,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };

  async function handle(request: Request): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    provider.asked.push(`${request.method} ${pathname}`);
    const lie = provider.lies.answer?.[pathname];
    if (lie) return await lie();
    switch (`${request.method} ${pathname}`) {
      case "GET /.well-known/openid-configuration":
        return Response.json(metadata());
      case "GET /jwks": {
        keys ??= makeKeys();
        const jwk = await crypto.subtle.exportKey("jwk", (await keys).publicKey);
        return Response.json({ keys: [{ ...jwk, kid: "one", use: "sig", alg: "RS256" }] });
      }
      case "GET /authorize":
        return answerAuthorization(searchParams);
      case "POST /token":
        return await token(request, new URLSearchParams(await request.text()));
      default:
        return new Response(null, { status: 404 });
    }
  }

  function metadata(): Claims {
    const honest = {
      issuer,
      authorization_endpoint: `${issuer}/authorize?prompt=login`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      response_types_supported: ["code"],
      id_token_signing_alg_values_supported: ["RS256"],
      authorization_response_iss_parameter_supported: true,
      ...(methods ? { token_endpoint_auth_methods_supported: methods } : {}),
    };
    return provider.lies.metadata?.(honest) ?? honest;
  }

  function answerAuthorization(query: URLSearchParams): Response {
    const getParameter = (name: string) => query.get(name) ?? "";
    const wrong = getParameter("client_id") !== client.client_id ||
      getParameter("response_type") !== "code" ||
      getParameter("code_challenge_method") !== "S256" || getParameter("nonce").length < 43 ||
      !getParameter("scope").split(" ").includes("openid") || getParameter("prompt") !== "login";
    if (wrong) return new Response(`not asked rightly: ${query}`, { status: 400 });
    const code = crypto.randomUUID();
    grants.set(code, { query, subject: provider.subject });
    const parameters = new URLSearchParams({ code, state: getParameter("state"), iss: issuer });
    provider.lies.back?.(parameters);
    return new Response(null, {
      status: 302,
      headers: { location: `${getParameter("redirect_uri")}?${parameters}` },
    });
  }

  async function token(request: Request, form: URLSearchParams): Promise<Response> {
    const refusal = (error: string) => Response.json({ error }, { status: 400 });
    const [, basic = ""] = /^Basic (\S+)$/.exec(request.headers.get("authorization") ?? "") ?? [];
    const [id, secret] = atob(basic).split(":").map((part) => new URLSearchParams(`x=${part}`).get("x"));
    const known = methods?.includes("client_secret_post")
      ? form.get("client_id") === client.client_id && form.get("client_secret") === client.client_secret
      : id === client.client_id && secret === client.client_secret;
    if (!known) return refusal("invalid_client");
    const grant = grants.get(form.get("code") ?? "");
    grants.delete(form.get("code") ?? "");
    if (!grant || form.get("redirect_uri") !== grant.query.get("redirect_uri")) {
      return refusal("invalid_grant");
    }
    const verifier = new TextEncoder().encode(form.get("code_verifier") ?? "");
    const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", verifier));
    if (encodeBytes(hash) !== grant.query.get("code_challenge")) return refusal("invalid_grant");
    const seconds = Math.floor(provider.now() / 1000);
    const honest: Claims = {
      iss: issuer,
      sub: grant.subject,
      aud: client.client_id,
      nonce: grant.query.get("nonce"),
      iat: seconds,
      exp: seconds + 300,
    };
    const id_token = await signClaims(provider.lies.claims?.(honest) ?? honest, provider.lies.signed);
    return Response.json({ access_token: "not used", token_type: "Bearer", id_token });
  }

  return provider;
}

async function signClaims(claims: Claims, how: Lies["signed"]): Promise<string> {
  const text = (value: unknown) => encodeBytes(new TextEncoder().encode(JSON.stringify(value)));
  const addHeader = (header: Claims) => `${text(header)}.${text(claims)}`;
  if (how === "by nobody") return `${addHeader({ alg: "none" })}.`;
  if (how === "with the client's secret") {
    const body = addHeader({ alg: "HS256" });
    return `${body}.${encodeBytes(createHmac("sha256", client.client_secret).update(body).digest())}`;
  }
  const pair = how === "by a key that it does not publish"
    ? await (otherKeys ??= makeKeys())
    : await (keys ??= makeKeys());
  const body = addHeader({ alg: "RS256", kid: "one" });
  const signature = await crypto.subtle.sign(rsa, pair.privateKey, new TextEncoder().encode(body));
  const sent = how === "and changed"
    ? `${text({ alg: "RS256", kid: "one" })}.${text({ ...claims, sub: "4712" })}`
    : body;
  return `${sent}.${encodeBytes(new Uint8Array(signature))}`;
}

function encodeBytes(bytes: Uint8Array): string {
  return encodeBase64urlNoPadding(bytes);
}
