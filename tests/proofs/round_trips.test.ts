import assert from "node:assert/strict";
import { createApp } from "../../src/app.ts";
import { encodeBody, RawBody, startApp, type TestApp } from "../support/app.ts";
import { firstBlock, isEventStream } from "../support/event_stream.ts";
import { farDatabase } from "../support/far.ts";
import { createAccount } from "../customers/filters_world.ts";
import { newClient, withPassword } from "../support/oauth.ts";
import { makeId, makeToken } from "../../src/core/ids.ts";
import { formatTimestamp } from "../../src/core/time.ts";
import { insert } from "../../src/db/statements.ts";
import { authorizationCodes } from "../../src/identity/auth/table.ts";
import { sha256 } from "../../src/platform/crypto.ts";
import { fill, type Place } from "../sweep/place.ts";
import { endpoints, isSuccess, prepare, type Prepared, repeatable, writes } from "../sweep/sweep.ts";
import { takeSample } from "../support/sample.ts";

/** The most round trips: a read queries the caller and the data, a write also commits. */
const mostToRead = 2;
const mostToWrite = 3;
/** Operations that write no record but announce an object that they store. */
const storing = ["previewTemplate", "getLetter"];
/** Operations that read a user, and then a record as that user. */
const asAnother = ["explainAccess"];

/** Milliseconds after which a caller of a remote database is no longer cached. */
const forgotten = 6_000;

/** Milliseconds of a remote round trip when time is measured: much more than the work of a call. */
const latency = 150;

const reads = endpoints.filter((endpoint) => !writes.includes(endpoint));

Deno.test("a read makes at most two round trips with an uncached caller", (t) =>
  farAway(async ({ place, trips }) => {
    for (const endpoint of takeSample(reads)) {
      await t.step(endpoint.declared.operation, async () => {
        const count = await trips(await prepare(place, endpoint), {});
        const isLonger = [...storing, ...asAnother].includes(endpoint.declared.operation);
        const most = isLonger ? mostToRead + 1 : mostToRead;
        assert.ok(count <= most, `${count} round trips`);
      });
    }
  }));

Deno.test("a page past the end of a list that conditions narrow makes at most two round trips", (t) =>
  farDatabase(async ({ hrana, env }) => {
    await using app = await startApp(env);
    const { admin, id } = await app.company();
    const lists = [
      `/v1/companies/${id}/users?search=ada`,
      "/v1/accounts?search=ada",
      "/v1/contacts?users=1",
      "/v1/notes?search=ada",
      "/v1/tasks?types=call",
      "/v1/leads?lead_sources=web",
      "/v1/leads/assignable?team_id=1",
    ];
    for (const list of lists) {
      await t.step(list, async () => {
        app.clock.move(forgotten);
        hrana.reset();
        const reply = await admin.call("GET", `${list}&page=9`);
        assert.equal(reply.status, 200, reply.text);
        assert.deepEqual(reply.body.data, []);
        assert.ok(hrana.roundTrips() <= mostToRead, `${hrana.roundTrips()} round trips`);
      });
    }
  }));

Deno.test("a write makes at most three round trips with an uncached caller, with and without a key", (t) =>
  farAway(async ({ place, trips }) => {
    for (const endpoint of takeSample(writes)) {
      await t.step(endpoint.declared.operation, async () => {
        const without = await trips(await prepare(place, endpoint), {});
        assert.ok(without <= mostToWrite, `${without} round trips`);
        const key = { "Idempotency-Key": `key-${place.next()}` };
        const call = await prepare(place, endpoint);
        const keyed = await trips(call, key);
        assert.ok(keyed <= mostToWrite, `${keyed} round trips with a key`);
        if (!repeatable.includes(endpoint)) return;
        const repeated = await trips(call, key);
        assert.ok(repeated <= mostToRead, `${repeated} round trips to repeat it`);
      });
    }
  }));

Deno.test("a cached caller saves one round trip", () =>
  farApp(async ({ app, trips }) => {
    const { admin } = await app.company();
    const { id } = await createAccount(admin, "Firm");
    const call: Prepared = { method: "GET", path: `/v1/accounts/${id}`, body: undefined, token: admin.token };
    assert.deepEqual([await trips(call, {}), await trips(call, {}, 0)], [2, 1]);
  }));

Deno.test("the check of a token makes one round trip, /me and the list of users two; a cached caller saves one", (t) =>
  farDatabase(async ({ hrana, env }) => {
    await using app = await startApp(env);
    const { admin, id } = await app.company();
    const calls: [string, string, number, number][] = [
      ["the check of a token", "/v1/accounts/none", 404, 1],
      ["me", "/v1/me", 200, 2],
      ["the list of users", `/v1/companies/${id}/users?search=ada&sort=-created_at`, 200, 2],
    ];
    for (const [what, path, status, most] of calls) {
      await t.step(what, async () => {
        for (const [later, trips] of [[forgotten, most], [0, most - 1]] as const) {
          const took: number[] = [];
          // The count shows the round trips. The time shows that the call waited for nothing else.
          const isFast = () => Math.min(...took) < (trips + 1) * latency;
          for (let turn = 0; turn < 9 && (turn < 2 || !isFast()); turn++) {
            app.clock.move(later);
            hrana.reset();
            const started = performance.now();
            assert.equal((await admin.call("GET", path)).status, status);
            took.push(performance.now() - started);
            assert.equal(hrana.roundTrips(), trips);
          }
          assert.ok(Math.min(...took) > trips * latency - 5 && isFast(), took.join(" "));
        }
      });
    }
  }, latency));

Deno.test("a token takes at most three round trips", (t) =>
  farApp(async ({ app, fetching }) => {
    const { admin } = await app.company();
    const password = "correct horse battery";
    const username = await withPassword(app, admin, password);
    const client = await newClient(app, true, admin);
    const ask = async (grant: Record<string, string>) => {
      const body = new URLSearchParams({ ...client, ...grant });
      const request = new Request("http://crm.test/auth/token", { method: "POST", body });
      const { count, text } = await fetching(request);
      assert.ok(count <= mostToWrite, `${count} round trips`);
      return JSON.parse(text);
    };
    await t.step("by client credentials", () => ask({ grant_type: "client_credentials" }));
    const { refresh_token } = await ask({ grant_type: "password", username, password });
    await t.step("by refresh token", () => ask({ grant_type: "refresh_token", refresh_token }));
    await t.step("by authorization code", async () => {
      const code = makeToken();
      const redirect_uri = "https://app.example.org/back";
      const now = app.clock.now();
      await app.deps.db.write([insert(authorizationCodes, {
        hash: sha256(code),
        client_id: client.client_id,
        user_id: admin.id,
        redirect_uri,
        family_id: makeId(now),
        expires_at: now + 60_000,
        kept_until: now + 60_000,
        created_at: formatTimestamp(now),
      })]);
      await ask({ grant_type: "authorization_code", code, redirect_uri });
    });
    await t.step("by device code", async () => {
      const grant_type = "urn:ietf:params:oauth:grant-type:device_code";
      const { device_code, user_code } = await ask({ grant_type: "device_code" });
      const letIn = "update device_codes set user_id = ? where user_code = ?";
      await app.deps.db.write([{ sql: letIn, args: [admin.id, user_code] }]);
      app.clock.move(5_000);
      await ask({ grant_type, device_code });
    });
  }));

interface Far {
  readonly app: TestApp;
  /** Makes the call, by default with an uncached caller, and counts the round trips. */
  trips(call: Prepared, headers: Record<string, string>, later?: number): Promise<number>;
  fetching(request: Request): Promise<{ count: number; text: string }>;
}

/** Serves an app with records of every kind. */
function farAway(use: (far: Far & { readonly place: Place }) => Promise<void>): Promise<void> {
  return farApp(async (far) => use({ ...far, place: await fill(far.app) }));
}

/** Serves an app without a company. */
function farApp(use: (far: Far) => Promise<void>): Promise<void> {
  return farDatabase(async ({ hrana, env }) => {
    await using app = await startApp(env);
    // Work after the answer also makes round trips, which the caller does not wait for.
    const served = createApp({
      ...app.deps,
      wakeDeliveries: () => {},
      wakeMails: () => {},
      wakeNotifications: () => {},
    });
    const fetching = async (request: Request) => {
      await app.idle();
      hrana.reset();
      const response = await served.fetch(request);
      const text = isEventStream(response) ? await firstBlock(response) : await response.text();
      assert.ok(isSuccess(response), `${request.method} ${request.url}: ${text}`);
      return { count: hrana.roundTrips(), text };
    };
    const trips: Far["trips"] = async (call, headers, later = forgotten) => {
      app.clock.move(later);
      return (await fetching(makeRequest(call, headers))).count;
    };
    await use({ app, trips, fetching });
  });
}

function makeRequest({ method, path, body, token }: Prepared, headers: Record<string, string>): Request {
  return new Request(`http://localhost${path}`, {
    method,
    headers: {
      ...headers,
      Authorization: `Bearer ${token}`,
      "Content-Type": body instanceof RawBody ? body.type : "application/json",
    },
    ...(body === undefined ? {} : { body: encodeBody(body) }),
  });
}
