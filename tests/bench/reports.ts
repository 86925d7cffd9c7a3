/**
 * `deno task bench --reports [--contacts N] [--runs R] [--only TEXT] [--fresh]`: measures reports of ten
 * indicators, one call at a time, in a company of N contacts, 500 users and all facts of its history, and in
 * one of 10,000 contacts. Other calls are made meanwhile, which must not wait.
 *
 * A line passes when its 95th percentile is at most its aim. If it has the same number of rows in both
 * companies, the percentile is also at most twice that of the small company. 95 of 100 other calls must be
 * answered within 50 ms. A chart may take 20 ms more than its figures, and the scores of a rank 50 ms.
 */
import { parseArgs } from "node:util";
import { formatTimestamp } from "../../src/core/time.ts";
import { sql } from "../../src/db/statements.ts";
import { rankRules } from "../../src/insight/ranks/record.ts";
import { rollUpFacts } from "../../src/insight/rollups/run.ts";
import { openFile } from "../../src/platform/database/file.ts";
import { readThrough } from "./process_figures.ts";
import { type MatrixWorld, openWorld, type Service, serviceOn } from "./matrix/world.ts";

const day = 86_400_000;
const users = 500;
const indicators = [
  "contacts.b2b.total",
  "contacts.b2c.created",
  "contacts.consent.email",
  "cases.created",
  "cases.closed.value",
  "cases.open",
  "activities.created",
  "tasks.completed_in_time",
  "leads.acceptance_rate",
  "users.active",
].join(",");

interface Line {
  readonly name: string;
  readonly path: string;
  readonly by: "admin" | "member";
  /** The milliseconds within which 95 of 100 calls must be answered. */
  readonly aim: number;
}

interface Timed {
  readonly p50: number;
  readonly p95: number;
  readonly rows: number;
}

/** Returns the exit code: 1 if a line misses an aim. */
export async function runReports(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      contacts: { type: "string", default: "100000" },
      runs: { type: "string", default: "40" },
      only: { type: "string", default: "" },
      fresh: { type: "boolean", default: false },
    },
  });
  const large = await openRolled(Number(values.contacts), values.fresh);
  const small = await openRolled(10_000, values.fresh);
  await using service = await serviceOn(large);
  await using smallService = await serviceOn(small);
  const isAsked = ({ name }: { readonly name: string }) => name.includes(values.only);
  const lines = linesAt(Date.now()).filter(isAsked);
  const runs = Number(values.runs);
  console.log(
    "| figures | caller | rows | p50 | p95 | aim | p95 at 10,000 | rows there |\n|---|---|---|---|---|---|---|---|",
  );
  let missed = 0;
  using beside = new Beside(service, large.member);
  for (const line of lines) {
    const few = await time(smallService, line.path, small[line.by], runs);
    const many = await time(service, line.path, large[line.by], runs);
    const isSlow = many.p95 > line.aim ||
      (few.rows === many.rows && many.p95 > 2 * few.p95 && many.p95 > 10);
    if (isSlow) missed++;
    const figure = (ms: number) => ms.toFixed(1);
    const mark = isSlow ? " (missed)" : "";
    console.log(
      `| ${line.name} | ${line.by} | ${many.rows} | ${figure(many.p50)} | ` +
        `${figure(many.p95)}${mark} | ${line.aim} | ${figure(few.p95)} | ${few.rows} |`,
    );
  }
  for (const { name, kind, query } of chartsAt(Date.now()).filter(isAsked)) {
    const paths = {
      figures: `/v1/reports/${kind}?${query}`,
      chart: `/v1/reports/charts/${kind}.svg?${query}`,
    };
    const { p50, p95, kilobytes } = await timeOnTop(
      service,
      paths,
      large.admin,
      runs,
    );
    if (p95 > mostOnTop) missed++;
    const times = `p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms (aim: ${mostOnTop})`;
    console.log(
      `Chart of ${name}, on top of its figures: ${times}, ${kilobytes} kB.`,
    );
  }
  for (const rule of rankRules.filter((name) => isAsked({ name }))) {
    const id = await getRank(service, large, rule);
    const path = `/v1/gamification/ranks/${id}/scores`;
    const { p50, p95, rows } = await time(service, path, large.member, runs);
    if (p95 > mostOfRank) missed++;
    const times = `p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms (aim: ${mostOfRank})`;
    console.log(`Scores of a rank by ${rule}, ${rows} users: ${times}.`);
  }
  const other = beside.p95();
  console.log(`Other calls beside them: p95 ${other.toFixed(1)} ms (aim: 50).`);
  return missed > 0 || other > 50 ? 1 : 0;
}

/** The milliseconds within which 95 of 100 calls for the scores of a rank must be answered. */
const mostOfRank = 50;

/**
 * Returns the id of the company's rank by this rule. Creates the rank unless the world is a kept one that has
 * it.
 */
async function getRank(
  service: Service,
  { file, admin }: MatrixWorld,
  rule: string,
): Promise<string> {
  const name = `By ${rule}`;
  const found = JSON.parse(
    (await service.call("/v1/gamification/ranks?limit=100", admin)).text,
  );
  const kept = found.data.find((rank: { name: string }) => rank.name === name);
  if (kept) return kept.id;
  const db = openFile(file, {});
  const [most] = await db.read([
    sql`select k.relations_path_id, (select t.id from activity_types t
      where t.relations_path_id = k.relations_path_id and t.is_milestone = 1 order by t.sort_order limit 1) as milestone_id
    from cases k where k.relations_path_id is not null group by 1 order by count(*) desc limit 1`,
  ]);
  await db.close();
  const settings = rule === "conversion_rate" ? { settings: most!.rows[0] } : {};
  const body = JSON.stringify({
    name,
    icon: "trophy",
    rule,
    team_id: null,
    ...settings,
  });
  const { status, text } = await service.call(
    "/v1/gamification/ranks",
    admin,
    body,
  );
  if (status !== 201) throw new Error(`no rank by ${rule}: ${status} ${text}`);
  return JSON.parse(text).id;
}

/** Opens a world whose facts are all rolled up. */
async function openRolled(
  contacts: number,
  fresh: boolean,
): Promise<MatrixWorld> {
  const world = await openWorld(contacts, fresh, { users });
  const db = openFile(world.file, {});
  const begun = performance.now();
  let facts = 0;
  for (let done = 1; done > 0;) {
    facts += done = await rollUpFacts({
      db,
      clock: { now: () => Date.now() },
    });
  }
  if (facts > 0) {
    console.log(
      `Rolled up ${facts} facts in ${Math.round((performance.now() - begun) / 1000)} s.`,
    );
  }
  await db.close();
  await readThrough(world.file);
  return world;
}

function linesAt(now: number): Line[] {
  const at = (ms: number) => `${formatTimestamp(ms).replace(" ", "%20")}`;
  const date = new Date(now);
  const month = (back: number) => Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - back, 1);
  const time = (start: number, end: number) => `start_at=${at(start)}&end_at=${at(end)}`;
  const calendarMonth = time(month(1), month(0));
  const lastYear = time(now - 365 * day, now);
  const metrics = (query: string) => `/v1/reports/metrics?indicators=${indicators}&${query}`;
  const series = (query: string) => `/v1/reports/time-series?indicators=${indicators}&${query}`;
  return [
    {
      name: "a month by user",
      path: metrics(`group_by=user&${calendarMonth}`),
      by: "admin",
      aim: 50,
    },
    {
      name: "a month by user",
      path: metrics(`group_by=user&${calendarMonth}`),
      by: "member",
      aim: 50,
    },
    {
      name: "the last 30 days by user",
      path: metrics(`group_by=user&${time(now - 30 * day, now)}`),
      by: "admin",
      aim: 50,
    },
    {
      name: "30 days from some afternoon by user",
      path: metrics(
        `group_by=user&${time(now - 47.3 * day, now - 17.3 * day)}`,
      ),
      by: "admin",
      aim: 50,
    },
    {
      name: "the last 30 days by user, and before",
      path: metrics(
        `group_by=user&compare=previous&${time(now - 30 * day, now)}`,
      ),
      by: "admin",
      aim: 100,
    },
    {
      name: "a month by path and source",
      path: metrics(`group_by=relations_path,lead_source&${calendarMonth}`),
      by: "admin",
      aim: 100,
    },
    {
      name: "a year by month and team",
      path: series(`group_by=team&interval=month&${lastYear}`),
      by: "admin",
      aim: 250,
    },
    {
      name: "a year by month and team",
      path: series(`group_by=team&interval=month&${lastYear}`),
      by: "member",
      aim: 250,
    },
    {
      name: "a year by week and team",
      path: series(`group_by=team&interval=week&${lastYear}`),
      by: "admin",
      aim: 500,
    },
    {
      name: "a month by day and team",
      path: series(`group_by=team&interval=day&${calendarMonth}`),
      by: "admin",
      aim: 250,
    },
    {
      name: "a year by path",
      path: metrics(`group_by=relations_path&${lastYear}`),
      by: "admin",
      aim: 250,
    },
    {
      name: "averages of a year by month",
      path: `/v1/reports/averages?indicators=${indicators}&interval=month&${lastYear}`,
      by: "admin",
      aim: 500,
    },
  ];
}

/** The milliseconds that 95 of 100 charts may take in addition to their figures. */
const mostOnTop = 20;

interface ChartLine {
  readonly name: string;
  readonly kind: "metrics" | "time-series";
  readonly query: string;
}

function chartsAt(now: number): ChartLine[] {
  const at = (ms: number) => formatTimestamp(ms).replace(" ", "%20");
  const composeQuery = (days: number) => {
    const since = at(now - days * day);
    return `indicators=cases.created,cases.closed.value,leads.acceptance_rate&start_at=${since}` +
      `&end_at=${at(now)}`;
  };
  return [
    {
      name: "30 days by user",
      kind: "metrics",
      query: `${composeQuery(30)}&group_by=user`,
    },
    {
      name: "a year by week and team",
      kind: "time-series",
      query: `${composeQuery(365)}&group_by=team&interval=week`,
    },
    {
      name: "900 days by day",
      kind: "time-series",
      query: `${composeQuery(900)}&group_by=company&interval=day`,
    },
  ];
}

/**
 * Calls both paths in turn, and returns how far the percentiles of the chart are above those of the figures.
 */
async function timeOnTop(
  service: Service,
  { figures, chart }: { readonly figures: string; readonly chart: string },
  token: string,
  runs: number,
): Promise<{ p50: number; p95: number; kilobytes: number }> {
  const plain: number[] = [];
  const drawn: number[] = [];
  let kilobytes = 0;
  for (let run = -3; run < runs; run++) {
    const { ms } = await measureTime(service, figures, token);
    const { ms: withChart, text } = await measureTime(service, chart, token);
    if (run >= 0) {
      plain.push(ms);
      drawn.push(withChart);
    }
    kilobytes = Math.round(text.length / 1000);
  }
  const onTop = (of: number) => percentile(drawn, of) - percentile(plain, of);
  return { p50: onTop(50), p95: onTop(95), kilobytes };
}

async function measureTime(
  service: Service,
  path: string,
  token: string,
): Promise<{ ms: number; text: string }> {
  const begun = performance.now();
  const { status, text } = await service.call(path, token);
  if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
  return { ms: performance.now() - begun, text };
}

async function time(
  service: Service,
  path: string,
  token: string,
  runs: number,
): Promise<Timed> {
  const times: number[] = [];
  let rows = 0;
  for (let run = -3; run < runs; run++) {
    const { ms, text } = await measureTime(service, path, token);
    if (run >= 0) times.push(ms);
    else rows = countRows(JSON.parse(text));
  }
  return { p50: percentile(times, 50), p95: percentile(times, 95), rows };
}

function countRows(answer: { data?: unknown[]; scores?: unknown[] }): number {
  return (answer.data ?? answer.scores ?? []).length;
}

function percentile(times: readonly number[], of: number): number {
  const sorted = [...times].sort((a, b) => a - b);
  return sorted[
    Math.min(sorted.length - 1, Math.floor(sorted.length * of / 100))
  ] ?? 0;
}

/** Calls a list of contacts fifty times a second until it is disposed. */
class Beside {
  readonly #times: number[] = [];
  readonly #timer: ReturnType<typeof setInterval>;

  constructor(service: Service, token: string) {
    this.#timer = setInterval(async () => {
      const begun = performance.now();
      await service.call("/v1/contacts?limit=20", token);
      this.#times.push(performance.now() - begun);
    }, 20);
  }

  p95(): number {
    return percentile(this.#times, 95);
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }
}
