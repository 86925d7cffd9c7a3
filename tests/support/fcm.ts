/** A push service on loopback that checks logins and records messages. */
import assert from "node:assert/strict";

export interface Pushed {
  readonly token: string;
  readonly notification: { readonly title: string; readonly body: string };
  readonly data: Readonly<Record<string, string>>;
}

export interface Fcm extends AsyncDisposable {
  /** The environment of a process that sends its messages to this service. */
  readonly env: Record<string, string>;
  readonly account: {
    readonly project_id: string;
    readonly client_email: string;
    readonly private_key: string;
    readonly token_uri: string;
  };
  readonly url: string;
  /** Messages that the service accepted. */
  readonly pushes: Pushed[];
  /** The number of requests for an access token, and of requests to send a message. */
  asked: { admissions: number; messages: number };
  /** The service's clock, in milliseconds since the epoch. The assertion of a login must have that time. */
  now: () => number;
  /** Returns the refusal of a message, or null to accept it. */
  answer: (push: Pushed) => Response | null | Promise<Response | null>;
  /** Revokes all access tokens. */
  forget(): void;
}

/** Returns the answer of the service to a message that it refuses, with FCM's code of the error. */
export function makeRefusal(
  status: number,
  errorCode: string,
  headers: Record<string, string> = {},
): Response {
  const details = [{ "@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError", errorCode }];
  return Response.json({ error: { code: status, message: `It is ${errorCode}.`, details } }, {
    status,
    headers,
  });
}

const algorithm = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" };
let keys: Promise<{ verify: CryptoKey; pem: string }> | undefined;

export async function startFcm(): Promise<Fcm> {
  const { verify, pem } = await (keys ??= newKeys());
  const admitted = new Set<string>();
  const pushes: Pushed[] = [];
  const asked = { admissions: 0, messages: 0 };

  async function admit(request: Request): Promise<Response> {
    asked.admissions++;
    const form = await request.formData();
    assert.equal(form.get("grant_type"), "urn:ietf:params:oauth:grant-type:jwt-bearer");
    const [head, body, signature] = String(form.get("assertion")).split(".");
    const signed = new TextEncoder().encode(`${head}.${body}`);
    if (!await crypto.subtle.verify(algorithm, verify, bytes(signature!), signed)) {
      return Response.json({ error: "invalid_grant", error_description: "Bad signature" }, { status: 400 });
    }
    const claims = JSON.parse(new TextDecoder().decode(bytes(body!)));
    const now = Math.floor(fcm.now() / 1000);
    // A second can pass between the signature and its check.
    const age = now - claims.iat;
    assert.ok(age >= 0 && age <= 10, `issued ${age} s ago`);
    assert.deepEqual(JSON.parse(new TextDecoder().decode(bytes(head!))).alg, "RS256");
    assert.deepEqual(claims, {
      iss: fcm.account.client_email,
      scope: "https://www.googleapis.com/auth/firebase.messaging",
      aud: fcm.account.token_uri,
      iat: claims.iat,
      exp: claims.iat + 3_600,
    });
    const access_token = crypto.randomUUID();
    admitted.add(access_token);
    return Response.json({ access_token, expires_in: 3_599, token_type: "Bearer" });
  }

  async function send(request: Request): Promise<Response> {
    asked.messages++;
    const token = request.headers.get("authorization")?.replace(/^Bearer /, "");
    if (!admitted.has(token ?? "")) return makeRefusal(401, "UNAUTHENTICATED");
    const { message } = await request.json() as { message: Pushed };
    const refused = await fcm.answer(message);
    if (refused) return refused;
    pushes.push(message);
    return Response.json({ name: `projects/crm/messages/${pushes.length}` });
  }

  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, (request) => {
    const { pathname } = new URL(request.url);
    if (request.method !== "POST") return new Response(null, { status: 405 });
    if (pathname === "/token") return admit(request);
    if (pathname === "/v1/projects/crm-1/messages:send") return send(request);
    return new Response("not here", { status: 404 });
  });
  const url = `http://127.0.0.1:${server.addr.port}`;
  const account = {
    project_id: "crm-1",
    client_email: "crm@crm-1.iam.gserviceaccount.com",
    private_key: pem,
    token_uri: `${url}/token`,
  };
  const fcm: Fcm = {
    env: { FCM_SERVICE_ACCOUNT: JSON.stringify(account), FCM_URL: url },
    account,
    url,
    pushes,
    asked,
    now: () => Date.now(),
    answer: () => null,
    forget: () => admitted.clear(),
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
  return fcm;
}

async function newKeys() {
  const pair = await crypto.subtle.generateKey(
    { ...algorithm, modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]) },
    true,
    ["sign", "verify"],
  );
  const der = new Uint8Array(await crypto.subtle.exportKey("pkcs8", pair.privateKey));
  const lines = der.toBase64().match(/.{1,64}/g)!.join("\n");
  return {
    verify: pair.publicKey,
    pem: `-----BEGIN PRIVATE KEY-----\n${lines}\n-----END PRIVATE KEY-----\n`,
  };
}

function bytes(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.fromBase64(text, { alphabet: "base64url" });
}
