/** Records with each value that their members can have take their own answers, by everybody who may change them. */
import assert from "node:assert/strict";
import { type Right, rights } from "../../src/core/rights.ts";
import { listMembers, type Member, withMember } from "./member_values.ts";
import { endpoints, keptText, prepare, sendPrepared, startFilled, sweep } from "./sweep.ts";
import { isWhole, takeSample } from "../support/sample.ts";

const updates = endpoints.filter(({ declared }) =>
  declared.method === "put" && declared.operation !== "updateManagedFile" &&
  endpoints.some((other) => other.declared.method === "get" && other.declared.path === declared.path)
);

/** Rounds: in each, every member gets another of its values; in the last one null. */
const rounds = 5;

function valueIn(round: number, { values }: Member, place: number): unknown {
  return round === rounds - 1 ? null : values[(round + (round > 1 ? place : 0)) % values.length];
}

Deno.test("with any values of its members a record takes its own answer by everybody who may change it", async (t) => {
  await using filled = await startFilled();
  const { app, made: place } = filled;
  const { world: { company }, ids } = place;
  const document = (await app.call(null, "GET", "/openapi.json")).body;
  const all = Object.keys(rights) as Right[];
  const callers = await Promise.all([
    company.user({ type: "team_admin", teams: [ids.team_id], rights: all }),
    company.user({ type: "group_admin", teams: [ids.team_id], rights: all }),
    company.user({ teams: [ids.team_id], rights: all }),
    company.user({ teams: [ids.team_id] }),
  ]);
  let judged = 0;
  await sweep(t, takeSample(updates), app, async (endpoint, at) => {
    const { method, path } = endpoint.declared;
    const call = await prepare(place, endpoint);
    await sendPrepared(app.url, call);
    const put = (token: string, body: unknown) => sendPrepared(app.url, { ...call, token, body });
    const read = (token: string) => sendPrepared(app.url, { ...call, token, method: "GET", body: undefined });
    const members = listMembers(document, place, method, path, call.body);
    for (let round = 0; round < rounds; round++) {
      for (const [index, member] of members.entries()) {
        const value = valueIn(round, member, index);
        const alone = await put(call.token, withMember({}, member.keys, value));
        if (alone.status >= 300) await put(call.token, withMember(call.body, member.keys, value));
      }
      app.clock.move(60_000);
      for (const token of [call.token, ...callers.map((caller) => caller.token)]) {
        const [own, before] = [await read(token), await read(call.token)];
        if (own.status !== 200 || before.status !== 200) continue;
        const reply = await put(token, own.body);
        if (reply.status === 403 && token !== call.token) continue;
        assert.ok(reply.status < 300, `${at}: ${reply.text} for ${own.text}`);
        const after = await read(call.token);
        assert.equal(keptText(after.text), keptText(before.text), at);
        assert.equal(after.headers.get("etag"), before.headers.get("etag"), at);
        judged++;
      }
    }
  });
  console.log(`${judged} answers were sent back`);
  assert.ok(judged > (isWhole ? 300 : 0));
});
