/** Making, changing and deleting custom fields. */
import { type Answer, created, noContent, ok } from "../../core/answer.ts";
import { fieldError, invalid } from "../../core/errors.ts";
import type { CustomField } from "../../core/fields.ts";
import { isChoice, mayShow } from "../../core/fields.ts";
import { type FieldType, fixedFields, type Validation } from "../../core/fixed_fields.ts";
import { newId } from "../../core/ids.ts";
import { list, object } from "../../core/json.ts";
import { words } from "../../core/text.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { fieldsOfCompany } from "../../db/custom_values.ts";
import { companyFields } from "../../db/fields.ts";
import { insert, sql } from "../../db/statements.ts";
import { checkMatch } from "../../http/conditional.ts";
import { validationsOf } from "../../http/field_types.ts";
import { ownerGuard } from "../../identity/owners.ts";
import { guardThat, type Statement } from "../../platform/database/database.ts";
import { checkDefinitions, guardDefinitions } from "./budget.ts";
import { beginValueRemoval } from "./deleted_fields.ts";
import {
  changeDefinition,
  type Definition,
  definitionOf,
  ownerOf,
  presentDefinition,
  readFields,
  readToWrite,
} from "./definitions.ts";
import type { FieldBody, FieldChange } from "./schema.ts";
import { ownerRead, scopeFor } from "./scope.ts";
import { fields as table } from "./table.ts";

export async function listFields(ctx: Context, ownerType: string): Promise<Answer> {
  const owner = ownerOf(ownerType);
  const fields = await readFields(ctx);
  return ok(
    object({ data: list(fields[owner].custom.map((field) => presentDefinition(field as Definition))) }),
  );
}

export async function getField(ctx: Context, ownerType: string, id: string): Promise<Answer> {
  const owner = ownerOf(ownerType);
  return ok(presentDefinition(definitionOf(await readFields(ctx), owner, id)));
}

/** 201 with the field. */
export async function createField(ctx: Context, ownerType: string, body: FieldBody): Promise<Answer> {
  const owner_type = ownerOf(ownerType);
  const { companyId } = ctx.caller;
  const owner = scopeFor(ctx.caller, body);
  checkValidation(body.type, body.validation ?? null);
  const [found, facts] = await ctx.deps.db.read([fieldsOfCompany(companyId), ownerRead(companyId, owner)]);
  const { all } = companyFields(found!.rows[0]?.fields as string | null ?? null, null);
  const scope = facts!.rows[0]!;
  owner.check(scope);
  const field: Definition = {
    seq: 0,
    id: newId(ctx.now),
    owner_type,
    name: nameFor(body.label, [...fixedFields[owner_type], ...all[owner_type].custom]),
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
      ownerGuard(companyId, owner, scope),
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

/** 200 with the field as it is now. */
export async function updateField(
  ctx: Context,
  ownerType: string,
  id: string,
  body: FieldChange,
): Promise<Answer> {
  const owner = ownerOf(ownerType);
  const { field: before, all, used } = await readToWrite(ctx, owner, id);
  checkMatch(ctx, () => presentDefinition(before));
  const type = body.type ?? before.type;
  if (type !== before.type && used) {
    throw invalid(fieldError("type", "not_editable", "The field has values, so its type stays."));
  }
  const validation = body.validation === undefined ? before.validation : body.validation;
  checkValidation(type, validation);
  const after: Definition = {
    ...before,
    label: body.label ?? before.label,
    type,
    validation,
    is_hidden: body.is_hidden === undefined ? before.is_hidden : body.is_hidden ?? false,
    is_read_only: body.is_read_only === undefined ? before.is_read_only : body.is_read_only ?? false,
    ...(isChoice(type) ? {} : { options: [] }),
    links: before.links.filter(({ options_shown }) => mayShow(type, options_shown.length)),
  };
  checkDefinitions(all, before, after, "label");
  return await commit(ctx, {
    statements: [
      guardDefinitions(ctx.caller.companyId, all),
      ...(type === before.type ? [] : [guardUnused(before)]),
      ...changeDefinition(ctx, before, {
        label: after.label,
        type,
        validation,
        is_hidden: after.is_hidden ? 1 : 0,
        is_read_only: after.is_read_only ? 1 : 0,
        options: JSON.stringify(after.options),
        links: JSON.stringify(after.links),
      }),
      // Nobody can choose in it any more.
      ...(isChoice(type)
        ? []
        : unlink(ctx, all[owner].custom.filter((other) => other.id !== id), elsewhere(id))),
    ],
    answer: ok(presentDefinition(after)),
  });
}

/** 204. The field and links to it are gone at once; a job removes its values. */
export async function deleteField(ctx: Context, ownerType: string, id: string): Promise<Answer> {
  const owner = ownerOf(ownerType);
  const { field, all } = await readToWrite(ctx, owner, id);
  checkMatch(ctx, () => presentDefinition(field));
  return await commit(ctx, {
    statements: [
      ...changeDefinition(ctx, field, { deleted_at: ctx.at }),
      beginValueRemoval(ctx, field, null),
      ...unlink(ctx, all[owner].custom.filter((other) => other.id !== id), elsewhere(id)),
    ],
    answer: noContent,
  });
}

type Link = CustomField["links"][number];

/** Whether a link is about what is chosen in another field than this. */
function elsewhere(id: string): (link: Link) => boolean {
  return (link) => link.field_id !== id;
}

/** Takes the links that do not hold any more out of the other fields. */
export function unlink(
  ctx: Context,
  among: readonly CustomField[],
  holds: (link: Link) => boolean,
): Statement[] {
  return among.filter(({ links }) => !links.every(holds)).flatMap((field) =>
    changeDefinition(ctx, field, { links: JSON.stringify(field.links.filter(holds)) })
  );
}

/** The label in snake_case, with a number where another field of the kind has it, be it a fixed one. */
function nameFor(label: string, others: readonly { readonly name: string }[]): string {
  const base = words(label).join("_").slice(0, 100) || "field";
  const taken = new Set(others.map(({ name }) => name));
  for (let number = 1;; number++) {
    const name = number === 1 ? base : `${base}_${number}`;
    if (!taken.has(name)) return name;
  }
}

function checkValidation(type: FieldType, validation: Validation | null): void {
  if (validation === null || validationsOf[type].includes(validation)) return;
  const there = validationsOf[type].join(", ") || "none";
  throw invalid(fieldError("validation", "enum", `A field of type ${type} can have: ${there}.`));
}

function guardUnused({ seq }: CustomField): Statement {
  return guardThat("used", sql`not exists (select 1 from custom_values where field = ${seq})`);
}
