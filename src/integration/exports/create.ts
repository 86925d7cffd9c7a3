/** Creates an export, which a job writes to a file. */
import { fieldError, invalid, missingReference } from "../../core/errors.ts";
import { makeId } from "../../core/ids.ts";
import { lifetimes } from "../../core/lifetimes.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { identifier, insert, sql } from "../../db/statements.ts";
import type { Contribution } from "../../customers/filter_catalogue.ts";
import { readVisibleFilter, selectSavedFilter } from "../../customers/saved_filters/queries.ts";
import { limitMaking } from "../../identity/attempts/making_limits.ts";
import { requireReach } from "../../identity/permissions.ts";
import type { Result } from "../../platform/database/database.ts";
import type { ImportEntity } from "../columns/entities.ts";
import { checkColumns } from "./columns.ts";
import { beginFiles } from "./make.ts";
import { presentRecordExport } from "./queries.ts";
import { compileExportFilter, findKind, type StoredFilter } from "./records.ts";
import { type ExportFormat, type ExportRow, exports } from "./table.ts";

interface Body {
  readonly entity: ImportEntity;
  readonly format: ExportFormat;
  readonly columns?: readonly string[] | undefined;
  readonly filter?: unknown;
  readonly filter_id?: string | undefined;
}

/** The kinds of saved filters. */
const filteredKinds = { accounts: "account", contacts: "contact" } as const;

export async function createRecordExport(ctx: Context, body: Body, contributions: readonly Contribution[]) {
  const { deps, caller } = ctx;
  const { entity, format, columns, filter, filter_id } = body;
  checkGiven(ctx, body);
  if (columns) checkColumns(entity, ctx.fields.seen, columns);
  const kind = entity === "accounts" || entity === "contacts" ? filteredKinds[entity] : null;
  const attempts = limitMaking(ctx, "export");
  const [made, newest, users, saved] = await deps.db.read([
    attempts.read,
    sql`select (select ifnull(max(y.rowid), 0) from ${identifier(findKind(entity).list.table)} y) as last_row,
      (select ifnull(max(o.position), 0) from outbox o where o.company_id = ${caller.companyId}) as last_event`,
    sql`select u.first_name || ' ' || u.last_name as name from users u where u.id = ${caller.userId}`,
    ...(filter_id !== undefined && kind ? [selectSavedFilter(caller.companyId, kind, filter_id)] : []),
  ]);
  attempts.check(made!);
  const stored = filter_id === undefined
    ? filter === undefined ? null : { nodes: filter, kept: false }
    : requireSavedFilter(ctx, saved);
  if (stored) checkFilter(ctx, entity, stored, contributions);
  const { last_row, last_event } = newest!.rows[0] as { last_row: number; last_event: number };
  const row: ExportRow = {
    id: makeId(ctx.now),
    company_id: caller.companyId,
    user_id: caller.userId,
    entity,
    format,
    status: "pending",
    columns: columns ? JSON.stringify(columns) : null,
    filter: stored ? JSON.stringify(stored) : null,
    last_row,
    last_event,
    rows: 0,
    file_id: null,
    failure: null,
    attempts: 0,
    due_at: ctx.now,
    expires_at: ctx.now + lifetimes.recordExport,
    created_at: ctx.at,
    finished_at: null,
  };
  const user_name = String(users!.rows[0]?.name ?? "");
  const answer = await commit(ctx, {
    statements: [attempts.guard, attempts.count, insert(exports, row)],
    answer: { status: 201, body: presentRecordExport({ ...row, file: null, user_name }) },
  });
  beginFiles(deps, contributions);
  return answer;
}

/** Throws for what does not go together, and for a filter of leads by others than admins. */
function checkGiven({ caller }: Context, { entity, filter, filter_id }: Body): void {
  const errors = [];
  if (filter !== undefined && filter_id !== undefined) {
    errors.push(fieldError("filter_id", "excluded", "Not together with filter."));
  }
  if (entity === "products") {
    if (filter !== undefined) errors.push(fieldError("filter", "excluded", "Products have no filter."));
    else if (filter_id !== undefined) {
      errors.push(fieldError("filter_id", "excluded", "Products have no filter."));
    }
  }
  if (errors.length > 0) throw invalid(...errors);
  if (entity === "leads" && (filter !== undefined || filter_id !== undefined)) {
    requireReach(caller, "leads.filter");
  }
}

function requireSavedFilter(ctx: Context, found: Result | undefined): StoredFilter {
  const saved = readVisibleFilter(ctx, found?.rows[0]);
  if (!saved) throw invalid(missingReference("filter_id", "filter"));
  if (saved.stopped_reason) throw invalid(fieldError("filter_id", "exists", saved.stopped_reason));
  return { nodes: JSON.parse(saved.filter), kept: true };
}

/** Throws 422 when the filter names what the caller does not see. */
function checkFilter(
  ctx: Context,
  entity: ImportEntity,
  stored: StoredFilter,
  contributions: readonly Contribution[],
): void {
  compileExportFilter(entity, stored, ctx, contributions);
}
