/**
 * People, teams, templates and processes as choices of fields. Of many people, teams and templates a page offers the
 * first, and its form finds the others by their names.
 */
import { Problem } from "../../core/errors.ts";
import type { Choice } from "../forms.tsx";
import type { Visit } from "../visit.ts";
import type { PageOf } from "./list.tsx";

/** The most choices of a list that may be longer. */
const most = 100;

/** What a form can find. */
export const findable = ["people", "teams", "templates"] as const;
export type Findable = typeof findable[number];

/** What a field offers. */
export interface Offer {
  readonly choices: readonly Choice[];
  /** How the form finds further ones; null when these are all. */
  readonly find: Find | null;
}

export interface Find {
  readonly of: Findable;
  /** What was looked for; empty for nothing. */
  readonly search: string;
  /** How many there are, of which the first are offered. */
  readonly total: number;
}

export interface Named {
  readonly id: number | string;
  readonly name: string;
}

interface Person {
  readonly id: number;
  readonly first_name: string;
  readonly last_name: string;
}

interface Template {
  readonly id: number;
  readonly title: string;
}

/** How records of a kind are read. */
interface Source {
  readonly list: string;
  readonly one: string;
  readonly param: string;
  /** Whether its paths name the company. */
  readonly inCompany?: true;
  /** The fields of forms that choose them, and the parameters of lists. */
  readonly fields: readonly string[];
  readonly query?: Readonly<Record<string, string>>;
  readonly present: (record: never) => Choice;
}

const heir = "assign_to";
const sources: Readonly<Record<Findable, Source>> = {
  people: {
    list: "listUsers",
    one: "getUser",
    param: "user_id",
    inCompany: true,
    fields: ["user_id", "task_user_id", "mentions", "users", heir],
    present: ({ id, first_name, last_name }: Person) => ({
      value: String(id),
      text: `${first_name} ${last_name}`.trim(),
    }),
  },
  teams: {
    list: "listTeams",
    one: "getTeam",
    param: "team_id",
    fields: ["team_id", "agency_team_id", "team_ids", "teams", heir],
    present: makeChoice,
  },
  templates: {
    list: "listTemplates",
    one: "getTemplate",
    param: "template_id",
    fields: ["template_id"],
    query: { type: "email" },
    present: ({ id, title }: Template) => ({ value: String(id), text: title }),
  },
};

/** The fields of a form that finds choices: what is looked for, and what the form was shown with. */
export const findName = (of: Findable) => `find_${of}`;
export const composeFoundName = (of: Findable) => `found_${of}`;

/** Returns whether a form asks for other choices instead of its change: by its button, or by another search. */
export function asksForChoices(form: FormData): boolean {
  return form.has("find") ||
    findable.some((of) => readSearch(form, of) !== (form.get(composeFoundName(of)) ?? ""));
}

/** Returns what a form looks for. Two fields that offer the same have a search each: the one that was changed counts. */
function readSearch(form: FormData | URLSearchParams, of: Findable): string {
  const typed = form.getAll(findName(of)).map((text) => String(text).trim().slice(0, 200));
  const shown = form.get(composeFoundName(of)) ?? "";
  return typed.find((text) => text !== shown) ?? typed[0] ?? "";
}

export function readPeople(visit: Visit): Promise<Offer> {
  return readOffer(visit, "people");
}

export function readTeams(visit: Visit): Promise<Offer> {
  return readOffer(visit, "teams");
}

/** Templates of e-mails. */
export function readTemplates(visit: Visit): Promise<Offer> {
  return readOffer(visit, "templates");
}

async function readOffer(visit: Visit, of: Findable): Promise<Offer> {
  const { list, fields, query = {}, present } = sources[of];
  const form = visit.forms.refused?.form ?? visit.query;
  const search = readSearch(form, of);
  const { data, pagination: { total } } = await visit.call<PageOf<never>>(list, {
    params: makeParams(visit, sources[of]),
    query: { ...query, per_page: String(most), ...(search === "" ? {} : { search }) },
  });
  const choices = data.map(present);
  if (search === "" && total <= choices.length) return { choices, find: null };
  const known = new Set(choices.map(({ value }) => value));
  const chosen = new Set(fields.flatMap((name) => form.getAll(name)).map(String));
  const missing = [...chosen].filter((id) => /^[1-9]\d{0,14}$/.test(id) && !known.has(id)).slice(0, most);
  const kept = await Promise.all(missing.map((id) => readOne(visit, sources[of], id)));
  return { choices: [...kept.filter((one) => one !== null), ...choices], find: { of, search, total } };
}

/** Returns what was chosen before something else was looked for; null when it is not there any more. */
async function readOne(visit: Visit, source: Source, id: string): Promise<Choice | null> {
  const params = { ...makeParams(visit, source), [source.param]: id };
  try {
    return source.present(await visit.call<never>(source.one, { params }));
  } catch (error) {
    if (error instanceof Problem && error.status === 404) return null;
    throw error;
  }
}

function makeParams({ person }: Visit, { inCompany }: Source): Record<string, string> {
  return inCompany ? { company_id: String(person.known.caller!.companyId) } : {};
}

/** Returns the names by id: those that are offered, and the given ones beside them. */
export async function readNames(
  visit: Visit,
  of: Findable,
  { choices }: Offer,
  ids: readonly (number | null | undefined)[],
): Promise<ReadonlyMap<string, string>> {
  const names = new Map(choices.map(({ value, text }) => [value, text]));
  const missing = new Set(ids.flatMap((id) => id == null || names.has(String(id)) ? [] : [String(id)]));
  const found = await Promise.all([...missing].map((id) => readOne(visit, sources[of], id)));
  for (const choice of found) if (choice) names.set(choice.value, choice.text);
  return names;
}

export async function readProcesses(visit: Visit): Promise<Choice[]> {
  return (await readAll<Named>(visit, "listRelationsPaths")).map(makeChoice);
}

/** Returns all records of a list that has no search, such as roles: it is a list of things that a company sets up. */
export async function readAll<Item>({ call }: Visit, operation: string): Promise<readonly Item[]> {
  const read = (page: number) =>
    call<PageOf<Item>>(operation, { query: { per_page: String(most), page: String(page) } });
  const { data, pagination: { total } } = await read(1);
  const pages = Math.ceil(total / most);
  const rest = await Promise.all(Array.from({ length: Math.max(0, pages - 1) }, (_, at) => read(at + 2)));
  return [data, ...rest.map((page) => page.data)].flat();
}

export function makeChoice({ id, name }: Named): Choice {
  return { value: String(id), text: name };
}

/** Returns the choices with the present ones, which can be beyond those that were read: a form would drop them. */
export function addPresent(choices: readonly Choice[], present: readonly Named[]): readonly Choice[] {
  const known = new Set(choices.map(({ value }) => value));
  return [...choices, ...present.map(makeChoice).filter(({ value }) => !known.has(value))];
}

/** Does the same for what is found by its name. */
export function offerWithPresent({ choices, find }: Offer, present: readonly Named[]): Offer {
  return { choices: addPresent(choices, present), find };
}

/** Returns the offer without a choice. */
export function offerWithout({ choices, find }: Offer, value: string): Offer {
  return { choices: choices.filter((one) => one.value !== value), find };
}
