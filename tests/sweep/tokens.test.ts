import assert from "node:assert/strict";
import { makeToken } from "../../src/core/ids.ts";
import { rights } from "../../src/core/rights.ts";
import { send } from "../support/app.ts";
import { fill } from "./place.ts";
import { assertProblem, endpoints, prepare, type Prepared, startApp, sweep, watchDatabase } from "./sweep.ts";
import { takeSample } from "../support/sample.ts";

Deno.test("a caller who may not call changes nothing", async (t) => {
  await using app = await startApp();
  const place = await fill(app);
  const { company, dealer, admin } = place.world;
  await using database = watchDatabase(app);
  // Refused calls use up nothing, so both steps send the same.
  const calls = new Map<string, Prepared>();
  await t.step(
    "without a token, or with a bad one, every endpoint is 401 and changes nothing",
    (t) =>
      sweep(t, takeSample(endpoints), app, async (endpoint, at) => {
        const call = await prepare(place, endpoint);
        calls.set(endpoint.declared.operation, call);
        database.changed();
        for (const token of [null, "x", makeToken()]) {
          const reply = await assertRefused(call, token, 401, at);
          const challenge = token === null ? "Bearer" : 'Bearer error="invalid_token"';
          assert.equal(reply.headers.get("www-authenticate"), challenge, at);
        }
      }),
  );
  const plain = await company.user({ teams: [dealer] });
  const plainTrusted = await company.token(plain.id, true);
  await t.step(
    "without the user, the trust or the right that it needs, every endpoint is 403 and changes nothing",
    (t) =>
      sweep(
        t,
        takeSample(endpoints),
        app,
        async ({ declared: { operation, right, trusted }, access }, at) => {
          const call = calls.get(operation)!;
          database.changed();
          const without = async (token: string, missing: RegExp) => {
            const reply = await assertRefused(call, token, 403, at);
            assert.match(reply.body.detail, missing, at);
          };
          if (access === "user") await without(place.trusted, /user/);
          if (access === "trusted" || trusted) await without(admin.token, /trusted/);
          if (right && !rights[right].default) {
            await without(trusted ? plainTrusted : plain.token, new RegExp(right.replace(".", "\\.")));
          }
        },
      ),
  );

  /** Sends the call of another caller. Checks that it is refused with the status and changes nothing. */
  async function assertRefused(
    { method, path, body }: Prepared,
    token: string | null,
    status: number,
    at: string,
  ) {
    const reply = await send(app.url + path, method, token, body);
    assert.equal(reply.status, status, `${at}: ${reply.text}`);
    assertProblem(reply, at);
    assert.equal(database.changed(), false, at);
    return reply;
  }
});
