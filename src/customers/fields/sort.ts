/** The order of fields in records. */
import { ok } from "../../core/answer.ts";
import { ordersBudget } from "../../core/budgets.ts";
import { type FieldError, fieldError, invalid, missingReference } from "../../core/errors.ts";
import { fixedFields, type OwnerType } from "../../fields/fixed_fields.ts";
import { isUuid } from "../../core/ids.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { selectFieldsOfCompany } from "../../db/custom_values.ts";
import { FieldSet } from "../../fields/field_sets.ts";
import { sql } from "../../db/statements.ts";
import { guardOwner } from "../../identity/owners.ts";
import { guardThat } from "../../platform/database/database.ts";
import { parseOwnerType, readFields, readSeenFields } from "./definitions.ts";
import type { SortBody } from "./schema.ts";
import { makeFieldScope, selectFieldOwner } from "./scope.ts";

export async function getSort(ctx: Context, ownerType: string) {
  const owner = parseOwnerType(ownerType);
  const fields = await readFields(ctx);
  return ok({ data: listOrder(fields[owner], owner) });
}

/** Returns 200 with the whole order. Fields that the list does not name follow. */
export async function putSort(ctx: Context, ownerType: string, body: SortBody) {
  const owner = parseOwnerType(ownerType);
  const { companyId } = ctx.caller;
  const scope = makeFieldScope(ctx.caller, body);
  const { team_id, group_id } = scope;
  const name = team_id !== null ? `team ${team_id}` : group_id !== null ? `group ${group_id}` : "company";
  const [found, facts, others] = await ctx.deps.db.read([
    selectFieldsOfCompany(companyId),
    selectFieldOwner(companyId, scope),
    sql`select coalesce(sum(length(items)), 0) as bytes from field_orders where company_id = ${companyId}
      and (owner_type <> ${owner} or scope <> ${name})`,
  ]);
  scope.check(facts!.rows[0]!);
  const fields = readSeenFields(ctx.caller, found!)[owner];
  const items = body.sort.map((item) =>
    item.type === "field" ? { ...item, value: item.value.toLowerCase() } : item
  );
  const errors = items.flatMap((item, index) =>
    findFaults(item, `sort[${index}].value`, fields, items, index)
  );
  if (errors.length > 0) throw invalid(...errors);
  const bytes = Number(others!.rows[0]!.bytes) + JSON.stringify(items).length;
  if (bytes > ordersBudget) {
    throw invalid(
      fieldError(
        "sort",
        "max",
        `The orders of a company would take ${bytes} bytes; at most ${ordersBudget}.`,
      ),
    );
  }
  const order = { owner_type: owner, team_id, group_id, items };
  return await commit(ctx, {
    statements: [
      guardOwner(companyId, scope, facts!.rows[0]!),
      sql`insert into field_orders (company_id, owner_type, scope, team_id, group_id, items)
        values (${companyId}, ${owner}, ${name}, ${team_id}, ${group_id}, ${JSON.stringify(items)})
        on conflict (company_id, owner_type, scope) do update set items = excluded.items`,
      guardThat(
        "orders",
        sql`(select sum(length(items)) from field_orders where company_id = ${companyId}) <= ${ordersBudget}`,
      ),
    ],
    answer: ok({ data: listOrder(new FieldSet(fixedFields[owner], fields.custom, order), owner) }),
  });
}

type Item = SortBody["sort"][number];

function findFaults(
  { type, value }: Item,
  at: string,
  fields: FieldSet,
  items: readonly Item[],
  index: number,
): FieldError[] {
  if (items.findIndex((item) => item.type === type && item.value === value) < index) {
    return [fieldError(at, "unique", "The field is named twice.")];
  }
  if (type === "property") {
    const names = fields.fixed.map(({ name }) => name);
    if (names.includes(value)) return [];
    return [fieldError(at, "unknown_field", `There is no such fixed field; there are ${names.join(", ")}.`)];
  }
  if (!isUuid(value)) return [fieldError(at, "type", "Must be the id of a field.")];
  return fields.custom.some(({ id }) => id === value) ? [] : [missingReference(at, "field")];
}

function listOrder(fields: FieldSet, owner: OwnerType): Item[] {
  const names = new Map(fixedFields[owner].map(({ id, name }) => [id, name]));
  const seen = new Set(fields.custom.map(({ id }) => id));
  return [...fields.places].sort(([, one], [, other]) => one - other).flatMap(([id]): Item[] => {
    if (typeof id === "number") return [{ type: "property", value: names.get(id)! }];
    return seen.has(id) ? [{ type: "field", value: id }] : [];
  });
}
