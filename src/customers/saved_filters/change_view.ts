/** Creates, changes and deletes views. */
import { created, noContent, ok } from "../../core/answer.ts";
import { makeId } from "../../core/ids.ts";
import type { ViewEntity } from "./kinds.ts";
import { savedFilters } from "./table.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { guardNumber } from "../../db/numbers.ts";
import { insert, remove, updateVersioned } from "../../db/statements.ts";
import { checkMatch } from "../../http/conditional.ts";
import {
  checkBelonging,
  checkMayWrite,
  chooseBelongingAfter,
  guardOwner,
  guardOwnerOfRecord,
  isSameOwner,
  selectOwnerFacts,
} from "../../identity/owners.ts";
import { guardChanged } from "../../platform/database/database.ts";
import { requireView, selectViewById } from "./view_queries.ts";
import { presentView, type ViewBody, type ViewChange } from "./view_schema.ts";

/** The parameters of a list by name. */
export type Parameters = NonNullable<ViewBody["query"]>;

export interface GivenContent {
  readonly entity: ViewEntity;
  readonly query: Parameters;
  /** Null: none. */
  readonly filter: unknown;
}

/** The columns of a view that say what it shows, and headers of the answer. */
export interface Content {
  readonly columns: {
    readonly kind: string;
    readonly query: string;
    readonly query_names: string | null;
    readonly filter: string;
  };
  readonly headers: Readonly<Record<string, string>>;
}

/** Checks what a view shows. The lists of leads, cases and tasks belong to features above this one. */
export type ReadContent = (ctx: Context, given: GivenContent) => Content;

/** Its kind in messages. */
const what = "a view";

/** Returns 201 with the view, which is private unless the body shares it. */
export async function createView(ctx: Context, body: ViewBody, readContent: ReadContent) {
  const { companyId, userId } = ctx.caller;
  const owner = chooseBelongingAfter(null, body);
  const given = { entity: body.entity, query: body.query ?? {}, filter: body.filter ?? null };
  const { columns, headers } = readContent(ctx, given);
  const [found] = await ctx.deps.db.read([selectOwnerFacts(companyId, owner)]);
  const facts = found!.rows[0]!;
  checkBelonging(ctx.caller, userId, owner, facts, what);
  const row = {
    id: makeId(ctx.now),
    company_id: companyId,
    ...owner,
    name: body.name,
    ...columns,
    position: body.position ?? 0,
    created_by: userId,
    created_at: ctx.at,
    updated_at: ctx.at,
    version: 1,
  };
  return await commit(ctx, {
    statements: [
      guardNumber("saved_filters", companyId),
      guardOwner(companyId, owner, facts),
      insert(savedFilters, row),
    ],
    answer: { ...created(presentView(row)), headers },
  });
}

/** Returns the changed view. An absent member keeps its value. */
export async function changeView(
  ctx: Context,
  id: string,
  body: ViewChange,
  readContent: ReadContent,
) {
  const { caller, deps } = ctx;
  const { companyId } = caller;
  const [found, named] = await deps.db.read([
    selectViewById(companyId, id),
    selectOwnerFacts(companyId, body),
  ]);
  const before = requireView(ctx, found!);
  checkMayWrite(caller, before, before);
  const stored = presentView(before);
  checkMatch(ctx, () => stored);
  const owner = chooseBelongingAfter(before, body);
  const guards = guardOwnerOfRecord(caller, before);
  const isMoved = !isSameOwner(before, owner) || before.private !== owner.private;
  if (isMoved) {
    const facts = named!.rows[0]!;
    checkBelonging(caller, before.created_by, owner, facts, what);
    guards.push(guardOwner(companyId, owner, facts));
  }
  const content = readContentAfter(ctx, stored, body, readContent);
  const changes = {
    name: body.name ?? before.name,
    ...content?.columns,
    position: body.position === undefined ? before.position : body.position ?? 0,
    ...owner,
    kept_for: isMoved ? null : before.kept_for ?? null,
    stopped_reason: content ? null : before.stopped_reason ?? null,
    updated_at: ctx.at,
  };
  return await commit(ctx, {
    statements: [...guards, updateVersioned(savedFilters, changes, before), guardChanged("stale")],
    answer: ok(presentView({ ...before, ...changes }), content?.headers ?? {}),
  });
}

/** Returns what the view then shows; null when that stays, so that a PUT of the answer of GET changes nothing. */
function readContentAfter(
  ctx: Context,
  { entity, query, filter }: ReturnType<typeof presentView>,
  body: ViewChange,
  readContent: ReadContent,
) {
  const after = {
    entity: body.entity ?? entity,
    query: body.query === undefined ? query as Parameters : body.query ?? {},
    filter: body.filter === undefined ? filter : body.filter,
  };
  const isSame = JSON.stringify(after) === JSON.stringify({ entity, query, filter });
  return isSame ? null : readContent(ctx, after);
}

export async function deleteView(ctx: Context, id: string) {
  const { companyId } = ctx.caller;
  const [found] = await ctx.deps.db.read([selectViewById(companyId, id)]);
  const before = requireView(ctx, found!);
  checkMayWrite(ctx.caller, before, before);
  checkMatch(ctx, () => presentView(before));
  return await commit(ctx, {
    statements: [
      ...guardOwnerOfRecord(ctx.caller, before),
      remove(savedFilters, { id, company_id: companyId, version: before.version }),
      guardChanged("stale"),
    ],
    answer: noContent,
  });
}
