/** Leases and steps of staged work: what the loop and the isolation of bad records share. */
import { noContent } from "../core/answer.ts";
import { Stale } from "../core/errors.ts";
import { commit } from "../db/commit.ts";
import { selectFieldsOfCompany } from "../db/custom_values.ts";
import { readCompanyFields } from "../fields/field_sets.ts";
import { isPast } from "../db/moments.ts";
import { type Sql, sql } from "../db/statements.ts";
import type { Deps } from "../deps.ts";
import { guardChanged, type Row, type Statement } from "../platform/database/database.ts";
import { describeError } from "../platform/log.ts";
import { BatchRate } from "./batch_rate.ts";
import { selectFirst } from "./first_of.ts";
import type { Moment, PlannedStep, StagedKind, Step, Take, Work } from "./kind.ts";
import { composeNextDue, isPaused, isPauseOver, selectSetAside } from "./set_aside.ts";

/** Milliseconds that a lease lasts after its last step: longer than a step takes with all its retries. */
const leaseMs = 30_000;
/** Milliseconds of work after which a run ends; the next run continues. */
export const runMs = 20_000;
/** The name of the guard that rejects a commit once the lease is lost. */
const workGuard = "staged_work";

export interface Run {
  readonly deps: Deps;
  readonly kinds: ReadonlyMap<string, StagedKind>;
  /** Epoch milliseconds, and the same as a timestamp. */
  readonly now: number;
  readonly at: string;
  readonly holder: string;
  readonly began: number;
  readonly rates: Map<string, BatchRate>;
  /** Work that this run leaves to the next, by id. */
  readonly left: Set<number>;
  /** How many turns each piece of work has had, by its id. */
  readonly turns: Map<number, number>;
  /** The number of records set aside, by the id of their work. */
  readonly setAside: Map<number, number>;
  steps: number;
  failed: number;
  /** Milliseconds of the shortest write. The time that a commit takes beyond this is its own work. */
  roundTrip: number;
}

/** Work that this run has leased. */
export interface Leased extends Work {
  readonly id: number;
  readonly kind: string;
  /** Whether some of its records are set aside. */
  readonly hasSetAside: boolean;
}

/** Leases the work for this run. Returns null when another run has it. */
export async function lease(run: Run, id: number): Promise<Leased | null> {
  const began = performance.now();
  const [leased] = await run.deps.db.write([
    sql`update staged_work set holder = ${run.holder}, lease_until = ${leaseEnd(run)} where id = ${id}
      and ${isFree(run)} returning ${selectWorkColumns(run)}`,
  ]);
  run.roundTrip = Math.min(run.roundTrip, performance.now() - began);
  return readWork(leased!.rows[0]);
}

/**
 * SQL: whether the work is due and has no lease, or one that has run out. The work of a deleted company waits, in
 * case it comes back.
 */
export function isFree({ now, kinds }: Run): Sql {
  const ofDeleted = JSON.stringify([...kinds.values()].flatMap((each) => each.ofDeleted ? [each.kind] : []));
  return sql`(kind in (select value from json_each(${ofDeleted})) or not exists (
      select 1 from companies k where k.id = company_id and k.deleted_at is not null))
    and ${isPauseOver(sql`due_at`, now)} and ${isPast(sql`lease_until`, now, runMs + leaseMs)}`;
}

/** Ends the lease of the work, if this run still holds it. */
export async function giveBack(run: Run, id: number): Promise<void> {
  await run.deps.db.write([
    sql`update staged_work set holder = null, lease_until = 0 where ${isHeld(run, id)}`,
  ]);
}

/** Plans a step and commits it. `isPart`: a step of chosen records, which is never the last. */
export async function makeStep(run: Run, work: Leased, take: Take, isPart = false): Promise<Step> {
  const { deps, now, at } = run;
  const plan = await run.kinds.get(work.kind)!.step(work, take, makeMoment(run, work));
  const step = "statements" in plan ? plan : await applyPlan(run, work, plan);
  const began = performance.now();
  let ran = null as number | null;
  await commit(step.author ?? { deps, now, at }, {
    companyId: work.company_id,
    statements: [
      ...(step.more || isPart
        ? continueWork(run, work, step)
        : work.hasSetAside
        ? postponeWork(run, work, step)
        : endWork(run, work)),
      ...step.statements,
      ...(step.more || isPart || work.hasSetAside ? [] : step.last ?? []),
    ],
    events: step.events,
    notifications: step.notifications,
    answer: noContent,
    onRan: (ms) => ran = ms,
  });
  const rate = getRate(run, work);
  if (ran === null) rate.took(performance.now() - began - run.roundTrip);
  else rate.ran(ran);
  return step;
}

async function applyPlan({ deps, now, at }: Run, { company_id }: Work, plan: PlannedStep): Promise<Step> {
  const [defined, ...results] = await deps.db.read([selectFieldsOfCompany(company_id), ...plan.reads]);
  const fields = readCompanyFields(defined!.rows[0]?.fields as string | null ?? null, null);
  return plan.apply({ deps, now, at, fields }, results);
}

/** The moment that a step gets. */
export function makeMoment(run: Run, work: Leased): Moment {
  const { deps, now, at } = run;
  const rate = getRate(run, work);
  return { deps, db: deps.db, now, at, share: (usual) => rate.share(usual) };
}

/** Goes on with another payload after a step has failed. Returns the work, or null once the lease is lost. */
export async function goOnWith(run: Run, work: Leased, payload: string): Promise<Leased | null> {
  const [changed] = await run.deps.db.write([
    sql`update staged_work set payload = ${payload}, lease_until = ${leaseEnd(run)}
      where ${isAsRead(run, work)}`,
  ]);
  return changed!.changes === 1 ? { ...work, payload } : null;
}

function continueWork(run: Run, work: Leased, { payload = work.payload }: Step): Statement[] {
  return [
    sql`update staged_work set lease_until = ${leaseEnd(run)}, attempts = 0, error = null,
      payload = ${payload}
      where ${isAsRead(run, work)}`,
    guardChanged(workGuard),
  ];
}

/** Puts off work that has only set-aside records left, until the first of them is due. */
function postponeWork(run: Run, work: Leased, { payload = work.payload }: Step): Statement[] {
  const next = sql`select min(due_at) from set_aside where queue = ${nameQueue(work)}
    and due_at > ${run.now}`;
  return [
    sql`update staged_work set holder = null, lease_until = 0, attempts = 0, due_at = coalesce((${next}), 0),
      payload = ${payload} where ${isAsRead(run, work)}`,
    guardChanged(workGuard),
  ];
}

function endWork(run: Run, work: Leased): Statement[] {
  return [
    sql`delete from staged_work where ${isAsRead(run, work)}`,
    guardChanged(workGuard),
    sql`delete from set_aside where queue = ${nameQueue(work)}`,
  ];
}

/** Puts off work that failed as a whole, and logs the error. */
export async function putOff(run: Run, work: Leased, error: unknown): Promise<void> {
  const reason = describeError(error);
  run.failed++;
  run.left.add(work.id);
  const held = isHeld(run, work.id);
  const [row] = await run.deps.db.write([
    sql`update staged_work set holder = null, lease_until = 0, attempts = attempts + 1, error = ${reason.error},
      due_at = ${composeNextDue(run.now, sql`(attempts + 1)`)} where ${held} returning attempts`,
  ]);
  const { kind, subject, company_id } = work;
  const attempts = row!.rows[0]?.attempts ?? 0;
  run.deps.log.error({ event: "staged_work_failed", kind, subject, company_id, attempts, ...reason });
}

/**
 * Whether a commit failed because the run lost its lease, or because the work has changed since the run read
 * it.
 */
export function isLost(error: unknown): boolean {
  return error instanceof Stale && error.message.includes(workGuard);
}

/** Reads the work again; null when this run no longer holds it. */
export async function readHeld(run: Run, id: number): Promise<Leased | null> {
  const [held] = await run.deps.db.read([
    sql`select ${selectWorkColumns(run)} from staged_work where ${isHeld(run, id)}`,
  ]);
  return readWork(held!.rows[0]);
}

/** The name under which records of the work are set aside. */
export function nameQueue({ id }: Pick<Leased, "id">): string {
  return `work:${id}`;
}

/** Returns a `Take` of all records except those set aside, fewer at a time while commits are slow. */
export function makeTake(run: Run, work: Leased): Take {
  const rate = getRate(run, work);
  const isFree = work.hasSetAside ? isNotSetAside(run, work) : sql`true`;
  return (ids, usual) => {
    const most = rate.share(usual);
    return { ids: selectFirst(ids, isFree, most), most };
  };
}

/** SQL: whether the record `id` of the work is not set aside. */
export function isNotSetAside({ now }: Run, work: Leased): Sql {
  return sql`id not in (${selectSetAside(nameQueue(work), now)})`;
}

function getRate({ rates }: Run, { kind }: Leased): BatchRate {
  const rate = rates.get(kind) ?? new BatchRate();
  rates.set(kind, rate);
  return rate;
}

function selectWorkColumns({ now }: Run): Sql {
  return sql`id, company_id, kind, subject, payload, exists (select 1 from set_aside a
    where a.queue = 'work:' || staged_work.id and ${isPaused(sql`a.due_at`, now)}) as has_set_aside`;
}

function readWork(row: Row | undefined): Leased | null {
  if (!row) return null;
  return {
    id: Number(row.id),
    company_id: Number(row.company_id),
    kind: String(row.kind),
    subject: String(row.subject),
    payload: String(row.payload),
    hasSetAside: row.has_set_aside === 1,
  };
}

function isHeld({ holder }: Run, id: number) {
  return sql`id = ${id} and holder = ${holder}`;
}

function isAsRead(run: Run, { id, payload }: Leased) {
  return sql`${isHeld(run, id)} and payload = ${payload}`;
}

/**
 * The end of a lease that begins now. Adds the time since the start of the run to that start, so that a clock
 * that jumps does not change it.
 */
function leaseEnd({ now, began }: Run): number {
  return Math.ceil(now + performance.now() - began) + leaseMs;
}
