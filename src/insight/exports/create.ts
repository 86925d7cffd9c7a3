/** Creates an export: the figures are kept as they are now, and a job writes them to a file. */
import { fieldError, invalid, Problem } from "../../core/errors.ts";
import { makeId } from "../../core/ids.ts";
import { lifetimes } from "../../core/lifetimes.ts";
import { Turns } from "../../core/turns.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { limitMaking } from "../../identity/attempts/making_limits.ts";
import { type MetricRow, readMetricRows } from "../reports/answers.ts";
import { metricMembers } from "../reports/present.ts";
import type { Question, Reader } from "../reports/question.ts";
import { FairQueue, QueueFull } from "../../platform/fair_queue.ts";
import { makeExports } from "./make.ts";
import { presentExport } from "./present.ts";
import { sliceRows } from "./sheet.ts";
import type { ExportFormat } from "./table.ts";
import { insertExport } from "./write.ts";

/** The most rows of an export. */
export const mostExportRows = 50_000;

/** The rows of an export take up to 100 MB until they are stored, so a company makes one at a time. */
const turns = new FairQueue({ atOnce: 2, perOrigin: 1, waiting: 100, waitingPerOrigin: 10 });

interface Asked {
  readonly reader: Reader;
  readonly question: Question;
  readonly compare: "previous" | null;
  readonly format: ExportFormat;
  /** Where the request names its parameters: `query.` or empty. */
  readonly at: string;
}

/** Returns the export, whose columns are the keys of the rows of metrics. */
export async function createExport(ctx: Context, asked: Asked) {
  try {
    return await turns.run(String(ctx.caller.companyId), () => make(ctx, asked));
  } catch (error) {
    if (!(error instanceof QueueFull)) throw error;
    throw new Problem(503, "unavailable", "Too many exports of the company wait; try again.", {
      headers: { "Retry-After": "10" },
    });
  }
}

async function make(
  ctx: Context,
  { reader, question, compare, format, at }: Asked,
) {
  const attempts = limitMaking(ctx, "export");
  const figures = await readMetricRows({ ...reader, limit: attempts }, question, compare);
  if (figures.length > mostExportRows) {
    throw invalid(fieldError(`${at}group_by`, "max", `At most ${mostExportRows} rows.`));
  }
  const nothing = { indicator: "", value: null, group: { ids: [], names: [] } };
  const unanswered = compare ? { ...nothing, previous: null, change_pct: null } : nothing;
  const columns = Object.keys(metricMembers(question.groupBy, unanswered));
  const row = {
    id: makeId(ctx.now),
    company_id: ctx.caller.companyId,
    user_id: ctx.caller.userId,
    format,
    status: "pending" as const,
    columns: JSON.stringify(columns),
    file_id: null,
    failure: null,
    attempts: 0,
    due_at: ctx.now,
    expires_at: ctx.now + lifetimes.reportExport,
    created_at: ctx.at,
  };
  const answer = await commit(ctx, {
    statements: [
      attempts.guard,
      attempts.count,
      ...insertExport(row, await composeSlices(question.groupBy, figures)),
    ],
    answer: { status: 200, body: presentExport(row) },
  });
  ctx.deps.background.run(() => makeExports(ctx.deps));
  return answer;
}

/** Returns the rows as JSON, one text for each slice. Each row is a list of the values of the columns. */
async function composeSlices(
  groupBy: Question["groupBy"],
  figures: readonly MetricRow[],
): Promise<string[]> {
  const slices: string[] = [];
  const turns = new Turns();
  for (let from = 0; from < figures.length; from += sliceRows) {
    const rows = figures.slice(from, from + sliceRows).map((row) =>
      Object.values(metricMembers(groupBy, row))
    );
    slices.push(JSON.stringify(rows));
    await turns.next();
  }
  return slices;
}
