/** Who may read and change a file: written from the rules alone, and importing nothing of the service. */

export interface Person {
  readonly id: number;
  readonly company: number;
  readonly type: "user" | "team_admin" | "group_admin" | "admin";
  readonly teams: readonly number[];
}

export interface Item {
  readonly company: number;
  readonly owner: number;
  readonly isPublic?: boolean;
  readonly permissions?: readonly {
    readonly type: "company" | "group" | "team";
    readonly value: number;
  }[];
  /** The owner of the root that the file is in. */
  readonly root?: {
    readonly belongs_to: "company" | "group" | "team" | "user";
    readonly id: number;
  };
  /** The teams of the records that it is attached to; `lead` has no shared ones. */
  readonly records?: readonly {
    readonly team: number | null;
    readonly isLead?: boolean;
  }[];
}

/** The group of each team of the company. */
export type Groups = ReadonlyMap<number, number>;

export function mayRead(person: Person, item: Item, groups: Groups): boolean {
  if (person.company !== item.company) return false;
  if (person.id === item.owner || item.isPublic) return true;
  if (
    item.permissions?.some(({ type, value }) => belongsTo(person, type, value, groups))
  ) return true;
  if (item.records?.some((record) => seesRecord(person, record, groups))) {
    return true;
  }
  const { root } = item;
  return root === undefined ? person.type === "admin" : readsRoot(person, root, groups);
}

/** Whether the person reads what is in a root of their company. */
export function readsRoot(
  person: Person,
  root: NonNullable<Item["root"]>,
  groups: Groups,
): boolean {
  if (root.belongs_to === "user") return root.id === person.id;
  return person.type === "admin" ||
    belongsTo(person, root.belongs_to, root.id, groups) ||
    mayWrite(person, root, groups);
}

export function mayChange(person: Person, item: Item, groups: Groups): boolean {
  if (!mayRead(person, item, groups)) return false;
  return person.id === item.owner || person.type === "admin" ||
    (item.root !== undefined && mayWrite(person, item.root, groups));
}

function belongsTo(
  person: Person,
  type: "company" | "group" | "team",
  value: number,
  groups: Groups,
): boolean {
  if (type === "company") return person.company === value;
  if (type === "team") return person.teams.includes(value);
  return person.teams.some((team) => groups.get(team) === value);
}

/** Whether the person changes what is in a root of their company. */
export function mayWrite(
  person: Person,
  root: NonNullable<Item["root"]>,
  groups: Groups,
): boolean {
  if (root.belongs_to === "user") return root.id === person.id;
  if (person.type === "admin") return true;
  const group = root.belongs_to === "group"
    ? root.id
    : root.belongs_to === "team"
    ? groups.get(root.id)
    : undefined;
  if (person.type === "group_admin" && group !== undefined) {
    return belongsTo(person, "group", group, groups);
  }
  return person.type === "team_admin" && root.belongs_to === "team" &&
    person.teams.includes(root.id);
}

/** A user sees records of own teams, of teams in the same group, and shared ones. Leads are never shared. */
function seesRecord(
  person: Person,
  { team, isLead = false }: {
    readonly team: number | null;
    readonly isLead?: boolean;
  },
  groups: Groups,
): boolean {
  if (person.type === "admin") return true;
  if (team === null) return !isLead;
  if (person.teams.includes(team)) return true;
  const group = groups.get(team);
  return group !== undefined &&
    person.teams.some((own) => groups.get(own) === group);
}
