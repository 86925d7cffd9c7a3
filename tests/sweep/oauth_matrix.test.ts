/** The operations of OAuth and its pages, by who calls: tables to be read and checked by people. */
import assert from "node:assert/strict";
import { authOperations } from "../../src/identity/auth/endpoints.ts";
import { send, startApp, type TestApp } from "../support/app.ts";
import { Browser } from "../support/browser.ts";
import { newClient, type TestClient, withPassword } from "../support/oauth.ts";
import { readMatrix } from "./matrix.ts";

/**
 * `none` sends no credentials; `wrong` sends those of the trusted client with another secret. `ordinary` and
 * `trusted` belong to a company and a user; `bootstrap` is trusted and belongs to neither. All other fields
 * of a grant are right and were issued to the client itself (to `trusted` for `none` and `wrong`).
 */
const clients = ["none", "wrong", "ordinary", "trusted", "bootstrap"] as const;
const clientMatrix = `
                                none wrong  ordinary trusted bootstrap
issueToken client_credentials    401   401       200     200       200
issueToken authorization_code    401   401       200     200       200
issueToken refresh_token         401   401       200     200       200
issueToken password              401   401       400     200       200
issueToken device_code           401   401       400     200       200
issueToken device_grant          401   401       400     200       200
authorizeDevice                  401   401       400     200       200
revokeToken own                  401   401       200     200       200
revokeToken other                401   401       400     400       400
`;

/**
 * `stranger` has not signed in, `person` has, and `outsider` is signed in for another company. `forged` is
 * the person, sending a form without its token. A redirect is 303. Links of mails are right, and providers of
 * single sign-on are not set up.
 */
const visitors = ["stranger", "person", "outsider", "forged"] as const;
const pageMatrix = `
                         stranger person outsider forged
authorize                     200    200      403    200
giveConsent                   303    303      403    403
getSignInPage                 200    200      200    200
signIn                        303    303      303    403
signOut                       303    303      303    403
getSignedOutPage              200    200      200    200
getDevicePage                 200    200      200    200
decideOnDevice                200    200      200    403
getForgotPasswordPage         200    200      200    200
forgotPassword                200    200      200    403
getResetPasswordPage          200    200      200    200
chooseNewPassword             200    200      200    403
getInvitationPage             200    200      200    200
joinByInvitation              303    303      303    403
getSsoPage                    200    200      200    200
signOn                        404    404      404    404
completeSignOn                404    404      404    404
getAuthorizationServer        200    200      200    200
getStyle                      200    200      200    200
getIcon                       200    200      200    200
`;

const redirect_uri = "https://shop.example.org/back";
const password = "correct horse battery";
type Fields = Record<string, string>;

Deno.test("every operation of OAuth and its pages has a line in a matrix", () => {
  const lines = [...readMatrix(clientMatrix, clients), ...readMatrix(pageMatrix, visitors)];
  const written = [...new Set(lines.map(({ operation }) => operation))];
  assert.deepEqual(
    written.sort(),
    authOperations.map(({ operationId }) => operationId!).sort(),
    "Say in the tables of tests/sweep/oauth_matrix.test.ts who may call them.",
  );
});

Deno.test("each grant and endpoint of OAuth answers each kind of client as the matrix says", async () => {
  await using app = await startApp();
  const world = await people(app);
  const wrong: string[] = [];
  for (const { operation, words: [word], expected, text } of readMatrix(clientMatrix, clients)) {
    // The counted failures of a row expire before the next one.
    app.clock.move(11 * 60_000);
    const actual: number[] = [];
    for (const who of clients) {
      const own = who === "none" || who === "wrong" ? world.clients.trusted : world.clients[who];
      const fields = word ? await makeFields(world, own)[word]!() : {};
      const credentials = who === "none"
        ? {}
        : who === "wrong"
        ? { ...own, client_secret: "not the secret of it" }
        : own;
      const path = authOperations.find(({ operationId }) => operationId === operation)!.path;
      const reply = await send(app.url + path, "POST", null, { ...fields, ...credentials });
      actual.push(reply.status);
      const trusted = who !== "ordinary" || reply.status !== 400 || operation === "revokeToken";
      if (!trusted) assert.equal(reply.body.error, "unauthorized_client", text);
      if (reply.status === 401) assert.equal(reply.body.error, "invalid_client", text);
    }
    if (actual.join() !== expected.join()) wrong.push(`${text}\n  was ${actual.join(" ")}`);
  }
  assert.equal(wrong.length, 0, `\n${clients.join(" ")}\n${wrong.join("\n")}\n`);
});

Deno.test("each page answers each kind of visitor as the matrix says", async () => {
  await using app = await startApp();
  const world = await people(app);
  const wrong: string[] = [];
  for (const { operation, expected, text } of readMatrix(pageMatrix, visitors)) {
    const { method, path } = authOperations.find(({ operationId }) => operationId === operation)!;
    const actual: number[] = [];
    for (const who of visitors) {
      const browser = new Browser(app.url);
      if (who !== "stranger") await signIn(browser, who === "outsider" ? world.outsider : world.email);
      const asked = `/auth/?${world.asking(world.clients.ordinary)}`;
      const link = await mailedLink(world, operation);
      // The path of a company's provider that is not set up.
      const at = path.replace("{company_id}", String(world.company.id)).replaceAll(/\{\w+\}/g, "nobody");
      if (method === "get") {
        const query = link && `?token=${link}`;
        actual.push((await browser.get(operation === "authorize" ? asked : at + query)).status);
        continue;
      }
      const token = /name="token" value="([^"]+)"/.exec((await browser.get("/auth/sign-in")).text)![1]!;
      const code = String(await world.company.deviceCode(world.next()));
      const name = { first_name: "Grace", last_name: "Hopper" };
      const form: Fields = {
        email: world.email,
        password,
        decision: "allow",
        code,
        next: asked,
        link,
        ...name,
      };
      if (who !== "forged") form.token = token;
      actual.push((await browser.post(at, form)).status);
    }
    if (actual.join() !== expected.join()) wrong.push(`${text}\n  was ${actual.join(" ")}`);
  }
  assert.equal(wrong.length, 0, `\n${visitors.join(" ")}\n${wrong.join("\n")}\n`);
});

type World = Awaited<ReturnType<typeof people>>;

async function people(app: TestApp) {
  const company = await app.company();
  const email = await withPassword(app, company.admin, password);
  const outsider = await withPassword(app, (await app.company("Other")).admin, password);
  const made = {
    ordinary: await newClient(app, false, company.admin),
    trusted: await newClient(app, true, company.admin),
    bootstrap: await newClient(app, true),
  };
  await app.deps.db.write([{ sql: "update applications set redirect_uri = ?", args: [redirect_uri] }]);
  let given = 0;
  return {
    app,
    company,
    /** Another user, because the admin's own token has ended with the new password. */
    member: await company.user(),
    email,
    outsider,
    clients: made,
    next: () => ++given,
    asking: ({ client_id }: TestClient) =>
      new URLSearchParams({ response_type: "code", client_id, redirect_uri }),
  };
}

/** Returns the token of the mail that links to the page; empty for pages without such a mail. */
async function mailedLink({ app, company, next }: World, operation: string): Promise<string> {
  if (/invitation/i.test(operation)) {
    const inviter = await company.user({ type: "admin" });
    const invited = { email: `invited-${next()}@example.org` };
    const { body } = await inviter.call("POST", `/v1/companies/${company.id}/invitations`, invited);
    return body.invite_token;
  }
  if (!/ResetPassword|NewPassword/.test(operation)) return "";
  // A new user each time, because each user gets only a few such mails an hour.
  const [row] = await app.sql("select email from users where id = ?", (await company.user()).id);
  await app.call(await app.trustedClient(), "POST", "/v1/reset-password", { email: row!.email });
  await app.idle();
  return /token=([\w-]{43})/.exec(app.mailer.sent.at(-1)!.text)![1]!;
}

async function signIn(browser: Browser, email: string): Promise<void> {
  const signed = await browser.submit(await browser.get("/auth/sign-in"), "/auth/sign-in", {
    email,
    password,
  });
  assert.equal(signed.status, 303, signed.text);
}

/** Returns the fields of each grant, without the client's credentials. */
function makeFields(world: World, client: TestClient): Record<string, () => Fields | Promise<Fields>> {
  const { app, email, member, clients: { ordinary, trusted } } = world;
  const ask = async (path: string, body: object, by: TestClient) => {
    const { body: answer } = await send(app.url + path, "POST", null, { ...body, ...by });
    return answer;
  };
  const createCode = async (): Promise<string> => {
    const browser = new Browser(app.url);
    await signIn(browser, email);
    const page = await browser.get(`/auth/?${world.asking(client)}`);
    const sent = await browser.submit(page, "/auth/consent", { decision: "allow" });
    return new URL(sent.headers.get("location")!).searchParams.get("code")!;
  };
  const createToken = async (by: TestClient): Promise<string> =>
    (await ask("/auth/token", { grant_type: "client_credentials" }, by)).access_token;
  return {
    client_credentials: () => ({ grant_type: "client_credentials" }),
    authorization_code: async () => ({
      grant_type: "authorization_code",
      redirect_uri,
      code: await createCode(),
    }),
    async refresh_token() {
      const grant = { grant_type: "authorization_code", redirect_uri, code: await createCode() };
      const { refresh_token } = await ask("/auth/token", grant, client);
      return { grant_type: "refresh_token", refresh_token };
    },
    password: () => ({ grant_type: "password", username: email, password }),
    device_code: () => ({ grant_type: "device_code" }),
    async device_grant() {
      // An ordinary client gets no device code, so it uses one of the trusted client.
      const { device_code, user_code, interval } = await ask(
        "/auth/device_authorization",
        {},
        client === ordinary ? trusted : client,
      );
      const allowed = await member.call("POST", "/v1/device-activation", { code: Number(user_code) });
      assert.equal(allowed.status, 204, allowed.text);
      app.clock.move(interval * 1000);
      return { grant_type: "urn:ietf:params:oauth:grant-type:device_code", device_code };
    },
    own: async () => ({ token: await createToken(client) }),
    other: async () => ({ token: await createToken(client === trusted ? ordinary : trusted) }),
  };
}
