import assert from "node:assert/strict";
import { makeToken } from "../../src/core/ids.ts";
import { openFile } from "../../src/platform/database/file.ts";
import { type Reply, send } from "../support/app.ts";
import { Browser } from "../support/browser.ts";
import { inFolder } from "../support/engines.ts";
import { makeBasicHeader } from "../support/oauth.ts";
import { type Server, startProcess } from "../support/process.ts";
import { serve } from "../support/service.ts";
import { kindsKnown, secretsIn } from "../support/secrets.ts";
import { startSmtp } from "../support/smtp.ts";

const bootstrap = { client_id: crypto.randomUUID(), client_secret: makeToken() };
const email = "ada@example.org";
/** Contains characters that JSON, forms and URLs escape. */
const password = 'pässword "4711" & so+on';
const redirect_uri = "https://shop.example.org/back";
/** Returns a new secret that nobody has, so it is wrong everywhere. */
const wrong = () => `wrong-${makeToken().slice(0, 20)}`;

/**
 * Every call checks that its error contains no secret sent so far. The log and output of the process are
 * checked at the end.
 */
Deno.test("no log line or error contains a secret, over every grant, page and mistake", () =>
  inFolder(async (folder) => {
    await using smtp = await startSmtp();
    const file = `${folder}/crm.db`;
    const server = await startProcess(serve, {
      DATABASE_URL: `file:${file}`,
      STORAGE_URL: `file:${folder}/files`,
      PORT: "0",
      LOG_LEVEL: "info",
      WEBHOOK_ALLOW_PRIVATE: "true",
      MAIL_URL: smtp.url,
      MAIL_FROM: "crm@example.org",
      BOOTSTRAP_CLIENT_ID: bootstrap.client_id,
      BOOTSTRAP_CLIENT_SECRET: bootstrap.client_secret,
    });
    try {
      const client = await ask(server, { grant_type: "client_credentials", ...bootstrap });
      const company = await foundCompany(server, client.body.access_token);
      const session = await grants(server, file);
      const shop = await application(server, session);
      await codes(server, shop);
      await mistakes(server, session, client.body.access_token, company);
      await passwords(
        server,
        session,
        client.body.access_token,
        company,
        () => smtp.mails.map(({ data }) => data),
      );
      await breaking(server, file, client.body.access_token);
    } finally {
      await server.kill();
    }
    const output = server.output();
    assert.deepEqual(secretsIn(output), []);
    assert.match(output, /"event":"internal_error".*"stack":/);
    assert.ok(output.split('"event":"request"').length > 60);
    for (
      const kind of [
        "access token",
        "basic credentials",
        "client_secret",
        "code",
        "code_verifier",
        "device_code",
        "form token",
        "password",
        "refresh_token",
        "session cookie",
        "verification_token",
      ]
    ) assert.ok(kindsKnown().has(kind), kind);
  }));

const ask = (server: Server, body: unknown, headers = {}) =>
  send(`${server.url}/auth/token`, "POST", null, body, headers);

async function expectStatus(status: number, call: Promise<Reply>): Promise<Reply> {
  const reply = await call;
  assert.equal(reply.status, status, reply.text);
  return reply;
}

/** Creates a company whose first user has the password. Returns the ids of the company and of the user. */
async function foundCompany({ url }: Server, token: string) {
  const user = { first_name: "Ada", last_name: "Byron", email, password };
  const { body } = await expectStatus(
    201,
    send(`${url}/v1/companies`, "POST", token, { name: "Nordlicht", user }),
  );
  return { company_id: body.id as number, user_id: body.user.id as number };
}

/** Uses the password grant, a refresh with a replay, and the device grant. Returns a valid token. */
async function grants(server: Server, file: string): Promise<string> {
  const sign = { grant_type: "password", username: email, ...bootstrap };
  await expectStatus(400, ask(server, { ...sign, password: wrong() }));
  const first = (await expectStatus(200, ask(server, { ...sign, password }))).body;
  const refresh = (refresh_token: string) =>
    ask(server, { grant_type: "refresh_token", ...bootstrap, refresh_token });
  const second = (await expectStatus(200, refresh(first.refresh_token))).body;
  for (let repeat = 0; repeat < 2; repeat++) await expectStatus(200, refresh(first.refresh_token));
  await expectStatus(400, refresh(first.refresh_token));
  await expectStatus(401, send(`${server.url}/v1/me`, "GET", second.access_token));
  const { access_token } = (await expectStatus(200, ask(server, { ...sign, password }))).body;

  const { client_id, client_secret } = bootstrap;
  const started =
    (await ask(server, { grant_type: "device_code" }, makeBasicHeader(client_id, client_secret))).body;
  const { device_code, user_code: code } = started;
  const poll = () => ask(server, { grant_type: "device_code", device_code, ...bootstrap });
  await expectStatus(400, poll());
  await expectStatus(
    422,
    send(`${server.url}/v1/device-activation`, "POST", access_token, { code: code - 1 }),
  );
  await expectStatus(204, send(`${server.url}/v1/device-activation`, "POST", access_token, { code }));
  await alterFile(file, "update device_codes set poll_at = 0, poll_interval = 0");
  await expectStatus(200, poll());
  await expectStatus(400, poll());
  return access_token;
}

/** Creates an application and renews its secret under an idempotency key. */
async function application({ url }: Server, session: string) {
  const key = { "Idempotency-Key": makeToken().slice(0, 20) };
  const { body } = await expectStatus(
    201,
    send(`${url}/v1/applications`, "POST", session, { name: "Shop", redirect_uri }, key),
  );
  await expectStatus(
    422,
    send(`${url}/v1/applications`, "POST", session, { name: "Other", redirect_uri }, key),
  );
  const { client_id } = body;
  const made = await expectStatus(200, send(`${url}/v1/applications/${client_id}/secret`, "POST", session));
  return { client_id: client_id as string, client_secret: made.body.client_secret as string };
}

/** Signs in on the pages, with a wrong and with the right password, consents, and redeems the code. */
async function codes(server: Server, shop: { client_id: string; client_secret: string }): Promise<void> {
  const verifier = makeToken();
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier));
  const code_challenge = btoa(String.fromCharCode(...new Uint8Array(digest)))
    .replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  const asked = { response_type: "code", client_id: shop.client_id, redirect_uri, code_challenge };
  const query = new URLSearchParams({ ...asked, code_challenge_method: "S256", state: "x" });
  const browser = new Browser(server.url);
  const page = await browser.get(`/auth/?${query}`);
  const refused = await browser.submit(page, "/auth/sign-in", { email, password: wrong() });
  assert.equal(refused.status, 422);
  assert.equal((await browser.post("/auth/sign-in", { email, password, token: wrong() })).status, 403);
  const consent = await browser.follow(await browser.submit(page, "/auth/sign-in", { email, password }));
  const sent = await browser.submit(consent, "/auth/consent", { decision: "allow" });
  const code = new URL(sent.headers.get("location")!).searchParams.get("code");
  const redeem = { grant_type: "authorization_code", ...shop, redirect_uri, code };
  const form = (fields: object) =>
    send(`${server.url}/auth/token`, "POST", null, String(new URLSearchParams({ ...fields })), {
      "Content-Type": "application/x-www-form-urlencoded",
    });
  await expectStatus(200, form({ ...redeem, code_verifier: verifier }));
  await expectStatus(400, form({ ...redeem, code_verifier: verifier }));
  await expectStatus(400, form({ ...redeem, code: makeToken(), code_verifier: makeToken() }));
  await browser.submit(await browser.get("/auth/sign-in"), "/auth/sign-out", {});
}

/** Sends secrets in broken, mistyped and misplaced bodies, addresses and headers. */
async function mistakes(
  server: Server,
  session: string,
  trusted: string,
  { company_id, user_id }: { company_id: number; user_id: number },
): Promise<void> {
  const { url } = server;
  const own = `${url}/v1/companies/${company_id}/users/${user_id}/password`;
  const statuses = new Set<number>();
  const expectRefusal = async (call: Promise<Reply>) => {
    const { status, text } = await call;
    assert.ok(status >= 400 && status < 500, `${status} ${text}`);
    statuses.add(status);
  };
  const secrets = () => [wrong(), `p4ß ${makeToken().slice(0, 12)}`, `${wrong()} in "quotes"`];
  for (const secret of secrets()) {
    const user = { first_name: "A", last_name: "B", email: "b@example.org" };
    const json = JSON.stringify(secret);
    for (
      const broken of [
        `{"password": ${json}`,
        `{"password": ${json},}`,
        `{"password" ${json}}`,
        `{"password": ${json.slice(0, -1)}\n"}`,
        `{"password": '${secret}'}`,
        json.slice(1, -1),
      ]
    ) {
      await expectRefusal(send(`${url}/v1/companies`, "POST", trusted, broken));
      await expectRefusal(send(own, "PUT", session, broken));
      await expectRefusal(ask(server, broken));
      await expectRefusal(send(own, "PUT", session, broken, { "Content-Type": "text/plain" }));
    }
    for (
      const given of [
        [secret],
        { secret },
        `${secret}\u0000`,
        `${secret}\ud800`,
        `${secret}${"x".repeat(5000)}`,
      ]
    ) {
      const founder = { ...user, email: "not an address", password: given };
      await expectRefusal(send(`${url}/v1/companies`, "POST", trusted, { name: 1, user: founder }));
      await expectRefusal(send(own, "PUT", session, { old_password: given, new_password: given }));
      await expectRefusal(
        send(`${url}/v1/companies/${company_id}/users`, "POST", session, { ...user, password: given, email }),
      );
      await expectRefusal(
        ask(server, { grant_type: "password", username: email, ...bootstrap, password: given }),
      );
      await expectRefusal(ask(server, { grant_type: given, ...bootstrap, client_secret: given }));
      const hook = { target_url: "no url", webhook_event: "no event", verification_token: given };
      await expectRefusal(send(`${url}/v1/webhooks`, "POST", session, hook));
    }
    await expectRefusal(send(own, "PUT", session, { old_password: secret, new_password: `${secret} new` }));
    await expectRefusal(
      send(own, "PUT", session, { old_password: password, new_password: secret.slice(0, 9) }),
    );
    await expectRefusal(
      ask(server, {
        grant_type: "client_credentials",
        client_id: bootstrap.client_id,
        client_secret: secret,
      }),
    );
  }
  const token = makeToken();
  for (const path of [`/v1/tokens/${token}`, `/v1/me/${token}`, `/${token}`, `/v1/companies/${token}`]) {
    for (const method of ["DELETE", "GET", "PATCH"]) await expectRefusal(send(url + path, method, session));
  }
  await expectRefusal(send(`${url}/v1/accounts?page=x&access_token=${token}`, "GET", session));
  await expectRefusal(send(`${url}/v1/me`, "GET", token));
  await expectRefusal(send(`${url}/v1/me`, "GET", null, undefined, makeBasicHeader("client", wrong())));
  await expectRefusal(send(`${url}/auth/?client_id=${token}&code=${token}`, "GET", null));
  assert.deepEqual([...statuses].toSorted(), [400, 401, 404, 405, 415, 422]);
  const target = `http://127.0.0.1:9/hook?token=${wrong()}`;
  const hook = {
    target_url: target,
    webhook_event: "team_created",
    verification_token: `whsec_${makeToken()}`,
  };
  await expectStatus(201, send(`${url}/v1/webhooks`, "POST", session, hook));
  await expectStatus(201, send(`${url}/v1/teams`, "POST", session, { name: "North" }));
}

/** Invites a user and resets and changes a password, with the tokens from the mails. */
async function passwords(
  { url }: Server,
  session: string,
  trusted: string,
  { company_id, user_id }: { company_id: number; user_id: number },
  mails: () => string[],
): Promise<void> {
  const guest = "grace@example.org";
  const invited = await expectStatus(
    201,
    send(`${url}/v1/companies/${company_id}/invitations`, "POST", session, { email: guest }),
  );
  const accept = (token: string, body: object) =>
    send(`${url}/v1/companies/${company_id}/users/${token}`, "POST", trusted, body);
  const person = { email: guest, first_name: "Grace", last_name: "Hopper", password: wrong() };
  await expectStatus(404, accept(makeToken(), person));
  await expectStatus(422, accept(invited.body.invite_token, { ...person, password: "sh0rt!pw" }));
  await expectStatus(201, accept(invited.body.invite_token, person));
  await expectStatus(404, accept(invited.body.invite_token, person));

  const own = `${url}/v1/companies/${company_id}/users/${user_id}/password`;
  await expectStatus(200, send(own, "PUT", session, { old_password: password, new_password: wrong() }));
  await expectStatus(204, send(`${url}/v1/reset-password`, "POST", trusted, { email }));
  while (!mails().some((mail) => mail.includes("reset-password"))) {
    await new Promise((done) => setTimeout(done, 50));
  }
  const mail = mails().find((each) => each.includes("reset-password"))!.replaceAll("=\r\n", "").replaceAll(
    "=3D",
    "=",
  );
  const token = /reset-password\?token=([\w-]{43})/.exec(mail)![1]!;
  const reset = (given: string, chosen: string) =>
    send(`${url}/v1/reset-password/verify/${given}`, "POST", trusted, { password: chosen });
  await expectStatus(404, reset(makeToken(), wrong()));
  await expectStatus(422, reset(token, "sh0rt!pw"));
  await expectStatus(200, reset(token, wrong()));
  await expectStatus(404, reset(token, wrong()));
}

/** Breaks the database: the log has the error, the answer does not. */
async function breaking(server: Server, file: string, trusted: string): Promise<void> {
  const browser = new Browser(server.url);
  const page = await browser.get("/auth/sign-in");
  await alterFile(file, "alter table users rename to lost_users");
  await expectStatus(
    500,
    ask(server, { grant_type: "password", username: email, ...bootstrap, password: wrong() }),
  );
  await expectStatus(500, send(`${server.url}/v1/reset-password`, "POST", trusted, { email }));
  assert.equal((await browser.submit(page, "/auth/sign-in", { email, password: wrong() })).status, 500);
}

async function alterFile(file: string, sql: string): Promise<void> {
  const db = openFile(file);
  await db.write([{ sql, args: [] }]);
  await db.close();
}
