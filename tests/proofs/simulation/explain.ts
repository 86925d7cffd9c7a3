/** What was done at once has to be explained by some order in which it was done one after the other. */
import { type Company, type Heard, inWords } from "./company.ts";
import { type Deed, isExpired, perform, type State, told } from "./model.ts";

/** A deed and what was heard of it; a countdown's end is not heard of. */
export interface Happened {
  readonly deed: Deed;
  readonly heard: Heard | null;
}

/** The records of all leads that are there in the model's words, and the statuses of cases, by their ids. */
export interface Found {
  readonly records: ReadonlyMap<string, object>;
  /** Null: nobody has asked. */
  readonly statuses: ReadonlyMap<string, string> | null;
  /** Names of the events of leads, those that are gone too. Null: nobody has asked. */
  readonly events: ReadonlyMap<string, readonly string[]> | null;
}

/**
 * The state after such an order, with which all answers agree and what was found afterwards, where somebody
 * has looked; null: there is none.
 */
export function explain(
  company: Company,
  before: State,
  happened: readonly Happened[],
  now: number,
  found: Found | null,
): State | null {
  if (happened.length === 0) return found === null || agrees(company, before, now, found) ? before : null;
  for (const [index, { deed, heard }] of happened.entries()) {
    const state = structuredClone(before);
    const answer = perform(state, deed, now, heard?.record?.case_id ?? null);
    if (heard !== null) {
      if (String(answer) !== heard.answer) continue;
      if (
        heard.record !== null &&
        !same(told(state.leads.get((deed as { lead: number }).lead)!), inWords(company, heard.record))
      ) {
        continue;
      }
    }
    const after = explain(company, state, happened.toSpliced(index, 1), now, found);
    if (after !== null) return after;
  }
  return null;
}

/** Whether what was found is what the model says. */
export function agrees(
  company: Company,
  { leads, cases }: State,
  now: number,
  { records, statuses, events }: Found,
): boolean {
  const there = [...leads].filter(([, lead]) => !isExpired(lead, now));
  return there.length === records.size &&
    there.every(([index, lead]) => same(told(lead), records.get(company.leads[index]!))) &&
    (statuses === null || [...cases].every(([id, its]) => statuses.get(id) === its.status)) &&
    (events === null ||
      [...leads].every(([index, lead]) => same(lead.events, events.get(company.leads[index]!))));
}

function same(left: object, right: object | undefined): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}
