/**
 * The timer of tasks. Any number of processes may run it: each task whose stage has ended moves to its next
 * stage exactly once, and notifies its assignee once that it is overdue.
 */
import { noContent } from "../../core/answer.ts";
import { Stale } from "../../core/errors.ts";
import { formatTimestamp } from "../../core/time.ts";
import { commit } from "../../db/commit.ts";
import type { NotificationDraft } from "../../db/notifications.ts";
import { type Sql, sql } from "../../db/statements.ts";
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

/** Tasks in one commit, so that it holds the write lock for well under 100 ms. */
const most = 50;
/** Batches in a row that other processes take first, after which the run ends. */
const maxLostBatches = 20;
/** Failed tasks in a run, after which it ends. */
const maxFailed = 500;

interface Due {
  readonly id: string;
  readonly company_id: number;
  readonly case_id: string;
  /** The assignee, if that user sees the case. */
  readonly user_id: number | null;
  readonly stage: TaskStatus;
  readonly version: number;
  /** The stage to move to. */
  readonly next: TaskStatus;
}

/** The ids of failed tasks; the next run retries them. */
type Failed = Set<string>;

/**
 * Moves every task whose stage has ended at `now` (epoch milliseconds) and returns their number. Reads a
 * batch again when it changed meanwhile. Skips a task that fails and logs `timer_failed`; throws after the
 * other tasks are done.
 */
export async function announceOverdueTasks(deps: Deps, now: number): Promise<number> {
  const at = formatTimestamp(now);
  const failed: Failed = new Set();
  let count = 0;
  let lost = 0;
  while (lost < maxLostBatches && failed.size < maxFailed) {
    const due = await readDue(deps, at, failed);
    if (due.length === 0) break;
    for (const [companyId, tasks] of Map.groupBy(due, ({ company_id }) => company_id)) {
      try {
        count += await moveOrHalve(deps, now, companyId, tasks, failed);
        lost = 0;
      } catch (error) {
        if (!(error instanceof Stale)) throw error;
        lost++;
      }
    }
  }
  if (failed.size > 0) {
    throw new Error(`${failed.size} tasks failed to move to their next stage; ${count} moved`);
  }
  return count;
}

/** Reads `n`, the number of tasks whose stage has ended at a moment in epoch milliseconds. */
export function dueTasks(now: number): Statement {
  return sql`select count(*) as n from tasks t where ${isDue(formatTimestamp(now))}`;
}

/** Moves the tasks, or each half of them where one commit fails, and returns their number. */
async function moveOrHalve(
  deps: Deps,
  now: number,
  companyId: number,
  tasks: readonly Due[],
  failed: Failed,
): Promise<number> {
  try {
    await moveTasks(deps, now, companyId, tasks);
    return tasks.length;
  } catch (error) {
    if (error instanceof Stale || error instanceof DatabaseUnavailable) throw error;
    if (tasks.length > 1) {
      const half = tasks.length >> 1;
      return await moveOrHalve(deps, now, companyId, tasks.slice(0, half), failed) +
        await moveOrHalve(deps, now, companyId, tasks.slice(half), failed);
    }
    const { id } = tasks[0]!;
    failed.add(id);
    deps.log.error({ event: "timer_failed", company_id: companyId, task_id: id, ...errorFields(error) });
    return 0;
  }
}

/** A task is pending up to the second of its end. */
function isDue(at: string): Sql {
  return sql`t.stage_ends_at <= ${at} and (t.stage = 'later' or t.stage_ends_at < ${at})`;
}

async function readDue(deps: Deps, at: string, failed: Failed): Promise<Due[]> {
  const mayBeAssigned = mayDo(sql`t.case_id`, sql`t.company_id`);
  const [due] = await deps.db.read([
    sql`select t.id, t.company_id, t.case_id, t.start_at, t.end_at, t.completed_at, t.stage, t.version,
      (select u.id from users u where u.id = t.user_id and ${mayBeAssigned}) as user_id
      from tasks t where ${isDue(at)} and +t.id not in (select value from json_each(${
      JSON.stringify([...failed])
    }))
      order by t.stage_ends_at, t.id limit ${most} + 0`,
  ]);
  return due!.rows.map((row) => dueOf(row, at));
}

function dueOf(row: Row, at: string): Due {
  const { start_at, end_at, completed_at } = row as Record<string, string>;
  const times = { start_at: start_at!, end_at: end_at!, completed_at: completed_at ?? null };
  return { ...row, next: taskStatus(times, at) } as Due;
}

async function moveTasks(deps: Deps, now: number, companyId: number, due: readonly Due[]): Promise<void> {
  const rows = JSON.stringify(due.map(({ id, stage, version, next }) => [id, stage, version, next]));
  await commit({ deps, now, at: formatTimestamp(now) }, {
    companyId,
    statements: [
      guardThat(
        "tasks",
        sql`not exists (select 1 from json_each(${rows}) v left join tasks t on t.id = v.value ->> 0
          where t.stage is not v.value ->> 1 or t.version is not v.value ->> 2)`,
      ),
      sql`update tasks set stage = v.value ->> 3 from json_each(${rows}) v where tasks.id = v.value ->> 0`,
    ],
    notifications: due.filter(({ next }) => next === "overdue").flatMap(overdueNotification),
    answer: noContent,
  });
}

function overdueNotification({ id, case_id, user_id }: Due): NotificationDraft[] {
  if (user_id === null) return [];
  return [{
    type: "overdue_task",
    to: [{ users: [user_id] }],
    data: { case: { id: case_id }, task: { id } },
  }];
}
