/** Figures of the database: the same from every process. */
import { parseTimestamp } from "../../core/time.ts";
import { sql } from "../../db/statements.ts";
import { waitingMails } from "../../delivery/mails/waiting.ts";
import { waitingDeliveries } from "../../delivery/webhooks/waiting.ts";
import type { Deps } from "../../deps.ts";
import type { Row } from "../../platform/database/database.ts";
import { gaugeText } from "../../platform/metrics.ts";
import { selectWaitingLeadCount } from "../../sales/leads/escalate.ts";
import { selectWaitingTaskCount } from "../../sales/tasks/task_timer.ts";

const size = sql`select page_count * page_size as bytes from pragma_page_count(), pragma_page_size()`;

/** Returns the figures as text, at the clock's time. They count whole tables, so a file is read in another thread. */
export async function renderDatabaseFigures({ db, clock }: Pick<Deps, "db" | "clock">): Promise<string> {
  const now = clock.now();
  const found = await db.readOnThread(
    [waitingDeliveries, waitingMails, selectWaitingLeadCount(now), selectWaitingTaskCount(now), size],
    { effort: "scan", company: 0 },
  );
  const [deliveries, mails, leads, tasks, file] = found.map(({ rows }) => rows[0]!) as [
    Row,
    Row,
    Row,
    Row,
    Row,
  ];
  const kinds: readonly (readonly [kind: string, rows: readonly Row[]])[] = [
    ["webhook_deliveries", [deliveries]],
    ["mails", [mails]],
    ["timers", [leads, tasks]],
  ];
  return [
    gaugeText(
      { name: "wayline_waiting", help: "What waits for its time, or for an attempt." },
      ["kind"],
      kinds.map(([kind, rows]) => [[kind], rows.reduce((sum, { n }) => sum + Number(n), 0)]),
    ),
    gaugeText(
      { name: "wayline_late_seconds", help: "How long the first that waits has been due." },
      ["kind"],
      kinds.map(([kind, rows]) => [[kind], Math.max(0, ...rows.map(({ due }) => computeLateness(due, now)))]),
    ),
    gaugeText(
      { name: "wayline_database_size_bytes", help: "Size of the database, without its log." },
      [],
      [[[], Number(file.bytes)]],
    ),
  ].join("");
}

/** Seconds since `due`, epoch milliseconds or a timestamp; negative before it. */
function computeLateness(due: Row[string] | undefined, now: number): number {
  if (due === null || due === undefined) return 0;
  return (now - (typeof due === "string" ? parseTimestamp(due)! : Number(due))) / 1000;
}
