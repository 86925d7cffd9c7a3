/** People, teams and processes as choices of fields. */
import type { Choice } from "../forms.tsx";
import type { Visit } from "../visit.ts";

const all = { per_page: "100" };

interface Named {
  readonly data: readonly { readonly id: number | string; readonly name: string }[];
}

interface People {
  readonly data: readonly { readonly id: number; readonly first_name: string; readonly last_name: string }[];
}

export async function readPeople({ call, person }: Visit): Promise<Choice[]> {
  const company_id = String(person.known.caller!.companyId);
  const { data } = await call<People>("listUsers", { params: { company_id }, query: all });
  return data.map(({ id, first_name, last_name }) => ({
    value: String(id),
    text: `${first_name} ${last_name}`.trim(),
  }));
}

export async function readTeams({ call }: Visit): Promise<Choice[]> {
  return makeChoices(await call<Named>("listTeams", { query: all }));
}

export async function readProcesses({ call }: Visit): Promise<Choice[]> {
  return makeChoices(await call<Named>("listRelationsPaths", { query: all }));
}

function makeChoices({ data }: Named): Choice[] {
  return data.map(({ id, name }) => ({ value: String(id), text: name }));
}

/** Returns the choices with the present ones, which can be beyond those that were read: a form would drop them. */
export function withPresent(choices: readonly Choice[], present: Named["data"]): readonly Choice[] {
  const known = new Set(choices.map(({ value }) => value));
  return [...choices, ...makeChoices({ data: present }).filter(({ value }) => !known.has(value))];
}
