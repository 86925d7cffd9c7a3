/**
 * A sequence of calls. Checks which indicators each call moves, by how much and for which user, and that no
 * other moves.
 */
import assert from "node:assert/strict";
import type { Actor, Body } from "../support/app.ts";

export type Values = Record<string, number | null>;
/** The user and the team that a figure counts for. */
export type Owner = readonly [user: number | null, team: number | null];

const since = "2026-01-01 00:00:00";

/** Returns the names of all indicators, with the kind of each. */
async function catalogue(by: Actor): Promise<ReadonlyMap<string, string>> {
  const { status, body, text } = await by.call("GET", "/v1/reports/indicators");
  assert.equal(status, 200, text);
  return new Map(body.data.map(({ name, kind }: Body) => [name, kind]));
}

/** Starts a journey. `clock` is the app's clock; `owner` is the default user and team of the figures. */
export async function startJourney(admin: Actor, clock: { now(): number }, owner: Owner) {
  const kinds = await catalogue(admin);
  const names = [...kinds.keys()].join(",");
  const ask = async (query: string): Promise<Body[]> => {
    const { status, body, text } = await admin.call(
      "GET",
      `/v1/reports/metrics?indicators=${names}&${query}`,
    );
    assert.equal(status, 200, text);
    return body.data;
  };
  const all = async (): Promise<Values> =>
    Object.fromEntries(
      (await ask(`group_by=&start_at=${since}`)).map(({ indicator, value }: Body) => [indicator, value]),
    );
  const isMean = (name: string) => ["mean", "rate"].includes(kinds.get(name)!);
  const subtract = (name: string, now: number | null, then: number | null) =>
    isMean(name) ? now : Number(now) - Number(then);
  /** Returns counts within a second and levels at its end, by indicator, user and team. */
  const readOwned = async (second: number): Promise<Map<string, number>> => {
    const text = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 19).replace("T", " ");
    const rows = await ask(`group_by=user,team&start_at=${text(second)}&end_at=${text(second + 1)}`);
    return new Map(
      rows.map(({ indicator, user_id, team_id, value }) => [
        JSON.stringify([indicator, user_id, team_id]),
        value,
      ]),
    );
  };
  let last = await all();
  return {
    /**
     * Makes a call and checks which indicators it moves. `expected`: for counts, sums and levels the
     * difference, for means and rates the new value. The differences must belong to this second and to the
     * journey's owner, or to the owner in `owners` by indicator, with `others` as the default. `owners` is
     * null if the figures belong to several owners or move with time.
     */
    async moves(
      call: string,
      expected: Values,
      run: () => Promise<{ status: number; text: string; body: Body }>,
      owners: Record<string, Owner> | null = {},
    ) {
      const begun = Math.floor(clock.now() / 1000);
      const before = await readOwned(begun);
      const { status, text, body } = await run();
      assert.ok(status < 300, `${call}: ${text}`);
      const now = await all();
      const changed = [...kinds.keys()].filter((name) => now[name] !== last[name]);
      assert.deepEqual(
        Object.fromEntries(
          changed.map((name) => [name, subtract(name, now[name]!, last[name]!)]),
        ),
        expected,
        call,
      );
      last = now;
      if (owners === null) return body;
      const after = await readOwned(begun);
      const differing = [...new Set([...before.keys(), ...after.keys()])]
        .filter((key) => {
          const [name] = JSON.parse(key);
          // A user who was active earlier is active in this second too.
          return !isMean(name) && (name !== "users.active" || expected[name] !== undefined);
        })
        .map((key) => [key, (after.get(key) ?? 0) - (before.get(key) ?? 0)])
        .filter(([, difference]) => difference !== 0);
      const counted = Object.entries(expected).filter(([name]) => !isMean(name))
        .map(([name, value]) => [JSON.stringify([name, ...owners[name] ?? owners.others ?? owner]), value]);
      assert.deepEqual(Object.fromEntries(differing), Object.fromEntries(counted), call);
      return body;
    },
  };
}
