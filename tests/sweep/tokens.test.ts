import assert from "node:assert/strict";
import { randomToken } from "../../src/core/ids.ts";
import { rights } from "../../src/core/rights.ts";
import { send } from "../support/app.ts";
import { fill } from "./place.ts";
import { assertProblem, endpoints, prepare, startApp, sweep, witness } from "./sweep.ts";

Deno.test("without a token, or with a bad one, every endpoint is 401 and changes nothing", async (t) => {
  await using app = await startApp();
  const place = await fill(app);
  await using database = witness(app);
  await sweep(t, endpoints, app, async (endpoint, at) => {
    const { method, path, body } = await prepare(place, endpoint);
    database.changed();
    for (const token of [null, "x", randomToken()]) {
      const reply = await send(app.url + path, method, token, body);
      assert.equal(reply.status, 401, at);
      assertProblem(reply, at);
      const challenge = token === null ? "Bearer" : 'Bearer error="invalid_token"';
      assert.equal(reply.headers.get("www-authenticate"), challenge, at);
      assert.equal(database.changed(), false, at);
    }
  });
});

Deno.test("without the user, the trust or the right that it needs, every endpoint is 403 and changes nothing", async (t) => {
  await using app = await startApp();
  const place = await fill(app);
  const { company, dealer } = place.world;
  const plain = await company.user({ teams: [dealer] });
  await using database = witness(app);
  await sweep(t, endpoints, app, async (endpoint, at) => {
    const { method, path, body } = await prepare(place, endpoint);
    database.changed();
    const refused = async (token: string, missing: RegExp) => {
      const reply = await send(app.url + path, method, token, body);
      assert.equal(reply.status, 403, `${at}: ${reply.text}`);
      assertProblem(reply, at);
      assert.match(reply.body.detail, missing, at);
      assert.equal(database.changed(), false, at);
    };
    const { declared: { right, trusted }, access } = endpoint;
    if (access === "user") await refused(place.trusted, /user/);
    if (access === "trusted" || trusted) await refused(place.world.admin.token, /trusted/);
    if (right && !rights[right].default) {
      const token = trusted ? await company.token(plain.id, true) : plain.token;
      database.changed();
      await refused(token, new RegExp(right.replace(".", "\\.")));
    }
  });
});
