import { ok } from "../../core/answer.ts";
import type { FixedField } from "../../fields/fixed_fields.ts";
import type { Context } from "../../db/context.ts";
import {
  type Definition,
  parseOwnerType,
  presentDefinition,
  readFields,
  requireDefinition,
} from "./definitions.ts";
import type { FieldsQuery } from "./schema.ts";

/** The custom fields that the caller sees; with `fixed` the fixed ones too, all in one order. */
export async function listFields(ctx: Context, ownerType: string, { fixed }: FieldsQuery) {
  const owner = parseOwnerType(ownerType);
  const { [owner]: seen } = await readFields(ctx);
  const custom = seen.custom.map((field) => presentDefinition(field as Definition));
  if (!fixed) return ok({ data: custom });
  const all = [
    ...seen.fixed.map(presentFixed),
    ...custom.map((field) => ({ ...field, fixed: false, required: false })),
  ];
  return ok({ data: all.toSorted((one, two) => seen.places.get(one.id)! - seen.places.get(two.id)!) });
}

/** Presents a fixed field as a definition that belongs to the whole company. */
function presentFixed({ id, name, type, label, validation, required, options }: FixedField) {
  return {
    id,
    name,
    type,
    label,
    is_hidden: false,
    is_read_only: false,
    validation,
    team_id: null,
    group_id: null,
    links: [],
    options: options?.().map((option, index) => ({ ...option, sort: index + 1 })) ?? [],
    fixed: true,
    required,
  };
}

export async function getField(ctx: Context, ownerType: string, id: string) {
  const owner = parseOwnerType(ownerType);
  return ok(presentDefinition(requireDefinition(await readFields(ctx), owner, id)));
}
