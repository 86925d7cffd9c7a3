/** The options of choice fields. */
import { created, noContent } from "../../core/answer.ts";
import { fieldError, invalid, notFound } from "../../core/errors.ts";
import { isChoice } from "../../fields/custom_fields.ts";
import { makeId } from "../../core/ids.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import type { Fields } from "../../fields/field_sets.ts";
import { checkMatch } from "../../http/conditional.ts";
import type { Statement } from "../../platform/database/database.ts";
import { checkDefinitions, guardDefinitions } from "./budget.ts";
import {
  changeDefinition,
  type Definition,
  parseOwnerType,
  presentOption,
  readToWrite,
  type SortedOption,
  sortOptions,
} from "./definitions.ts";
import { beginValueDeletion } from "./deleted_fields.ts";
import type { OptionBody, OptionChange } from "./schema.ts";
import { namesOption, type StopFilters } from "./stop_filters.ts";
import { unlink } from "./write.ts";

/** Returns 201 with the option; throws 422 for a field that is no choice. */
export async function createOption(
  ctx: Context,
  ownerType: string,
  fieldId: string,
  body: OptionBody,
) {
  const { field, all } = await readToWrite(ctx, parseOwnerType(ownerType), fieldId);
  checkChoice(field);
  const option = { id: makeId(ctx.now), value: body.value, sort: body.sort ?? null };
  checkOptionText(field, option);
  return await commit(ctx, {
    statements: changeOptions(ctx, field, [...field.options, option], all),
    answer: created(presentOption(option)),
  });
}

/** Returns 201 with the updated option. */
export async function updateOption(
  ctx: Context,
  ownerType: string,
  fieldId: string,
  id: string,
  body: OptionChange,
) {
  const { field, all } = await readToWrite(ctx, parseOwnerType(ownerType), fieldId);
  const before = requireOption(field, id);
  checkMatch(ctx, () => presentOption(before));
  const after: SortedOption = {
    id,
    value: body.value ?? before.value,
    sort: body.sort === undefined ? before.sort : body.sort,
  };
  if (after.value !== before.value) checkOptionText(field, after);
  return await commit(ctx, {
    statements: changeOptions(
      ctx,
      field,
      field.options.map((option) => option.id === id ? after : option),
      all,
    ),
    answer: created(presentOption(after)),
  });
}

/** Returns 204. Deletes the option and links to it at once; a job removes values that chose it. */
export async function deleteOption(
  ctx: Context,
  ownerType: string,
  fieldId: string,
  id: string,
  stopFilters: StopFilters,
) {
  const owner = parseOwnerType(ownerType);
  const { field, all } = await readToWrite(ctx, owner, fieldId);
  const option = requireOption(field, id);
  checkMatch(ctx, () => presentOption(option));
  const holds = ({ option_id }: { option_id: string }) => option_id !== id;
  const links = field.links.filter(holds).map((link) => ({
    ...link,
    options_shown: link.options_shown.filter((option) => option !== id),
    default_option: link.default_option === id ? null : link.default_option,
  })).filter(({ options_shown }) => options_shown.length > 0);
  return await commit(ctx, {
    statements: [
      ...changeDefinition(ctx, field, {
        options: JSON.stringify(field.options.filter((option) => option.id !== id)),
        links: JSON.stringify(links),
      }),
      ...stopFilters(
        ctx,
        ctx.caller.companyId,
        namesOption(field, id),
        `the option ${option.value} of ${field.label} was deleted`,
      ),
      beginValueDeletion(ctx, field, id),
      ...unlink(ctx, all[owner].custom.filter((other) => other.id !== fieldId), holds),
    ],
    answer: noContent,
  });
}

function checkChoice(field: Definition): void {
  if (isChoice(field.type)) return;
  throw invalid(fieldError("value", "excluded", `A field of type ${field.type} has no options.`));
}

/** 422 when another option has the same text. */
function checkOptionText(field: Definition, { id, value }: SortedOption): void {
  const text = value.normalize();
  const same = field.options.some((option) => option.id !== id && option.value.normalize() === text);
  if (same) throw invalid(fieldError("value", "unique", "Another option of the field has this text."));
}

function requireOption(field: Definition, id: string): SortedOption {
  const option = field.options.find((option) => option.id === id);
  if (!option) throw notFound();
  return option;
}

function changeOptions(
  ctx: Context,
  field: Definition,
  options: readonly SortedOption[],
  all: Fields,
): Statement[] {
  checkDefinitions(all, field, { ...field, options }, "value");
  return [
    guardDefinitions(ctx.caller.companyId, all),
    ...changeDefinition(ctx, field, { options: JSON.stringify(sortOptions(options)) }),
  ];
}
