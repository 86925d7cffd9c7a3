/** Creates a product. */
import { created } from "../../core/answer.ts";
import { type FieldError, invalid } from "../../core/errors.ts";
import { type Change, commit, type UserAuthor } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { asSeen } from "../../fields/field_sets.ts";
import { makeInitial } from "../../records/members.ts";
import { isRefused, mergeCustom, valueAt } from "../../fields/values.ts";
import type { Result } from "../../platform/database/database.ts";
import { presentProduct, type ProductBody, type ProductFacts, productMembers } from "./record.ts";
import { addNameError, readProductReferences, readValues, selectProductReferences } from "./values.ts";
import { makeProduct } from "./write.ts";

/** Returns 201 with the product. Throws 422 for values and references that it cannot have. */
export async function createProduct(ctx: Context, body: ProductBody) {
  return await commit(
    ctx,
    decideNewProduct(ctx, body, await ctx.deps.db.read(selectProductReferences(ctx, body))).change,
  );
}

/** A decided change of a product. */
export interface DecidedProduct {
  readonly product: ProductFacts;
  readonly change: Change<ReturnType<typeof presentProduct>>;
}

/** Decides how the product is made; throws what refuses it. `named`: results of `selectProductReferences`. */
export function decideNewProduct(
  ctx: UserAuthor,
  body: ProductBody,
  named: readonly Result[],
): DecidedProduct {
  const errors: FieldError[] = [];
  const { fixed, given } = readValues(ctx, body, errors);
  const custom = mergeCustom({}, given, ctx.fields.seen.product, valueAt(body), errors);
  if (!fixed.name && !isRefused(fixed, "name")) addNameError(errors);
  const references = readProductReferences(body, null, named, errors);
  if (errors.length > 0) throw invalid(...errors);
  const { product, statements, event } = makeProduct(ctx, ctx.caller.companyId, {
    plain: makeInitial(productMembers, body),
    fixed,
    custom,
    ...references,
  });
  return {
    product,
    change: {
      statements,
      events: [event],
      answer: created(asSeen(ctx.fields, event.body, (fields) => presentProduct(product, fields))),
    },
  };
}
