/** Concurrent guesses: a right guess fails if ten wrong ones were counted after its read. */
import assert from "node:assert/strict";
import { createApp } from "../../src/app.ts";
import { readPeer } from "../../src/entry/peer.ts";
import { openFile } from "../../src/platform/database/file.ts";
import { type Reply, send, startApp, type TestApp } from "../support/app.ts";
import { Browser } from "../support/browser.ts";
import { newClient, withPassword } from "../support/oauth.ts";
import { overtakeReads } from "../support/race.ts";
import { invite, makePerson } from "./invited.ts";

const right = "correct horse battery";

/** Describes how to guess one secret. */
interface Guessing {
  /** Guesses at the service with this address; null: the right secret. */
  guess(url: string, wrong: string | null): Promise<{ readonly status: number }>;
  /** SQL for a value that a success changes. */
  readonly effect: string;
  /** The status of a wrong guess. */
  readonly wrong: number;
  /** The status of the right one. */
  readonly done: number;
}

async function withBearer(app: TestApp, token: string) {
  // The caller is cached then, so that the first read is the one that counts.
  await app.call(token, "GET", "/v1/me");
  return (url: string, method: string, path: string, body: unknown): Promise<Reply> =>
    send(url + path, method, token, body);
}

const doors: Readonly<Record<string, (app: TestApp) => Promise<Guessing>>> = {
  "passwords at the token endpoint": async (app) => {
    const { admin } = await app.company();
    const username = await withPassword(app, admin, right);
    const grant = { grant_type: "password", ...await newClient(app, true), username };
    return {
      guess: (url, wrong) => send(`${url}/auth/token`, "POST", null, { ...grant, password: wrong ?? right }),
      effect: "select count(*) as n from refresh_tokens",
      wrong: 400,
      done: 200,
    };
  },
  "passwords at the sign-in page": async (app) => {
    const { admin } = await app.company();
    const email = await withPassword(app, admin, right);
    return {
      async guess(url, wrong) {
        const browser = new Browser(url);
        const page = await new Browser(app.url).get("/auth/sign-in");
        browser.cookies.set("session", /session=([^;]*)/.exec(page.headers.get("set-cookie")!)![1]!);
        return await browser.submit(page, "/auth/sign-in", { email, password: wrong ?? right });
      },
      effect: "select count(*) as n from sessions",
      wrong: 422,
      done: 303,
    };
  },
  "secrets of clients": async (app) => {
    const { admin } = await app.company();
    const client = await newClient(app, false, admin);
    return {
      guess: (url, wrong) =>
        send(`${url}/auth/token`, "POST", null, {
          grant_type: "client_credentials",
          ...client,
          ...(wrong === null ? {} : { client_secret: wrong }),
        }),
      effect: "select count(*) as n from access_tokens",
      wrong: 401,
      done: 200,
    };
  },
  "old passwords": async (app) => {
    const { admin, token } = await app.company();
    await withPassword(app, admin, right);
    const call = await withBearer(app, await token(admin.id));
    const path = `/v1/companies/${admin.companyId}/users/${admin.id}/password`;
    return {
      guess: (url, wrong) =>
        call(url, "PUT", path, { old_password: wrong ?? right, new_password: "new horse battery" }),
      effect: `select password_hash as n from users where id = ${admin.id}`,
      wrong: 422,
      done: 200,
    };
  },
  "links for a new password": async (app) => {
    const { admin } = await app.company();
    const email = await withPassword(app, admin, right);
    const client = await app.trustedClient();
    await app.call(client, "POST", "/v1/reset-password", { email });
    await app.idle();
    const token = /token=([\w-]{43})$/m.exec(app.mailer.sent.at(-1)!.text)![1]!;
    const call = await withBearer(app, client);
    return {
      guess: (url, wrong) =>
        call(url, "POST", `/v1/reset-password/verify/${wrong ?? token}`, { password: "new horse battery" }),
      effect: `select password_hash as n from users where id = ${admin.id}`,
      wrong: 404,
      done: 200,
    };
  },
  "invitations": async (app) => {
    const company = await app.company();
    const somebody = makePerson();
    const { token } = await invite(company, { email: somebody.email });
    const call = await withBearer(app, await app.trustedClient());
    return {
      guess: (url, wrong) =>
        call(url, "POST", `/v1/companies/${company.id}/users/${wrong ?? token}`, somebody),
      effect: "select count(*) as n from users",
      wrong: 404,
      done: 201,
    };
  },
  "codes of devices": async (app) => {
    const company = await app.company();
    const code = await company.deviceCode(500);
    // The code stays valid for longer than the limit lasts.
    await app.deps.db.write([{
      sql: "update device_codes set expires_at = expires_at * 2, kept_until = kept_until * 2",
      args: [],
    }]);
    const call = await withBearer(app, company.admin.token);
    return {
      guess: (url, wrong) =>
        call(url, "POST", "/v1/device-activation", {
          code: wrong === null ? code : 20_000_000 + Number(wrong.slice(5)),
        }),
      effect: "select coalesce(max(user_id), 0) as n from device_codes",
      wrong: 422,
      done: 204,
    };
  },
};

for (const [what, door] of Object.entries(doors)) {
  Deno.test(`${what}: ten wrong guesses and the right one at once change nothing`, async () => {
    await using app = await startApp();
    const { guess, effect, wrong, done } = await door(app);
    const before = await app.sql(effect);
    const tenWrong = async () => {
      for (let n = 0; n < 10; n++) assert.equal((await guess(app.url, `wrong${n}`)).status, wrong);
    };
    assert.equal((await at(app, tenWrong, (url) => guess(url, null))).status, 429);
    assert.deepEqual(await app.sql(effect), before);
    app.clock.move(600_000);
    assert.equal((await guess(app.url, null)).status, done);
    assert.notDeepEqual(await app.sql(effect), before);
  });
}

/** Calls another process, and runs `meanwhile` after its first read. */
async function at<T>(
  app: TestApp,
  meanwhile: () => Promise<void>,
  call: (url: string) => Promise<T>,
): Promise<T> {
  const db = openFile(app.file);
  const { fetch } = createApp({ ...app.deps, db: overtakeReads(db, meanwhile) });
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    (request, info) => fetch(request, readPeer(info)),
  );
  try {
    return await call(`http://127.0.0.1:${server.addr.port}`);
  } finally {
    await server.shutdown();
    await app.idle();
    await db.close();
  }
}
