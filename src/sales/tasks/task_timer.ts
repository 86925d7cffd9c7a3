/**
 * The timer of tasks. Any number of processes may run it: each task whose stage has ended moves to its next
 * stage exactly once. When a task becomes overdue, its assignee is notified once.
 */
import { noContent } from "../../core/answer.ts";
import { Stale } from "../../core/errors.ts";
import { formatTimestamp } from "../../core/time.ts";
import { commit } from "../../db/commit.ts";
import { isLiveCompany } from "../../db/live_company.ts";
import type { NotificationDraft } from "../../db/notifications.ts";
import { type Sql, sql } from "../../db/statements.ts";
import type { Deps } from "../../deps.ts";
import { guardThat, type Row, type Statement } from "../../platform/database/database.ts";
import { bisect, deleteSetAside, isSetAside, setRecordAside } from "../../staged/set_aside.ts";
import { mayDo } from "./assignee.ts";
import { computeTaskStatus, type TaskStatus } from "./record.ts";

/** Tasks in one commit, so that it holds the write lock for well under 100 ms. */
const most = 50;
/** The run ends after this many batches in a row that other processes take first. */
const maxLostBatches = 20;
/** The run ends after this many failed tasks. */
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

/** The name of the queue under which tasks are set aside. */
const taskTimer = "task_timer";

/**
 * Moves every task whose stage has ended at `now` (epoch milliseconds) to its next stage and returns their
 * number. Reads a batch again when it changed meanwhile. Sets aside a task that fails alone and retries it
 * later; throws after the other tasks are done.
 */
export async function announceOverdueTasks(deps: Deps, now: number): Promise<number> {
  let count = 0;
  let lost = 0;
  let failed = 0;
  while (lost < maxLostBatches && failed < maxFailed) {
    const due = await readDue(deps, now);
    if (due.length === 0) break;
    for (const [company_id, tasks] of Map.groupBy(due, ({ company_id }) => company_id)) {
      try {
        count += await bisect(tasks, {
          act: (some) => moveTasks(deps, now, company_id, some),
          onFailure: async ({ id, version }, error) => {
            failed++;
            await setRecordAside(deps, { queue: taskTimer, record: id, company_id, version, error }, now);
          },
          ends: (error) => error instanceof Stale,
        });
        lost = 0;
      } catch (error) {
        if (!(error instanceof Stale)) throw error;
        lost++;
      }
    }
  }
  if (failed > 0) throw new Error(`${failed} tasks failed to move to their next stage; ${count} moved`);
  return count;
}

/** Reads `n`, the number of tasks whose stage has ended at a moment in epoch milliseconds. */
export function selectDueTaskCount(now: number): Statement {
  return sql`select count(*) as n from tasks t where ${isDue(now)}`;
}

/**
 * Reads `n`, the number of tasks whose stage will end, and `due`: when the first of them ended, as a timestamp. Tasks
 * that are set aside and those of a deleted company do not count.
 */
export function selectWaitingTaskCount(now: number): Statement {
  return sql`select count(*) as n, min(t.stage_ends_at) as due from tasks t
    where t.stage_ends_at is not null and ${isLiveCompany(sql`t.company_id`)}
    and not ${isSetAside(taskTimer, sql`t.id`, sql`t.version`, now)}`;
}

/**
 * SQL: whether the stage of a task has ended and the task is not set aside. A task stays pending through the
 * second of its end. Tasks of a deleted company wait.
 */
function isDue(now: number): Sql {
  const at = formatTimestamp(now);
  return sql`t.stage_ends_at <= ${at} and (t.stage = 'later' or t.stage_ends_at < ${at})
    and ${isLiveCompany(sql`t.company_id`)}
    and not ${isSetAside(taskTimer, sql`t.id`, sql`t.version`, now)}`;
}

async function readDue(deps: Deps, now: number): Promise<Due[]> {
  const mayBeAssigned = mayDo(sql`t.case_id`, sql`t.company_id`);
  const [due] = await deps.db.read([
    sql`select t.id, t.company_id, t.case_id, t.start_at, t.end_at, t.completed_at, t.stage, t.version,
      (select u.id from users u where u.id = t.user_id and ${mayBeAssigned}) as user_id
      from tasks t where ${isDue(now)} order by t.stage_ends_at, t.id limit ${most} + 0`,
  ]);
  return due!.rows.map((row) => makeDue(row, formatTimestamp(now)));
}

function makeDue(row: Row, at: string): Due {
  const { start_at, end_at, completed_at } = row as Record<string, string>;
  const times = { start_at: start_at!, end_at: end_at!, completed_at: completed_at ?? null };
  return { ...row, next: computeTaskStatus(times, at) } as Due;
}

/** Moves the tasks to their next stages in one commit. */
async function moveTasks(
  deps: Deps,
  now: number,
  companyId: number,
  due: readonly Due[],
): Promise<number> {
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
      deleteSetAside(taskTimer, due.map(({ id }) => id)),
    ],
    notifications: due.filter(({ next }) => next === "overdue").flatMap(draftOverdueNotification),
    answer: noContent,
  });
  return due.length;
}

function draftOverdueNotification({ id, case_id, user_id }: Due): NotificationDraft[] {
  if (user_id === null) return [];
  return [{
    type: "overdue_task",
    to: [{ users: [user_id] }],
    data: { case: { id: case_id }, task: { id } },
  }];
}
