/** Reads, presents and updates field definitions. */
import type { Caller } from "../../core/access.ts";
import { forbidden, notFound } from "../../core/errors.ts";
import type { CustomField } from "../../fields/custom_fields.ts";
import { type FieldOption, type OwnerType, ownerTypes } from "../../fields/fixed_fields.ts";
import type { Context } from "../../db/context.ts";
import { selectFieldsOfCompany } from "../../db/custom_values.ts";
import { type Fields, readCompanyFields } from "../../fields/field_sets.ts";
import { sql, updateVersioned } from "../../db/statements.ts";
import { mayOwn } from "../../identity/owners.ts";
import { requireReach } from "../../identity/permissions.ts";
import { guardChanged, type Result, type Statement } from "../../platform/database/database.ts";
import { fields } from "./table.ts";

/** An option with its place in the order, as the field definition stores it. */
export type SortedOption = FieldOption & { readonly sort: number | null };
export type Definition = Omit<CustomField, "options"> & { readonly options: readonly SortedOption[] };

/** Returns the kind of record that a path names; 404 for an unknown kind. */
export function parseOwnerType(text: string): OwnerType {
  const owner = ownerTypes.find((type) => type === text);
  if (!owner) throw notFound("There are no fields of this kind.");
  return owner;
}

/** Reads the fields that the caller sees from the database. */
export async function readFields(ctx: Context): Promise<Fields> {
  const [found] = await ctx.deps.db.read([selectFieldsOfCompany(ctx.caller.companyId)]);
  return readSeenFields(ctx.caller, found!);
}

/** Returns the fields that the caller sees, from the result of `selectFieldsOfCompany`. */
export function readSeenFields(caller: Caller, found: Result): Fields {
  return readCompanyFields(found.rows[0]?.fields as string | null ?? null, caller).seen;
}

/** Returns the field; 404 when it does not exist or the caller does not see it. */
export function requireDefinition(fields: Fields, owner: OwnerType, id: string): Definition {
  const field = fields[owner].custom.find((field) => field.id === id);
  if (!field) throw notFound();
  return field as Definition;
}

/** Selects the group of the field's team for `checkMayWrite`, and whether the field has values (`used`). */
export function selectFieldFacts(companyId: number, id: string): Statement {
  return sql`select (select t.group_id from teams t where t.id = f.team_id) as team_group_id,
    exists (select 1 from custom_values v where v.field = f.seq) as used from fields f where f.id = ${id} and f.company_id = ${companyId}`;
}

/** 403 unless the caller may change the field: admins change all, others those of own groups or teams. */
export function checkMayWrite(caller: Caller, field: Definition, facts: Result): void {
  if (mayOwn(caller, field, facts.rows[0]!)) return;
  throw forbidden(
    field.team_id === null && field.group_id === null
      ? "Only an admin may change what belongs to the whole company."
      : "The field belongs to a team or group that is not yours.",
  );
}

/**
 * Reads the field for an update, in one round trip; `all` are the company's fields, which may have links to
 * it. Throws 403 and 404.
 */
export async function readToWrite(
  ctx: Context,
  owner: OwnerType,
  id: string,
): Promise<{ field: Definition; fields: Fields; all: Fields; used: boolean }> {
  requireReach(ctx.caller, "fields.write");
  const [found, facts] = await ctx.deps.db.read([
    selectFieldsOfCompany(ctx.caller.companyId),
    selectFieldFacts(ctx.caller.companyId, id),
  ]);
  const { seen: fields, all } = readCompanyFields(
    found!.rows[0]?.fields as string | null ?? null,
    ctx.caller,
  );
  const field = requireDefinition(fields, owner, id);
  checkMayWrite(ctx.caller, field, facts!);
  return { field, fields, all, used: facts!.rows[0]!.used === 1 };
}

export function presentDefinition(field: Definition) {
  const { id, name, type, label, is_hidden, is_read_only, validation, team_id, group_id } = field;
  const links = field.links.map(({ field_id, option_id, options_shown, default_option }) => ({
    field_id,
    option_id,
    options_shown,
    default_option,
  }));
  const options = field.options.map(presentOption);
  return {
    id,
    name,
    type,
    label,
    is_hidden,
    is_read_only,
    validation,
    team_id,
    group_id,
    links,
    options,
  };
}

export function presentOption({ id, value, sort }: SortedOption) {
  return { id, value, sort };
}

/** Options by `sort`, then by creation, which their ids contain. */
export function sortOptions(options: readonly SortedOption[]): SortedOption[] {
  const place = ({ sort }: SortedOption) => sort ?? Infinity;
  return options.toSorted((one, other) =>
    place(one) === place(other) ? (one.id < other.id ? -1 : 1) : place(one) < place(other) ? -1 : 1
  );
}

type Changes = Parameters<typeof updateVersioned<typeof fields>>[1];

/** Updates the definition and guards the version that was read. */
export function changeDefinition(ctx: Context, field: CustomField, set: Changes): Statement[] {
  const read = { id: field.id, company_id: ctx.caller.companyId, version: field.version };
  return [updateVersioned(fields, { ...set, updated_at: ctx.at }, read), guardChanged("field")];
}
