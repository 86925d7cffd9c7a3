/** An independent model of visibility: teams, groups, users and records as plain facts. */
import fc from "../../support/properties.ts";

export type UserType = "admin" | "group_admin" | "team_admin" | "user";

/** A company to create. Teams, users and records are identified by their position in the lists. */
export interface Plan {
  readonly groups: number;
  /** The group of each team. */
  readonly teams: readonly (number | null)[];
  readonly users: readonly { readonly type: UserType; readonly teams: readonly number[]; agency: boolean }[];
  readonly accounts: readonly (Place & {
    readonly city: string;
    /** `values`: one bit for each custom field with a value. */
    readonly contacts: readonly (Place & { readonly values: number })[];
  })[];
  readonly cases: readonly (Place & { readonly of: number; readonly closed: boolean })[];
  readonly leads: readonly (Place & { readonly agency: number | null; readonly source: string })[];
  /** Notes on the case or contact at position `of`. */
  readonly notes: readonly { readonly on: "case" | "contact"; readonly of: number; readonly day: number }[];
  /** Custom fields of contacts: of the company, or of the team or group at position `of`. */
  readonly fields: readonly { readonly owner: "company" | "team" | "group"; readonly of: number }[];
  /** Filters, each saved by a user or by the first admin. `field` is the custom field in its condition. */
  readonly filters: readonly {
    readonly kind: "account" | "contact";
    readonly by: number | null;
    readonly day: number;
    readonly field: number | null;
  }[];
  readonly products: number;
  /** Changes of teams and memberships at the end. */
  readonly later: {
    readonly teams: readonly (number | null)[];
    readonly users: readonly (readonly number[])[];
  };
}

interface Place {
  readonly team: number | null;
  readonly user: number;
  readonly name: string;
  readonly day: number;
}

/** Generates a number below `count`, or null. */
const among = (count: number) => count === 0 ? fc.constant(null) : fc.option(fc.nat(count - 1), { freq: 3 });

export const plan: fc.Arbitrary<Plan> = fc.record({
  groups: fc.integer({ min: 1, max: 2 }),
  teamCount: fc.integer({ min: 2, max: 5 }),
  userCount: fc.integer({ min: 2, max: 4 }),
}).chain(({ groups, teamCount, userCount }) => {
  const teamsOfUser = fc.uniqueArray(fc.nat(teamCount - 1), { maxLength: 2 });
  const place = {
    team: among(teamCount),
    user: fc.nat(userCount - 1),
    name: fc.constantFrom("Ada", "Adam", "Bea", "Müller"),
    day: fc.nat(3),
  };
  const several = <T>(one: fc.Arbitrary<T>, maxLength: number) => fc.array(one, { minLength: 3, maxLength });
  const exactly = <T>(one: fc.Arbitrary<T>, length: number) =>
    fc.array(one, { minLength: length, maxLength: length });
  return fc.record({
    groups: fc.constant(groups),
    teams: exactly(among(groups), teamCount),
    users: exactly(
      fc.record({
        type: fc.constantFrom<UserType>("admin", "group_admin", "team_admin", "user", "user", "user"),
        teams: teamsOfUser,
        agency: fc.boolean(),
      }),
      userCount,
    ),
    accounts: several(
      fc.record({
        ...place,
        city: fc.constantFrom("Adelaide", "Wien"),
        contacts: fc.array(fc.record({ ...place, values: fc.nat(15) }), { maxLength: 2 }),
      }),
      8,
    ),
    cases: several(fc.record({ ...place, of: fc.nat(20), closed: fc.boolean() }), 6),
    leads: several(
      fc.record({ ...place, agency: among(teamCount), source: fc.constantFrom("site", "fair") }),
      8,
    ),
    notes: several(
      fc.record({ on: fc.constantFrom("case" as const, "contact" as const), of: fc.nat(20), day: fc.nat(3) }),
      8,
    ),
    fields: several(
      fc.record({
        owner: fc.constantFrom("company" as const, "team" as const, "group" as const),
        of: fc.nat(20),
      }),
      4,
    ),
    filters: several(
      fc.record({
        kind: fc.constantFrom("account" as const, "contact" as const, "contact" as const),
        by: fc.option(fc.nat(userCount - 1), { freq: 3 }),
        day: fc.nat(3),
        field: fc.option(fc.nat(20)),
      }),
      5,
    ),
    products: fc.integer({ min: 1, max: 3 }),
    later: fc.record({ teams: exactly(among(groups), teamCount), users: exactly(teamsOfUser, userCount) }),
  });
});

/** The user who calls. */
export interface Viewer {
  readonly id: number;
  readonly type: UserType;
  readonly teams: readonly number[];
  readonly agency: boolean;
}

/** The facts of a record that decide where lists show it. */
export interface Known {
  readonly id: string;
  readonly team: number | null;
  /** The agency's team of a lead; absent for other records. */
  readonly agency?: number | null;
  readonly user: number;
  /** Texts that search reads. */
  readonly texts: readonly string[];
  readonly status: string;
  readonly source?: string;
  /** The id of the case or contact of a note. */
  readonly on?: string;
  readonly created_at: string;
  /** Sort values, by the name of the sort. */
  readonly keys: Readonly<Record<string, string | number>>;
}

/** The group of each team. */
export type Groups = ReadonlyMap<number, number | null>;

/**
 * Users see shared records, records of their teams, and records of teams in the same groups. Admins see all.
 */
export function seesRecord(viewer: Viewer, record: Known, groups: Groups): boolean {
  if (viewer.type === "admin") return true;
  const { team, agency } = record;
  const nearby = team !== null &&
    viewer.teams.some((own) =>
      own === team || (groups.get(own) !== null && groups.get(own) === groups.get(team))
    );
  // Except for leads, records without a team are shared.
  if (agency === undefined) return team === null || nearby;
  return nearby || looksAfter(viewer, record);
}

/** With the right, users see the leads of their agency teams and those without one. Admins see all. */
export function looksAfter(viewer: Viewer, { agency }: Known): boolean {
  if (viewer.type === "admin") return true;
  return viewer.agency && (agency === null || (agency !== undefined && viewer.teams.includes(agency)));
}

/** A custom field of contacts. Every contact with a value in it has the same value, `word`. */
export interface KnownField {
  readonly id: string;
  readonly name: string;
  readonly team: number | null;
  readonly group: number | null;
  readonly word: string;
}

/**
 * Users see fields of the company, of their teams and of their groups, but not of other teams in these
 * groups.
 */
export function seesField(viewer: Viewer, { team, group }: KnownField, groups: Groups): boolean {
  if (viewer.type === "admin") return true;
  if (team !== null) return viewer.teams.includes(team);
  return group === null || viewer.teams.some((own) => groups.get(own) === group);
}

/** Returns true if every word of the query begins a word of the texts. */
export function matchesQuery(record: Known, query: string): boolean {
  const plain = (text: string) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  const words = record.texts.flatMap((text) => plain(text).split(/[^a-z0-9]+/));
  return plain(query).split(" ").every((start) => words.some((word) => word.startsWith(start)));
}
