/** The rows of staged work, for the features that begin and query it. */
import { insert, literal, remove, type Sql, sql } from "../db/statements.ts";
import type { Statement } from "../platform/database/database.ts";
import { stagedWork } from "./table.ts";

interface Beginning {
  readonly company_id: number;
  readonly subject: string | number;
  readonly payload?: object;
  /** When the first step is due, in epoch milliseconds, at most 17 hours ahead; missing: at once. */
  readonly due_at?: number;
}

/** Begins work in the commit of its cause; see `runStaged` for making its steps. */
export function beginWork(
  { at }: { readonly at: string },
  { kind }: { readonly kind: string },
  { company_id, subject, payload = {}, due_at = 0 }: Beginning,
): Statement {
  return insert(stagedWork, {
    company_id,
    kind,
    subject: String(subject),
    payload: JSON.stringify(payload),
    due_at,
    created_at: at,
  });
}

/** Begins work if the condition holds after the earlier statements of the batch. */
export function beginWorkIf(
  condition: Sql,
  { at }: { readonly at: string },
  { kind }: { readonly kind: string },
  { company_id, subject, payload = {}, due_at = 0 }: Beginning,
): Statement {
  return sql`insert into staged_work (company_id, kind, subject, payload, due_at, created_at)
    select ${company_id}, ${kind}, ${String(subject)}, ${JSON.stringify(payload)}, ${due_at}, ${at}
    where ${condition}`;
}

/**
 * SQL: whether a record (SQL of its id) has no work of the kind, in a form that lets SQLite use the index.
 */
export function isNotInWork(kind: string, id: Sql): Sql {
  return sql`(${literal(kind)}, ${id}) not in (select w.kind, w.subject from staged_work w)`;
}

/** Deletes work whose records were deleted elsewhere. `subjects` is a select. */
export function endWork(kind: string, subjects: Sql): Statement {
  return sql`delete from staged_work where kind = ${kind} and subject in (${subjects})`;
}

/** Ends all work of a company. */
export function endCompanyWork(company_id: number): Statement {
  return remove(stagedWork, { company_id });
}

/** SQL, beginning with `from`: the work of a kind whose payload names the successor. */
export function composeWorkRows(kind: string, companyId: number, successorId: number): Sql {
  return sql`from staged_work where company_id = ${companyId} and kind = ${kind}
    and payload ->> 'successor_id' = ${successorId}`;
}

/**
 * Redirects work for a deleted successor to the successor's own successor; null: the work goes on without
 * one.
 */
export function redirectWork(
  { kind }: { readonly kind: string },
  companyId: number,
  { from, to }: { readonly from: number; readonly to: number | null },
): Statement {
  return sql`update staged_work set payload = json_set(payload, '$.successor_id', ${to})
    where id in (select id ${composeWorkRows(kind, companyId, from)})`;
}
