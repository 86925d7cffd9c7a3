/** Keeps a chart as it is now, for 24 hours. */
import { keptForMoment } from "../../core/budgets.ts";
import { rateLimited, Stale } from "../../core/errors.ts";
import { makeId } from "../../core/ids.ts";
import { lifetimes } from "../../core/lifetimes.ts";
import { formatTimestamp } from "../../core/time.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { insert, sql } from "../../db/statements.ts";
import { limitMaking } from "../../identity/attempts/making_limits.ts";
import { guardThat } from "../../platform/database/database.ts";
import type { Reader } from "../reports/question.ts";
import { signChartAddress } from "./address.ts";
import { reportCharts } from "./table.ts";

/** Returns 200 with the address of the picture. Throws 429 when the company keeps as many as it may. */
export async function createChart(ctx: Context, reader: Reader, draw: (reader: Reader) => Promise<string>) {
  const { deps, caller: { companyId }, now } = ctx;
  const attempts = limitMaking(ctx, "chart");
  const svg = await draw({ ...reader, limit: attempts });
  const id = makeId(now);
  const expires_at = now + lifetimes.chart;
  const body = { url: signChartAddress(ctx, id), expires_at: formatTimestamp(expires_at) };
  try {
    return await commit(ctx, {
      statements: [
        attempts.guard,
        attempts.count,
        insert(reportCharts, { id, company_id: companyId, svg, expires_at, created_at: ctx.at }),
        guardThat(keptTooMuch, fitsLimit(companyId)),
      ],
      answer: { status: 200, body, secrets: ["url"] },
    });
  } catch (error) {
    if (!(error instanceof Stale) || error.what !== keptTooMuch) throw error;
    const [found] = await deps.db.read([
      sql`select min(expires_at) as until from report_charts where company_id = ${companyId}`,
    ]);
    const until = Number(found!.rows[0]?.until ?? now);
    throw rateLimited("The company keeps as many charts as it may", (until - now) / 1_000);
  }
}

const keptTooMuch = "charts_kept";

/** SQL: whether the charts of the company are as many and as large as they may be, at most. */
function fitsLimit(companyId: number) {
  return sql`(select count(*) <= ${keptForMoment.charts}
    and ifnull(sum(octet_length(svg)), 0) <= ${keptForMoment.chartBytes}
    from report_charts where company_id = ${companyId})`;
}
