/** The answers of reports, computed from a history one happening at a time. */
import type { Happening, History, Properties } from "./history.ts";
import { type Indicator, indicators, type Property } from "./indicators.ts";
import type { Span } from "./intervals.ts";

export interface Caller {
  readonly isAdmin: boolean;
  readonly isAgency: boolean;
  readonly teams: readonly number[];
}
export type Filters = Readonly<Partial<Record<Property, readonly (string | number)[]>>> & {
  readonly fromLead?: boolean;
};
export interface Question {
  readonly caller: Caller;
  readonly by: readonly Property[];
  readonly filters: Filters;
}
/** The company, with its teams as they are now. */
export interface Company {
  readonly id: number;
  /** The group of each existing team. */
  readonly groups: ReadonlyMap<number, number | null>;
}
type Ids = readonly (string | number | null)[];
/** Values by the ids of their groups; a key is a JSON array of ids. */
export type Figures = Map<string, number | null>;

/** Returns the figures of a span. An indicator that is not split has at least one group. */
export function evaluateFigures(
  history: History,
  company: Company,
  name: string,
  { start, end }: Span,
  question: Question,
): Figures {
  const indicator = indicators.get(name)!;
  const groups = new Map<string, Happening[]>();
  const known = selectCounted(history, name, indicator, { start, end });
  for (const happening of known) {
    if (!mayCount(company, indicator, happening.of, question.caller)) continue;
    for (const ids of listGroups(company, name, indicator, happening.of, question)) {
      const key = JSON.stringify(ids);
      groups.set(key, [...groups.get(key) ?? [], happening]);
    }
  }
  if (!isSplit(name, question.by) && groups.size === 0) {
    groups.set(JSON.stringify(question.by.map((by) => by === "company" ? company.id : null)), []);
  }
  return new Map(
    [...groups].map(([key, happenings]) => [key, computeValue(name, indicator, happenings, end)]),
  );
}

/** Whether a grouping by these properties splits the indicator. */
export function isSplit(name: string, by: readonly Property[]): boolean {
  return by.some((property) => property !== "company" && indicators.get(name)!.has.has(property));
}

/** Returns the happenings that the indicator counts. */
function selectCounted(
  history: History,
  name: string,
  { kind }: Indicator,
  { start, end }: Span,
): Happening[] {
  if (name.endsWith(".deleted.total")) {
    const deleted = name.replace(".total", "");
    return history.happened.filter(({ indicator, at }) => indicator === deleted && at < end);
  }
  if (kind === "level") {
    return history.lives.flatMap((life) => {
      const standing = life.at(end);
      const value = standing?.levels[name];
      return standing && value ? [{ indicator: name, at: end, value, of: standing.of }] : [];
    });
  }
  const names = name === "cases.success_rate" ? ["cases.closed", "cases.declined"] : [name];
  return history.happened.filter(({ indicator, at }) => names.includes(indicator) && at >= start && at < end);
}

function mayCount(company: Company, indicator: Indicator, of: Properties, caller: Caller): boolean {
  if (caller.isAdmin || indicator.isPublic) return true;
  const isOfAgency = of.agency === null || caller.teams.includes(of.agency!);
  if (indicator.isOfLeads && caller.isAgency && isOfAgency) return true;
  if (of.team !== null) {
    const group = company.groups.get(of.team) ?? null;
    return caller.teams.some((team) =>
      team === of.team || (group !== null && company.groups.get(team) === group)
    );
  }
  return !indicator.isOfLeads;
}

/** The groups that something belongs to: several where it has several products, types or teams. */
function listGroups(
  company: Company,
  name: string,
  indicator: Indicator,
  of: Properties,
  { by, filters }: Question,
): Ids[] {
  const { fromLead, ...lists } = filters;
  if (fromLead !== undefined && (!indicator.has.has("lead_type") || (of.fromLead ?? false) !== fromLead)) {
    return [];
  }
  const properties = Object.keys(lists) as Property[];
  if (properties.some((property) => !indicator.has.has(property))) return [];
  // Grouping by team leaves out users without a team.
  const isByTeam = [...by, ...properties].some((property) => property === "team" || property === "group");
  if (name === "users.total" && isByTeam && of.teams!.length === 0) return [];
  // A user's team and the group of this team belong together.
  const teams = of.teams ? (of.teams.length > 0 ? of.teams : [null]) : [of.team];
  const found = new Map<string, Ids>();
  for (const team of teams) {
    const values = (property: Property) => listValues(company, name, { ...of, team }, property);
    const matching = properties.every((property) =>
      values(property).some((value) => value !== null && lists[property]!.includes(value))
    );
    if (!matching) continue;
    let all: Ids[] = [[]];
    for (const property of by) {
      let here: Ids = indicator.has.has(property) ? values(property) : [null];
      const asked = lists[property];
      if (asked) here = here.filter((value) => value !== null && asked.includes(value));
      all = all.flatMap((ids) => here.map((value) => [...ids, value]));
    }
    for (const ids of all) found.set(JSON.stringify(ids), ids);
  }
  return [...found.values()];
}

function listValues(company: Company, name: string, of: Properties, property: Property): Ids {
  const orNone = (list: readonly string[] | undefined): Ids => list && list.length > 0 ? list : [null];
  switch (property) {
    case "user":
      return [of.user];
    case "team":
      return [of.team];
    case "group":
      return [of.team === null ? null : company.groups.get(of.team) ?? null];
    case "company":
      return [company.id];
    case "lead_type":
      return [of.leadType ?? null];
    case "lead_source":
      return [of.leadSource ?? null];
    case "relations_path":
      return [of.path ?? null];
    case "product":
      return orNone(of.products);
    case "activity_type":
      return orNone(name === "activities.milestones" ? of.milestones : of.types);
  }
}

function computeValue(
  name: string,
  { kind }: Indicator,
  happenings: readonly Happening[],
  end: number,
): number | null {
  const total = happenings.reduce((sum, { value }) => sum + value, 0);
  const rate = (part: readonly Happening[]) =>
    happenings.length === 0 ? null : part.length / happenings.length * 100;
  if (name === "users.active") return new Set(happenings.map(({ of }) => of.user)).size;
  if (name === "leads.acceptance_rate") {
    return rate(happenings.filter(({ accepted }) => accepted !== undefined && accepted < end));
  }
  if (kind === "rate") return rate(happenings.filter(({ indicator }) => indicator === "cases.closed"));
  if (kind === "mean") return happenings.length === 0 ? null : total / happenings.length;
  return total;
}
