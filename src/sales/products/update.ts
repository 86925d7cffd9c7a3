/** Changes a product. */
import { ok } from "../../core/answer.ts";
import { type FieldError, invalid } from "../../core/errors.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { asSeen } from "../../fields/field_sets.ts";
import { makeChanges } from "../../records/members.ts";
import { checkMatch } from "../../http/conditional.ts";
import { mergeCustom, valueAt } from "../../fields/values.ts";
import { presentProduct, type ProductBody, productMembers } from "./record.ts";
import { requireProduct, selectProductById } from "./queries.ts";
import { addNameError, readProductReferences, readValues, selectProductReferences } from "./values.ts";
import { changeProduct } from "./write.ts";

/** Returns the changed product. An absent member keeps its value. */
export async function updateProduct(ctx: Context, id: string, body: ProductBody) {
  const errors: FieldError[] = [];
  const [found, ...results] = await ctx.deps.db.read([
    selectProductById(ctx.caller.companyId, id),
    ...selectProductReferences(ctx, body),
  ]);
  const before = requireProduct(found!);
  checkMatch(ctx, () => presentProduct(before, ctx.fields.seen));
  const stored = { fixed: { ...before }, custom: JSON.parse(before.custom) };
  const { fixed, given } = readValues(ctx, body, errors, stored);
  const custom = mergeCustom(
    stored.custom,
    given,
    ctx.fields.seen.product,
    valueAt(body),
    errors,
  );
  if (fixed.name === null) addNameError(errors);
  const references = readProductReferences(body, id, results, errors);
  if (errors.length > 0) throw invalid(...errors);
  const { product, statements, event } = changeProduct(ctx, before, {
    plain: makeChanges(productMembers, body, before),
    fixed,
    custom,
    ...references,
  });
  return await commit(ctx, {
    statements,
    events: [event],
    answer: ok(asSeen(ctx.fields, event.body, (fields) => presentProduct(product, fields))),
  });
}
