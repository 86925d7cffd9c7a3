/** Sets the forecast of a case: its chance of success and its estimated close date. */
import type { Context } from "../../db/context.ts";
import { readCase } from "./queries.ts";
import type { ChanceBody, CloseDateBody } from "./schema.ts";
import { type CaseChanges, changeCase, commitCase } from "./write.ts";

/** Sets the chance of success. The last change counts, whether by this call or by a milestone. */
export async function setChance(
  ctx: Context,
  id: string,
  { chance_of_success }: ChanceBody,
) {
  return await setForecast(ctx, id, chance_of_success === undefined ? {} : { chance_of_success });
}

export async function setCloseDate(ctx: Context, id: string, { date }: CloseDateBody) {
  return await setForecast(ctx, id, date === undefined ? {} : { estimated_close_date: date });
}

async function setForecast(ctx: Context, id: string, changes: CaseChanges) {
  return await commitCase(ctx, changeCase(ctx, await readCase(ctx, id), changes));
}
