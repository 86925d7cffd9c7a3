/** Finds a sequential order that explains the results of simultaneous actions. */
import { type Company, type Heard, inWords } from "./company.ts";
import { type Deed, isExpired, leadRecord, perform, type State } from "./model.ts";

/** An action with its answer; the end of a countdown has none. */
export interface Happened {
  readonly deed: Deed;
  readonly heard: Heard | null;
}

/** All existing leads in the form of the model, and the statuses of cases, by id. */
export interface Found {
  readonly records: ReadonlyMap<string, object>;
  /** Null when the statuses were not read. */
  readonly statuses: ReadonlyMap<string, string> | null;
  /** Names of the events of leads, including deleted ones. Null when they were not read. */
  readonly events: ReadonlyMap<string, readonly string[]> | null;
}

/**
 * Returns the state after an order of the actions that agrees with all answers and with the records read
 * afterwards. Returns null when there is no such order.
 */
export function explain(
  company: Company,
  before: State,
  happened: readonly Happened[],
  now: number,
  found: Found | null,
): State | null {
  if (happened.length === 0) {
    return found === null || agreesWithModel(company, before, now, found) ? before : null;
  }
  for (const [index, { deed, heard }] of happened.entries()) {
    const state = structuredClone(before);
    const answer = perform(state, deed, now, heard?.record?.case_id ?? null);
    if (heard !== null) {
      if (String(answer) !== heard.answer) continue;
      if (
        heard.record !== null &&
        !same(leadRecord(state.leads.get((deed as { lead: number }).lead)!), inWords(company, heard.record))
      ) {
        continue;
      }
    }
    const after = explain(company, state, happened.toSpliced(index, 1), now, found);
    if (after !== null) return after;
  }
  return null;
}

/** Returns true if the records that were read agree with the model. */
export function agreesWithModel(
  company: Company,
  { leads, cases }: State,
  now: number,
  { records, statuses, events }: Found,
): boolean {
  const there = [...leads].filter(([, lead]) => !isExpired(lead, now));
  return there.length === records.size &&
    there.every(([index, lead]) => same(leadRecord(lead), records.get(company.leads[index]!))) &&
    (statuses === null || [...cases].every(([id, its]) => statuses.get(id) === its.status)) &&
    (events === null ||
      [...leads].every(([index, lead]) => same(lead.events, events.get(company.leads[index]!))));
}

function same(left: object, right: object | undefined): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}
