/** Keeps a chart as it is now, for 24 hours. */
import { newId } from "../../core/ids.ts";
import { object } from "../../core/json.ts";
import { lifetimes } from "../../core/lifetimes.ts";
import { formatTimestamp } from "../../core/time.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { insert } from "../../db/statements.ts";
import { chartAddress } from "./address.ts";
import { reportCharts } from "./table.ts";

/** Returns 200 with the address of the picture. */
export async function createChart(ctx: Context, svg: string) {
  const id = newId(ctx.now);
  const expires_at = ctx.now + lifetimes.chart;
  const body = object({ url: chartAddress(ctx, id), expires_at: formatTimestamp(expires_at) });
  return await commit(ctx, {
    statements: [
      insert(reportCharts, { id, company_id: ctx.caller.companyId, svg, expires_at, created_at: ctx.at }),
    ],
    answer: { status: 200, body, secrets: ["url"] },
  });
}
