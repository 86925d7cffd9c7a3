/** Generates histories: several companies under one clock, and their actions by rounds. */
import fc from "../../support/properties.ts";
import type { Milestone, Plan, TypePlan } from "./model.ts";

/** The caller. `right` chooses a caller who has the permission. */
type By = "right" | "admin" | "member0" | "member1" | "agent0" | "agent1";

/** The trial, on the lead at this position; `onward` chooses one of its possible moves. */
export interface Try {
  readonly what:
    | "create"
    | "onward"
    | "assign"
    | "accept"
    | "reject"
    | "call"
    | "act"
    | "decline"
    | "update"
    | "zone"
    | "retype"
    | "delete";
  readonly by: By;
  readonly lead: number;
  readonly team: number;
  readonly type: number;
  readonly flag: boolean;
  readonly zone: string;
  readonly plan: TypePlan;
  readonly milestone: Milestone;
  readonly expires: number | null;
  /** The server to call. */
  readonly via: 0 | 1;
}

export interface Round {
  /** Moves the clock by seconds, or to the end of the countdown at this position plus seconds. */
  readonly move: { readonly by: number } | { readonly due: number; readonly and: number };
  /** Job runners that run at the same time. With `killed`, one runner dies during its first moves. */
  readonly timers: "none" | "one" | "two" | "killed";
  /** The batch at which the killed runner dies: before the commit if even, after it if odd. */
  readonly death: number;
  /** The server that restarts before the round; null for none. */
  readonly restart: 0 | 1 | null;
}

export interface Histories {
  readonly start: number;
  readonly rounds: readonly Round[];
  /** The companies, with the simultaneous trials of each round. */
  readonly companies: readonly { readonly plan: Plan; readonly tries: readonly (readonly Try[])[] }[];
}

/** Time zones whose clocks change on a Sunday night, at midnight, on a weekday, by half an hour, or never. */
const zones = [
  "UTC",
  "Europe/Berlin",
  "America/New_York",
  "America/Havana",
  "America/Santiago",
  "Africa/Cairo",
  "Asia/Beirut",
  "Asia/Tokyo",
  "Asia/Kathmandu",
  "Australia/Lord_Howe",
  "Pacific/Auckland",
  "Pacific/Kiritimati",
];

/** Days before weekends on which clocks change somewhere, and other days. */
const starts = [
  "2026-03-06",
  "2026-03-27",
  "2026-04-03",
  "2026-04-23",
  "2026-07-01",
  "2026-09-04",
  "2026-10-02",
  "2026-10-23",
  "2026-10-29",
  "2026-12-31",
];

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

const minutes = fc.constantFrom(null, 1, 7, 60, 90, 600, 1440, 2880, 4321);
const typePlan: fc.Arbitrary<TypePlan> = fc.record({
  accept: minutes,
  activity: minutes,
  weekendsCount: fc.boolean(),
});
const plan: fc.Arbitrary<Plan> = fc.record({
  zones: fc.array(fc.constantFrom(...zones), { minLength: 2, maxLength: 2 }),
  grouped: fc.boolean(),
  types: fc.array(typePlan, { minLength: 2, maxLength: 2 }),
});

const trial: fc.Arbitrary<Try> = fc.record({
  what: fc.constantFrom(
    "create",
    ...Array<"onward">(8).fill("onward"),
    "assign",
    "accept",
    "accept",
    "reject",
    "call",
    "act",
    "decline",
    "update",
    "zone",
    "retype",
    "delete",
  ),
  by: fc.constantFrom(...Array<By>(9).fill("right"), "admin", "member0", "member1", "agent0", "agent1"),
  lead: fc.nat(3),
  team: fc.nat(1),
  type: fc.nat(1),
  flag: fc.boolean(),
  zone: fc.constantFrom(...zones),
  plan: typePlan,
  milestone: fc.constantFrom("Offer", "Offer", "Order", "Again"),
  expires: fc.constantFrom(...Array<null>(14).fill(null), 90 * minute, 2 * day),
  via: fc.constantFrom(0, 1),
});

const round: fc.Arbitrary<Round> = fc.record({
  move: fc.oneof(
    { weight: 5, arbitrary: fc.record({ due: fc.nat(99), and: fc.constantFrom(-1, 0, 0, 59) }) },
    {
      weight: 2,
      arbitrary: fc.record({
        by: fc.constantFrom(0, 1, minute, hour, 6 * hour, day, 3 * day, -hour, -2 * day),
      }),
    },
  ),
  timers: fc.constantFrom("none", "one", "one", "two", "two", "killed"),
  death: fc.nat(7),
  restart: fc.constantFrom(null, null, null, 0, 1),
});

const roundsOf = 12;

/** Generates histories. `companies` is the number of companies under one clock. */
export const makeHistories = (companies: number): fc.Arbitrary<Histories> =>
  fc.record({
    start: fc.tuple(fc.constantFrom(...starts), fc.nat(2 * day)).map(([date, seconds]) =>
      Date.parse(`${date}T00:00:00Z`) + seconds * 1000
    ),
    rounds: fc.array(round, { minLength: roundsOf, maxLength: roundsOf }),
    companies: fc.array(
      fc.record({
        plan,
        tries: fc.array(fc.array(trial, { maxLength: 3 }), { minLength: roundsOf, maxLength: roundsOf }),
      }),
      { minLength: companies, maxLength: companies },
    ),
  });
