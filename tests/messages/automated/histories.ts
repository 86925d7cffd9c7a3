/** Generated histories: the actions of users on cases and definitions, and the pauses between them. */
import fc from "../../support/properties.ts";

const zones = ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Beirut", "UTC"] as const;

/** Days before the clocks of a zone change, and an ordinary one. */
const scenes = [
  { start: "2026-03-06", zone: "America/New_York" },
  { start: "2026-03-27", zone: "Europe/Berlin" },
  { start: "2026-03-26", zone: "Asia/Beirut" },
  { start: "2026-04-02", zone: "Australia/Lord_Howe" },
  { start: "2026-10-01", zone: "Australia/Lord_Howe" },
  { start: "2026-10-23", zone: "Europe/Berlin" },
  { start: "2026-10-22", zone: "Asia/Beirut" },
  { start: "2026-10-30", zone: "America/New_York" },
  { start: "2026-06-10", zone: "UTC" },
] as const;

/** Selects the case, definition and so on of a deed: taken modulo their number. */
const one = fc.nat(7);
const types = fc.uniqueArray(
  fc.constantFrom("Drive", "Talk", "Call", "Sold", "Lost", "Again", "Drive", "Talk"),
  { minLength: 1, maxLength: 2 },
);
const delay = fc.record({
  days: fc.integer({ min: 1, max: 3 }),
  offset: fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(0, 3_600, 5_400, 7_200, 9_000, 86_400) },
    { weight: 1, arbitrary: fc.integer({ min: 0, max: 86_400 }) },
  ),
});

const deed = fc.oneof(
  { weight: 18, arbitrary: fc.record({ kind: fc.constant("act" as const), one, types, back: fc.nat(4) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("decline" as const), one }) },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant("consent" as const),
      one,
      given: fc.constantFrom(true, true, false),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("address" as const),
      one,
      email: fc.constantFrom(null, "a@example.org", "A@example.org", "b@example.org"),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("ask" as const), asks: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("edit" as const), one, delay }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("drop" as const), one }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("delete definition" as const), one }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("cancel" as const), one }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("team" as const), one, team: fc.nat(3) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("delete case" as const), one }) },
);

export type Deed = typeof deed extends fc.Arbitrary<infer T> ? T : never;

export const history = fc.record({
  scene: fc.constantFrom(...scenes),
  /** The time zones of three teams; null: the company's zone. */
  teams: fc.array(fc.constantFrom(null, ...zones), { minLength: 3, maxLength: 3 }),
  delays: fc.array(delay, { minLength: 3, maxLength: 3 }),
  steps: fc.array(
    fc.record({
      deed,
      /** Minutes until the next step. */
      wait: fc.oneof(fc.constant(0), fc.nat(120), fc.nat(2_500)),
      /** Whether no job runs meanwhile. */
      paused: fc.constantFrom(false, false, false, true),
    }),
    { minLength: 15, maxLength: 30 },
  ),
});

export type History = typeof history extends fc.Arbitrary<infer T> ? T : never;
