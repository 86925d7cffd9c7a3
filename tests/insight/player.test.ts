import assert from "node:assert/strict";
import {
  activityFlags,
  customerFlags,
  type FactKind,
  factKinds,
  inTime,
  mentionsOther,
} from "../../src/core/fact_kinds.ts";
import { type BadgeName, badgeNames, badgeSizes } from "../../src/insight/gamification/badges.ts";
import { computeThreshold, findLevel } from "../../src/insight/gamification/levels.ts";
import { type Fact, makePlayer, play, type Player } from "../../src/insight/gamification/player.ts";

/** A Monday at 12:00 UTC, epoch seconds. */
const monday = Date.UTC(2026, 2, 2, 12) / 1000;
const day = 86_400;

type Given = Partial<Omit<Fact, "kind">> & { readonly kind: FactKind };

/** Returns a player after these facts in this order. A number repeats a fact. */
function playFacts(...facts: readonly (Given | readonly [number, Given])[]): Player {
  const player = makePlayer();
  let seq = 0;
  for (const given of facts) {
    const [times, fact] = "kind" in given ? [1, given] : given;
    for (let n = 0; n < times; n++) {
      play(player, {
        at: monday,
        recorded_at: monday,
        zone: null,
        flags: 0,
        value: null,
        repeats: 0,
        escalated: 0,
        ...fact,
        seq: ++seq,
        kind: factKinds[fact.kind],
      });
    }
  }
  return player;
}

const has = (player: Player, badge: BadgeName) => player.achieved[badge] !== undefined;
const activity = (more: Partial<Omit<Fact, "kind">> = {}): Given => ({ kind: "activity", ...more });

Deno.test("levels begin at 50·n·(n−1) points", () => {
  assert.deepEqual([1, 2, 3, 4].map(computeThreshold), [0, 100, 300, 600]);
  for (let level = 1; level < 2_000; level++) {
    assert.deepEqual([findLevel(computeThreshold(level)), findLevel(computeThreshold(level + 1) - 1)], [
      level,
      level,
    ]);
  }
});

Deno.test("points by fact: each pays as it says, deletions and repeats pay nothing", () => {
  const points = (kind: FactKind, more: Partial<Omit<Fact, "kind">> = {}) =>
    playFacts({ kind, ...more }).points;
  assert.deepEqual({
    account: points("account", { flags: customerFlags.created }),
    moved: points("account"),
    deleted: points("contact", { flags: customerFlags.deleted }),
    contact: points("contact", { flags: customerFlags.created }),
    activity: points("activity"),
    milestone: points("activity", { flags: activityFlags.milestone }),
    accepted: points("lead_accepted"),
    closed: points("case_closed"),
    closedAgain: points("case_closed", { repeats: 1 }),
    inTime: points("task_completed", { flags: inTime }),
    inTimeAgain: points("task_completed", { flags: inTime, repeats: 1 }),
    late: points("task_completed"),
    note: points("note"),
    mention: points("mention", { flags: mentionsOther }),
  }, {
    account: 5,
    moved: 0,
    deleted: 0,
    contact: 5,
    activity: 5,
    milestone: 15,
    accepted: 15,
    closed: 50,
    closedAgain: 0,
    inTime: 5,
    inTimeAgain: 0,
    late: 0,
    note: 1,
    mention: 0,
  });
});

/** For each badge a fact that counts for it. The badge takes `badgeSizes` of them, and not one less. */
const counted: readonly [BadgeName, Given][] = [
  ["nice_and_tidy", { kind: "contact_complete" }],
  ["clean_sheet", { kind: "task_completed", flags: inTime }],
  ["the_communicator", activity({ flags: activityFlags.chat })],
  ["the_fast_and_furious", { kind: "lead_accepted", value: 300 }],
  ["the_seller", { kind: "case_closed" }],
  ["the_helper", { kind: "mention", flags: mentionsOther }],
  ["the_notifier", { kind: "notification_sent" }],
  ["the_fisherman", { kind: "lead_accepted" }],
  ["the_hard_worker", activity()],
  ["the_workaholic", activity()],
  ["the_off_duty_performer", activity({ at: monday + 5 * day })],
  ["lead_commander", { kind: "lead_accepted" }],
];

for (const [badge, fact] of counted) {
  Deno.test(`${badge} takes ${badgeSizes[badge]}, pays 100 points and stays`, () => {
    const before = playFacts([badgeSizes[badge] - 1, fact]);
    const after = playFacts([badgeSizes[badge], fact]);
    assert.deepEqual([has(before, badge), has(after, badge)], [false, true]);
    assert.ok(after.points >= before.points + 100);
    assert.ok(
      has(
        playFacts([badgeSizes[badge], fact], { kind: "task_completed" }, { kind: "lead_escalated" }),
        badge,
      ),
    );
  });
}

Deno.test("facts that a badge does not count", () => {
  const done = (badge: BadgeName, ...facts: Given[]) => playFacts(...facts).done[badge] ?? 0;
  assert.equal(done("the_communicator", activity({ flags: activityFlags.meeting }), activity()), 0);
  assert.equal(
    done("the_fast_and_furious", { kind: "lead_accepted", value: 301 }, { kind: "lead_accepted" }),
    0,
  );
  assert.equal(done("the_helper", { kind: "mention" }), 0);
  assert.equal(done("the_seller", { kind: "case_closed", repeats: 1 }), 0);
  assert.equal(done("the_off_duty_performer", activity(), activity({ at: monday + 4 * day })), 0);
  assert.equal(done("lead_commander", { kind: "lead_accepted", escalated: 1 }), 0);
});

Deno.test("a late task ends the row of clean_sheet, and an escalation that of lead_commander", () => {
  const good: Given = { kind: "task_completed", flags: inTime };
  const tasks = playFacts([24, good], { kind: "task_completed" }, [24, good]);
  assert.deepEqual([has(tasks, "clean_sheet"), tasks.done.clean_sheet], [false, 24]);
  const accepted: Given = { kind: "lead_accepted" };
  const leads = playFacts([49, accepted], { kind: "lead_escalated" }, [49, accepted]);
  assert.deepEqual([has(leads, "lead_commander"), leads.done.lead_commander], [false, 49]);
});

Deno.test("the_consistent takes 20 days from Monday to Friday in a row; filling in later counts, weekends do not", () => {
  const workdays = Array.from({ length: 20 }, (_, n) => monday + (Math.floor(n / 5) * 7 + n % 5) * day);
  const acts = (days: readonly number[]) => playFacts(...days.map((at) => activity({ at })));
  assert.ok(has(acts(workdays), "the_consistent"));
  assert.ok(has(acts([...workdays.slice(0, 9), ...workdays.slice(10), workdays[9]!]), "the_consistent"));
  const gap = acts([...workdays.slice(0, 9), ...workdays.slice(10), monday + 5 * day]);
  assert.deepEqual([has(gap, "the_consistent"), gap.done.the_consistent], [false, 10]);
});

Deno.test("the_early_bird takes 10 days with an activity before 08:00 of the user's own clock", () => {
  const at = (n: number, hours: number, zone: string | null) =>
    activity({ at: monday - 12 * 3600 + n * day + hours * 3600, zone });
  const days = (hours: number, zone: string | null) =>
    playFacts(...Array.from({ length: 10 }, (_, n) => at(n, hours, zone)));
  assert.ok(has(days(7.99, null), "the_early_bird"));
  assert.ok(!has(days(8, null), "the_early_bird"));
  assert.ok(has(days(8, "America/New_York"), "the_early_bird"));
  assert.ok(!has(days(7, "Europe/Berlin"), "the_early_bird"));
  assert.equal(playFacts([10, at(0, 7, null)]).done.the_early_bird, 1);
});

Deno.test("the_explorer takes one of each", () => {
  const kinds: Given[] = [
    { kind: "contact", flags: customerFlags.created },
    activity(),
    { kind: "note" },
    { kind: "task_completed" },
    { kind: "filter_saved" },
    { kind: "notification_sent" },
  ];
  assert.ok(has(playFacts(...kinds), "the_explorer"));
  for (const left of kinds) {
    assert.ok(
      !has(
        playFacts(
          ...kinds.filter((each) => each !== left),
          ...kinds.slice(0, 1).filter((k) => k !== left),
        ),
        "the_explorer",
      ),
    );
  }
});

Deno.test("a fact counts once, and each level is announced once, in order", () => {
  const player = makePlayer();
  const fact = (seq: number): Fact => ({
    seq,
    kind: factKinds.case_closed,
    at: monday,
    recorded_at: monday + seq,
    zone: null,
    flags: 0,
    value: null,
    repeats: 0,
    escalated: 0,
  });
  const levels: number[] = [];
  for (let seq = 1; seq <= 40; seq++) {
    for (const achievement of [...play(player, fact(seq)), ...play(player, fact(seq))]) {
      if (achievement.type === "new_level") levels.push(achievement.level);
    }
  }
  assert.equal(player.points, 40 * 50 + 100);
  assert.deepEqual(levels, Array.from({ length: findLevel(player.points) - 1 }, (_, n) => n + 2));
  assert.equal(player.achieved.the_seller, monday + 10);
});

Deno.test("a player who is stored and read again goes on alike", () => {
  const facts: Given[] = badgeNames.flatMap((_, n) => [
    activity({ at: monday + n * day, flags: activityFlags.phone }),
    { kind: "lead_accepted", value: n },
    { kind: "task_completed", flags: n % 4 ? inTime : 0 },
  ]);
  const [whole, parts] = [makePlayer(), { player: makePlayer() }];
  facts.forEach((given, index) => {
    const fact: Fact = {
      at: monday,
      recorded_at: monday,
      zone: "Europe/Berlin",
      flags: 0,
      value: null,
      repeats: 0,
      escalated: 0,
      ...given,
      seq: index + 1,
      kind: factKinds[given.kind],
    };
    play(whole, fact);
    parts.player = JSON.parse(JSON.stringify(parts.player));
    play(parts.player, fact);
  });
  assert.deepEqual(parts.player, whole);
});
