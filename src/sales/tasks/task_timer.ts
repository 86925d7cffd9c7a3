/**
 * The timer of tasks: whoever runs it, however many at once, each task that the clock has gone past moves to its
 * next stage once, and whoever is to do it is told once that it is overdue.
 */
import { noContent } from "../../core/answer.ts";
import { Stale } from "../../core/errors.ts";
import { formatTimestamp } from "../../core/time.ts";
import { commit } from "../../db/commit.ts";
import type { NotificationDraft } from "../../db/notifications.ts";
import { sql, statement } from "../../db/statements.ts";
import type { Deps } from "../../deps.ts";
import {
  DatabaseUnavailable,
  guardThat,
  type Row,
  type Statement,
} from "../../platform/database/database.ts";
import { errorFields } from "../../platform/log.ts";
import { mayDo } from "./assignee.ts";
import { type TaskStatus, taskStatus } from "./stages.ts";

/** Tasks in one commit: few enough that it holds the write lock for well under 100 ms. */
const most = 50;
/** Batches in a row that others may take away before this run leaves the rest to the next. */
const patience = 20;
/** Tasks left out in one run, before it leaves the rest to the next. */
const mostStuck = 500;

interface Due {
  readonly id: string;
  readonly company_id: number;
  readonly case_id: string;
  /** Who is to do it, as long as that one sees its case. */
  readonly user_id: number | null;
  readonly stage: TaskStatus;
  readonly version: number;
  /** Where it stands now. */
  readonly next: TaskStatus;
}

/** Tasks that could not be moved, by their ids; they are left to the next run. */
type Stuck = Set<string>;

/**
 * Moves every task whose stage has ended at `now` (epoch milliseconds); gives how many this call moved. A batch
 * that somebody else has touched meanwhile is read again. A task that cannot be moved is left out with a line in
 * the log; the others are moved, before an error tells of it.
 */
export async function announceOverdueTasks(deps: Deps, now: number): Promise<number> {
  const at = formatTimestamp(now);
  const stuck: Stuck = new Set();
  let count = 0;
  let lost = 0;
  while (lost < patience && stuck.size < mostStuck) {
    const due = await readDue(deps, at, stuck);
    if (due.length === 0) break;
    for (const [companyId, tasks] of Map.groupBy(due, ({ company_id }) => company_id)) {
      try {
        count += await turnOrHalve(deps, now, companyId, tasks, stuck);
        lost = 0;
      } catch (error) {
        if (!(error instanceof Stale)) throw error;
        lost++;
      }
    }
  }
  if (stuck.size > 0) throw new Error(`${stuck.size} tasks could not be moved; ${count} were`);
  return count;
}

/** Reads `n`: how many tasks `announceOverdueTasks` would move at a moment (epoch milliseconds). */
export function dueTasks(now: number): Statement {
  const at = formatTimestamp(now);
  return statement(`select count(*) as n from tasks t where ${isDue}`, at, at);
}

/** Where the tasks cannot be moved together, a half and then the other; how many were. */
async function turnOrHalve(
  deps: Deps,
  now: number,
  companyId: number,
  tasks: readonly Due[],
  stuck: Stuck,
): Promise<number> {
  try {
    await turn(deps, now, companyId, tasks);
    return tasks.length;
  } catch (error) {
    if (error instanceof Stale || error instanceof DatabaseUnavailable) throw error;
    if (tasks.length > 1) {
      const half = tasks.length >> 1;
      return await turnOrHalve(deps, now, companyId, tasks.slice(0, half), stuck) +
        await turnOrHalve(deps, now, companyId, tasks.slice(half), stuck);
    }
    const { id } = tasks[0]!;
    stuck.add(id);
    deps.log.error({ event: "timer_failed", company_id: companyId, task_id: id, ...errorFields(error) });
    return 0;
  }
}

/** A task is pending to the very second of its end. */
const isDue = "t.turns_at <= ? and (t.stage = 'later' or t.turns_at < ?)";

async function readDue(deps: Deps, at: string, stuck: Stuck): Promise<Due[]> {
  const [due] = await deps.db.read([statement(
    "select t.id, t.company_id, t.case_id, t.start_at, t.end_at, t.completed_at, t.stage, t.version, " +
      `(select u.id from users u where u.id = t.user_id and ${
        mayDo(sql`t.case_id`, "t.company_id")
      }) as user_id ` +
      `from tasks t where ${isDue} ` +
      "and +t.id not in (select value from json_each(?)) order by t.turns_at, t.id limit ? + 0",
    at,
    at,
    JSON.stringify([...stuck]),
    most,
  )]);
  return due!.rows.map((row) => dueOf(row, at));
}

function dueOf(row: Row, at: string): Due {
  const { start_at, end_at, completed_at } = row as Record<string, string>;
  const times = { start_at: start_at!, end_at: end_at!, completed_at: completed_at ?? null };
  return { ...row, next: taskStatus(times, at) } as Due;
}

async function turn(deps: Deps, now: number, companyId: number, due: readonly Due[]): Promise<void> {
  const rows = JSON.stringify(due.map(({ id, stage, version, next }) => [id, stage, version, next]));
  const moved = "select 1 from json_each(?) v left join tasks t on t.id = v.value ->> 0 " +
    "where t.stage is not v.value ->> 1 or t.version is not v.value ->> 2";
  await commit({ deps, now, at: formatTimestamp(now) }, {
    companyId,
    statements: [
      guardThat("tasks", statement(`not exists (${moved})`, rows)),
      sql`update tasks set stage = v.value ->> 3 from json_each(${rows}) v where tasks.id = v.value ->> 0`,
    ],
    notifications: due.filter(({ next }) => next === "overdue").flatMap(overdueNotice),
    answer: noContent,
  });
}

function overdueNotice({ id, case_id, user_id }: Due): NotificationDraft[] {
  if (user_id === null) return [];
  return [{
    type: "overdue_task",
    to: [{ users: [user_id] }],
    data: { case: { id: case_id }, task: { id } },
  }];
}
