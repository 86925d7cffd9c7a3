import assert from "node:assert/strict";
import {
  activityFlags,
  customerFlags,
  type FactKind,
  factKinds,
  inTime,
  mentionsOther,
} from "../../src/core/fact_kinds.ts";
import { badgeNames, badgeSizes } from "../../src/insight/gamification/badges.ts";
import { type Achievement, makePlayer, play, type Player } from "../../src/insight/gamification/player.ts";
import fc from "../support/properties.ts";
import { type Deed, evaluate } from "./model/game.ts";

const kinds: readonly FactKind[] = [
  "account",
  "contact",
  "contact_complete",
  "lead_accepted",
  "lead_accepted",
  "lead_escalated",
  "case_closed",
  "task_completed",
  "note",
  "mention",
  "filter_saved",
  "notification_sent",
  "case_created",
  ...Array<FactKind>(9).fill("activity"),
];

const day = 86_400;
/** Games of 260 days from here include both clock changes in Europe and America. */
const first = Date.UTC(2026, 1, 20) / 1000;

/**
 * Parameters of a game: the number of days of its deeds, and how many of a thousand tasks and leads break a
 * row.
 */
const games = fc.record({ days: fc.constantFrom(3, 30, 60, 260), broken: fc.constantFrom(5, 400) })
  .chain(({ days, broken }) => {
    const deed = fc.record({
      kind: fc.constantFrom(...kinds),
      at: fc.integer({ min: first, max: first + days * day }),
      zone: fc.constantFrom(
        "UTC",
        "Europe/Berlin",
        "America/New_York",
        "Pacific/Kiritimati",
        "Asia/Kathmandu",
      ),
      record: fc.integer({ min: 0, max: 60 }).map(String),
      luck: fc.integer({ min: 0, max: 999 }),
      channel: fc.constantFrom("email", "phone", "letter", "meeting", "chat", null),
      seconds: fc.constantFrom(0, 299, 300, 301, 700, 900, 1_200),
    });
    return fc.array(deed, { minLength: 300, maxLength: 1_200, size: "max" }).map((deeds) =>
      deeds.map(({ luck, ...more }, index): Deed => ({
        ...more,
        kind: more.kind === "lead_escalated" && luck >= broken ? "lead_accepted" : more.kind,
        special: luck >= broken,
        recorded: first + 400 * day + index,
      }))
    );
  });

function combineFlags({ kind, special, channel }: Deed): number {
  switch (kind) {
    case "account":
    case "contact":
      return customerFlags.created;
    case "activity":
      return (special ? activityFlags.milestone : 0) | (channel === null ? 0 : activityFlags[channel]);
    case "task_completed":
      return special ? inTime : 0;
    case "mention":
      return special ? mentionsOther : 0;
    default:
      return 0;
  }
}

/** Plays the deeds with a player that is sometimes stored and read back. */
function playDeeds(deeds: readonly Deed[]): { player: Player; achievements: readonly Achievement[] } {
  let player = makePlayer();
  const before = new Set<string>();
  const achievements = deeds.flatMap((deed, index) => {
    const kind = factKinds[deed.kind as FactKind];
    const name = `${kind} ${deed.record}`;
    const repeats = before.has(name) ? 1 : 0;
    before.add(name);
    if (index % 97 === 0) player = JSON.parse(JSON.stringify(player));
    const { at, recorded: recorded_at, zone, seconds: value } = deed;
    const fact = { seq: index + 1, kind, at, recorded_at, zone, value, repeats, escalated: 0 };
    return play(player, { ...fact, flags: combineFlags(deed) });
  });
  return { player, achievements };
}

Deno.test("random games come to the points, badges and levels of an independent evaluator", () => {
  fc.assert(
    fc.property(games, (deeds) => {
      const expected = evaluate(deeds);
      const { player, achievements } = playDeeds(deeds);
      assert.equal(player.points, expected.points);
      assert.deepEqual(player.achieved, expected.achieved);
      for (const badge of badgeNames) {
        if (expected.achieved[badge] !== undefined) continue;
        const done = expected.progress[badge];
        assert.equal(player.done[badge] ?? 0, done, `${badge} of ${badgeSizes[badge]}`);
      }
      const levels = achievements.flatMap((each) => each.type === "new_level" ? [[each.level, each.at]] : []);
      assert.deepEqual(levels, expected.levels);
    }),
    { numRuns: 20, endOnFailure: true },
  );
});
