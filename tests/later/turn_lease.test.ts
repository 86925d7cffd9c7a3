/** Runs of one process know what the others have in hand. */
import assert from "node:assert/strict";
import type { LineState } from "../../src/later/queue.ts";
import { TurnLease, type Turns } from "../../src/later/turn_lease.ts";
import type { Database } from "../../src/platform/database/database.ts";
import { pause } from "../../src/platform/pause.ts";

Deno.test("a claim names what is in hand of the turns that it reads, and a later run still leaves out all", () => {
  const taken: (readonly string[])[] = [];
  const turns: Turns<string> = {
    prefix: "turn:",
    ms: 10,
    mostNew: 10,
    getTurn: () => 1,
    getId: (task) => task,
    claim(claim) {
      taken.push(claim.taken);
      return [];
    },
    readClaimed: () => ({ held: new Set([1, 2]), due: [], isRefused: false }),
  };
  const db = {} as Database;
  const first = new TurnLease(turns, "first", db, {});
  const lines = new Map<number, LineState>([
    [1, { isBusy: true, capacity: 0, taken: ["hanging", "waiting"] }],
    [2, { isBusy: true, capacity: 3, taken: ["sent"] }],
  ]);
  first.claim(0, lines).read([]);
  const second = new TurnLease(turns, "second", db, {});
  second.claim(0, new Map());
  first.end();
  second.end();
  assert.deepEqual(taken, [["sent"], ["hanging", "waiting", "sent"]]);
});

Deno.test("what a run has in hand stays its own until it is recorded, also for longer than a lease", async () => {
  const taken: (readonly string[])[] = [];
  const turns: Turns<string> = {
    prefix: "turn:",
    ms: 10,
    mostNew: 10,
    getTurn: () => 1,
    getId: (task) => task,
    claim(claim) {
      taken.push(claim.taken);
      return [];
    },
    readClaimed: () => ({ held: new Set([1]), due: ["a", "b"], isRefused: false }),
  };
  const db = {} as Database;
  const none = new Map<number, LineState>();
  const first = new TurnLease(turns, "first", db, { turns: [1] });
  const second = new TurnLease(turns, "second", db, { turns: [1] });
  const claim = (lease: typeof first) => lease.claim(0, none);
  claim(first).read([]);
  await pause(20);
  claim(second);
  first.noteRecorded(["a"]);
  claim(second);
  first.end();
  claim(second);
  assert.deepEqual(taken, [[], ["a", "b"], ["b"], []]);
});
