import { created } from "../../core/answer.ts";
import { fieldError, invalid } from "../../core/errors.ts";
import { type FieldType, fixedFields, type Validation } from "../../fields/fixed_fields.ts";
import { makeId } from "../../core/ids.ts";
import { splitWords } from "../../core/text.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { selectFieldsOfCompany } from "../../db/custom_values.ts";
import { readCompanyFields } from "../../fields/field_sets.ts";
import { insert, sql } from "../../db/statements.ts";
import { validationsOf } from "../../fields/types.ts";
import { guardOwner } from "../../identity/owners.ts";
import { checkDefinitions, guardDefinitions } from "./budget.ts";
import { type Definition, parseOwnerType, presentDefinition } from "./definitions.ts";
import type { FieldBody } from "./schema.ts";
import { makeFieldScope, selectFieldOwner } from "./scope.ts";
import { fields as table } from "./table.ts";

/** Returns 201 with the field. */
export async function createField(ctx: Context, ownerType: string, body: FieldBody) {
  const owner_type = parseOwnerType(ownerType);
  const { companyId } = ctx.caller;
  const owner = makeFieldScope(ctx.caller, body);
  checkValidation(body.type, body.validation ?? null);
  const base = makeBaseName(body.label);
  const [found, facts, deleted] = await ctx.deps.db.read([
    selectFieldsOfCompany(companyId),
    selectFieldOwner(companyId, owner),
    sql`select name from fields where company_id = ${companyId} and owner_type = ${owner_type}
      and deleted_at is not null and substr(name, 1, length(${base})) = ${base}`,
  ]);
  const { all } = readCompanyFields(found!.rows[0]?.fields as string | null ?? null, null);
  const scope = facts!.rows[0]!;
  owner.check(scope);
  const field: Definition = {
    seq: 0,
    id: makeId(ctx.now),
    owner_type,
    name: nameFor(base, [
      ...fixedFields[owner_type].map(({ name }) => name),
      ...all[owner_type].custom.map(({ name }) => name),
      ...deleted!.rows.map(({ name }) => name as string),
    ]),
    label: body.label,
    type: body.type,
    validation: body.validation ?? null,
    is_hidden: body.is_hidden,
    is_read_only: body.is_read_only,
    team_id: owner.team_id,
    group_id: owner.group_id,
    options: [],
    links: [],
    version: 1,
  };
  checkDefinitions(all, null, field, "label");
  const { seq: _seq, options: _options, links: _links, ...row } = field;
  return await commit(ctx, {
    statements: [
      guardOwner(companyId, owner, scope),
      guardDefinitions(companyId, all),
      insert(table, {
        ...row,
        company_id: companyId,
        is_hidden: field.is_hidden ? 1 : 0,
        is_read_only: field.is_read_only ? 1 : 0,
        created_by: ctx.caller.userId,
        created_at: ctx.at,
        updated_at: ctx.at,
      }),
    ],
    answer: created(presentDefinition(field)),
  });
}

export function checkValidation(type: FieldType, validation: Validation | null): void {
  if (validation === null || validationsOf[type].includes(validation)) return;
  const there = validationsOf[type].join(", ") || "none";
  throw invalid(fieldError("validation", "enum", `A field of type ${type} can have: ${there}.`));
}

/** The label in snake_case. */
function makeBaseName(label: string): string {
  return splitWords(label).join("_").slice(0, 100) || "field";
}

/** The base, with a number when another field has that name, or had it: programs keep names. */
function nameFor(base: string, others: readonly string[]): string {
  const taken = new Set(others);
  for (let number = 1;; number++) {
    const name = number === 1 ? base : `${base}_${number}`;
    if (!taken.has(name)) return name;
  }
}
