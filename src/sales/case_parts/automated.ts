/** The automated communication that a case sends next: its record, SQL and wire shape. */
import { formatTimestamp } from "../../core/time.ts";
import { type Sql, sql } from "../../db/statements.ts";

/** The first pending communication of a case. */
export interface NextAutomated {
  readonly id: string;
  readonly name: string;
  readonly subject: string;
  /** Epoch milliseconds. */
  readonly due_at: number;
}

/**
 * SQL: the first pending communication of a case (SQL of its id) as JSON, except the one with the id
 * `except`. Null if there is none.
 */
export function selectNextAutomated(caseId: Sql, except: Sql = sql`''`): Sql {
  return sql`(select json_object('id', w.id, 'name', w.name, 'subject', w.subject, 'due_at', w.due_at)
    from automated_sends w indexed by automated_sends_waiting where w.case_id = ${caseId}
    and w.status = 'pending' and w.id <> ${except} order by w.due_at, w.id limit 1)`;
}

/** Reads the JSON of `selectNextAutomated`. */
export function parseNextAutomated(json: unknown): NextAutomated | null {
  return json === null ? null : JSON.parse(json as string) as NextAutomated;
}

/** Returns the first of several communications, by time. */
export function findFirstAutomated(waiting: readonly (NextAutomated | null)[]): NextAutomated | null {
  return waiting.reduce((first, each) => {
    if (first === null || each === null) return first ?? each;
    const isEarlier = each.due_at === first.due_at ? each.id < first.id : each.due_at < first.due_at;
    return isEarlier ? each : first;
  }, null);
}

export function presentNextAutomated(next: NextAutomated | null) {
  if (next === null) return null;
  const { id, name, subject, due_at } = next;
  return { id, name, subject, send_at: formatTimestamp(due_at) };
}
