/** The imports of a company run one after the other: the one that runs has staged work, the others wait. */
import { lifetimes } from "../../core/lifetimes.ts";
import { sql } from "../../db/statements.ts";
import type { Deps } from "../../deps.ts";
import type { Statement } from "../../platform/database/database.ts";
import type { StagedKind } from "../../staged/kind.ts";
import { runStaged } from "../../staged/run.ts";
import { beginWorkIf } from "../../staged/work.ts";
import { remembered } from "./forget_remembered.ts";
import type { FailureCode, ImportRow, ImportStatus } from "./table.ts";

/** The kind of staged work; its subject is the import. */
export const importKind = "import";

/** Reads `busy`: whether an import of the company runs. */
export function selectBusy(companyId: number): Statement {
  return sql`select exists (select 1 from staged_work where company_id = ${companyId} and kind = ${importKind})
    as busy`;
}

/** Starts the next import of a company, unless one runs. The oldest is next; a dry run that was checked runs. */
export function startNext({ at }: { readonly at: string }, companyId: number): Statement[] {
  return [
    sql`insert into staged_work (company_id, kind, subject, payload, created_at)
      select i.company_id, ${importKind}, i.id, '{}', ${at} from imports i
      where i.company_id = ${companyId} and i.status in ('queued', 'checking', 'running', 'reverting')
      and not exists (select 1 from staged_work w where w.company_id = ${companyId} and w.kind = ${importKind})
      order by i.created_at, i.id limit 1`,
    sql`update imports set status = iif(dry_run = 1 and preview is null, 'checking', 'running')
      where company_id = ${companyId} and status = 'queued' and id in (select w.subject from staged_work w
      where w.company_id = ${companyId} and w.kind = ${importKind})`,
  ];
}

/**
 * Ends an import, and starts the next one. Its work ends with the step, or by `stopWork`. What a dry run has
 * remembered goes in steps of its own.
 */
export function endImport(
  { now, at }: { readonly now: number; readonly at: string },
  { id, company_id }: Pick<ImportRow, "id" | "company_id">,
  status: ImportStatus,
  failure: { readonly code: FailureCode; readonly row: number | null } | null = null,
): Statement[] {
  return [
    sql`update imports set status = ${status}, failure = ${failure?.code ?? null},
      failure_row = ${failure?.row ?? null}, preview = iif(${status} = 'checked', coalesce(preview, '[]'),
      preview),
      finished_at = ${at}, expires_at = ${now + lifetimes.importUndo} where id = ${id}`,
    beginWorkIf(
      sql`exists (select 1 from import_keys where import_id = ${id}) and not exists (select 1 from staged_work
        where kind = ${remembered.kind} and subject = ${id})`,
      { at },
      remembered,
      { company_id, subject: id },
    ),
    ...startNext({ at }, company_id),
  ];
}

/** Ends the work of an import. A step in hand is refused at its commit. */
export function stopWork(id: string): Statement {
  return sql`delete from staged_work where kind = ${importKind} and subject = ${id}`;
}

/** Makes the steps of imports in the background until none is left. A job goes on with what is lost. */
export function wakeImports(deps: Deps, work: StagedKind): void {
  deps.background.run(async () => {
    while (!deps.stopping?.aborted && await runStaged(deps, deps.clock.now(), [work, remembered]) > 0);
  });
}
