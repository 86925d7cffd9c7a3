import { ok } from "../../core/answer.ts";
import { fieldError, invalid } from "../../core/errors.ts";
import { type CustomField, isChoice, mayShow } from "../../fields/custom_fields.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { sql } from "../../db/statements.ts";
import { checkMatch } from "../../http/conditional.ts";
import { guardThat, type Statement } from "../../platform/database/database.ts";
import { checkDefinitions, guardDefinitions } from "./budget.ts";
import { checkValidation } from "./create.ts";
import {
  changeDefinition,
  type Definition,
  parseOwnerType,
  presentDefinition,
  readToWrite,
} from "./definitions.ts";
import type { FieldChange } from "./schema.ts";
import { namesField, type StopFilters } from "./stop_filters.ts";
import { makeElsewhereTest, unlink } from "./write.ts";

/** Returns 200 with the updated field. */
export async function updateField(
  ctx: Context,
  ownerType: string,
  id: string,
  body: FieldChange,
  stopFilters: StopFilters,
) {
  const owner = parseOwnerType(ownerType);
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
      ...(type === before.type ? [] : [
        guardUnused(before),
        ...stopFilters(
          ctx,
          ctx.caller.companyId,
          namesField(before),
          `the field ${before.label} has another type`,
        ),
      ]),
      ...changeDefinition(ctx, before, {
        label: after.label,
        type,
        validation,
        is_hidden: after.is_hidden ? 1 : 0,
        is_read_only: after.is_read_only ? 1 : 0,
        options: JSON.stringify(after.options),
        links: JSON.stringify(after.links),
      }),
      // The new type has no options.
      ...(isChoice(type)
        ? []
        : unlink(ctx, all[owner].custom.filter((other) => other.id !== id), makeElsewhereTest(id))),
    ],
    answer: ok(presentDefinition(after)),
  });
}

function guardUnused({ seq }: CustomField): Statement {
  return guardThat("used", sql`not exists (select 1 from custom_values where field = ${seq})`);
}
