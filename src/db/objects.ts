/**
 * Objects in the storage and their rows. An object is announced before it is stored, and taken by the commit
 * of the record that shows it. A job removes objects without a record. So an interruption at any step leaves
 * no orphan in the storage and no record without its object.
 */
import { keptForMoment } from "../core/budgets.ts";
import { computeFurthest } from "../core/clocks.ts";
import { lifetimes } from "../core/lifetimes.ts";
import type { Deps } from "../deps.ts";
import { awaitAll } from "../platform/background.ts";
import { guardThat, type Statement } from "../platform/database/database.ts";
import { readPresent } from "./ageing.ts";
import { isLeased } from "./leases.ts";
import { bindRows, type Sql, sql } from "./statements.ts";

/** An object whose bytes arrive after it was announced. */
export interface StreamedObject {
  readonly key: string;
  readonly type: string;
  readonly size: number;
}

export interface NewObject {
  readonly key: string;
  /** The media type, detected from the content. */
  readonly type: string;
  readonly bytes: Uint8Array;
}

/**
 * How long an announced object stays without a record before it is removed, in milliseconds: longer than any
 * upload.
 */
const patience = 3_600_000;
/** Objects that a job claims at once, and the milliseconds until another job may claim them. */
const stepObjects = 50;
const claimed = 600_000;
const mostSteps = 100;

/** How long an interrupted backup prevents the deletion of objects, in milliseconds. */
const backupMs = 6 * 3_600_000;

interface Moment {
  readonly now: number;
  readonly at: string;
}

/**
 * Announces objects, in a batch before they are stored. `when`: a select; without a row nothing is announced.
 */
export function announceObjects(
  { now, at }: Moment,
  companyId: number,
  objects: readonly NewObject[],
  when: Statement,
): Statement {
  return insertRows({ at }, companyId, objects, when, now + patience);
}

function insertRows(
  { at }: Pick<Moment, "at">,
  companyId: number,
  objects: readonly NewObject[],
  when: Statement,
  removedFrom: number,
): Statement {
  return sql`insert into objects (key, company_id, type, bytes, removed_from, created_at)
    select value ->> 0, ${companyId}, value ->> 1, value ->> 2, ${removedFrom}, ${at}
    from json_each(${JSON.stringify(objects.map(({ key, type, bytes }) => [key, type, bytes.length]))})
    where exists (${when})`;
}

/** The name of the guard that refuses an object beyond `keptForMoment`. */
export const keptTooMuch = "kept_for_a_moment";

/**
 * Announces an object that no record takes: it lives as long as its link. Refuses the batch when the company would
 * keep more than `keptForMoment`.
 */
export function announceForMoment(moment: Moment, companyId: number, object: NewObject): Statement[] {
  const until = moment.now + lifetimes.fileLink;
  return [
    insertRows(moment, companyId, [object], sql`select 1`, until),
    guardThat(
      keptTooMuch,
      sql`(select sum(bytes) from (${selectKept(companyId, moment.now)})) <= ${keptForMoment.bytes}`,
    ),
  ];
}

/** Reads `until`, when the first object that the company keeps for a moment goes. */
export function selectFirstToGo(companyId: number, now: number): Statement {
  return sql`select min(removed_from) as until from (${selectKept(companyId, now)})`;
}

/** SQL: what the company keeps for a moment. What was announced for a record stays longer without one. */
function selectKept(companyId: number, now: number): Sql {
  return sql`select bytes, removed_from from objects
    where company_id = ${companyId} and removed_from > ${now}
    and removed_from <= ${now + lifetimes.fileLink}`;
}

/** Announces an object whose type and size are not known yet; see `takeStreamed`. */
export function announceStreamed(moment: Moment, companyId: number, key: string, when: Statement): Statement {
  return announceObjects(moment, companyId, [{ key, type: "", bytes: new Uint8Array() }], when);
}

/** Makes a record take a streamed object, in the commit after it was stored. */
export function takeStreamed({ now }: Pick<Moment, "now">, { key, type, size }: StreamedObject): Statement[] {
  return [
    sql`update objects set removed_from = null, type = ${type}, bytes = ${size}
      where key = ${key} and removed_from = ${now + patience}`,
    guardThat("objects", sql`changes() = 1`),
  ];
}

/**
 * Removes announced objects unless a record took them. A commit that seemed to fail can have succeeded,
 * because its answer can be lost.
 */
export async function withdrawObjects(
  { deps, now }: { readonly deps: Pick<Deps, "db" | "storage">; readonly now: number },
  keys: readonly string[],
): Promise<void> {
  const [found] = await deps.db.write([
    sql`update objects set removed_from = ${now + claimed} where key in (select value
    from json_each(${JSON.stringify(keys)})) and removed_from = ${now + patience}
    returning key`,
  ]);
  await removeClaimed(deps, found!.rows.map(({ key }) => key as string));
}

/**
 * Stores announced objects and commits the record that takes them. If either fails, withdraws the objects.
 */
export async function withStored<T>(
  { deps, now }: Moment & { readonly deps: Pick<Deps, "db" | "storage"> },
  objects: readonly NewObject[],
  commit: () => Promise<T>,
): Promise<T> {
  try {
    // After `Promise.all`, an object could still be written while it is withdrawn, and would stay in the storage.
    await awaitAll(objects.map(({ key, bytes, type }) => deps.storage.put(key, bytes, type)));
    return await commit();
  } catch (error) {
    // If this also fails, the job removes the objects.
    await withdrawObjects({ deps, now }, objects.map(({ key }) => key)).catch(() => {});
    throw error;
  }
}

/** Deletes the announcement of objects that are not stored, because their upload is refused. */
export function retractObjects(
  { now }: Pick<Moment, "now">,
  objects: readonly Pick<NewObject, "key">[],
): Statement {
  return sql`delete from objects where key in (select value
    from json_each(${JSON.stringify(objects.map(({ key }) => key))})) and removed_from = ${now + patience}`;
}

/** Makes a record take announced objects, in the commit after they were stored. */
export function takeObjects({ now }: Moment, objects: readonly NewObject[]): Statement[] {
  return [
    sql`update objects set removed_from = null where key in (select value
      from json_each(${JSON.stringify(objects.map(({ key }) => key))})) and removed_from = ${now + patience}`,
    guardThat("objects", sql`changes() = ${objects.length}`),
  ];
}

/** Releases the objects of a record. Ignores null keys. */
export function dropObjects(now: number, keys: readonly (string | null)[]): Statement {
  return sql`update objects set removed_from = ${now} where key in (select value
    from json_each(${JSON.stringify(keys.filter((key) => key !== null))})) and removed_from is null`;
}

/** Releases an object that another one replaces. Waiting mail is still sent with the old object. */
export function replaceObject(now: number, key: string): Statement {
  return sql`update objects set removed_from = ${now}, replaced = 1 where key = ${key} and removed_from is null`;
}

/** Releases at most `most` objects of a company. */
export function dropCompanyObjects(companyId: number, now: number, most: number): Statement {
  return sql`update objects set removed_from = ${now}
    where rowid in (select rowid ${composeRowsToDrop(companyId, now)} limit ${bindRows(most)})`;
}

/** Reads a row when `dropCompanyObjects` has something to drop. */
export function selectObjectsToDrop(companyId: number, now: number): Statement {
  return sql`select 1 as found ${composeRowsToDrop(companyId, now)} limit 1`;
}

function composeRowsToDrop(companyId: number, now: number): Sql {
  return sql`from objects where company_id = ${companyId} and (removed_from is null or removed_from > ${now})`;
}

/** Reads `type` and `bytes` of an object that a record of an existing company has. */
export function selectObjectByKey(key: string): Statement {
  return sql`select o.type, o.bytes from objects o join companies c on c.id = o.company_id
    where o.key = ${key} and o.removed_from is null and c.deleted_at is null`;
}

/**
 * Returns two statements. The first prevents deletions while a backup of this name runs, so that the backup
 * has every object of its database copy. The second allows deletions again.
 */
export function holdObjects(name: string, now: number): readonly [Statement, Statement] {
  const lease = `backup:${name}`;
  return [
    sql`insert into leases (name, holder, until) values (${lease}, ${name}, ${now + backupMs})`,
    sql`delete from leases where name = ${lease}`,
  ];
}

/**
 * Removes objects without a record at `now` (epoch milliseconds). Returns their number. A later run retries
 * failures.
 */
export async function removeObjects(
  deps: Pick<Deps, "db" | "storage" | "clock">,
  now: number,
): Promise<number> {
  const present = readPresent(deps, now);
  let removed = 0;
  for (let step = 0; step < mostSteps; step++) {
    const removable = selectRemovable(now, present);
    const [found] = await deps.db.write([
      sql`update objects set removed_from = ${now + claimed} where rowid in (${removable}) and
        not exists (select 1 from leases l where l.name glob 'backup:*' and ${isLeased(present, backupMs)})
        returning key`,
    ]);
    const keys = found!.rows.map(({ key }) => key as string);
    if (keys.length === 0) break;
    await removeClaimed(deps, keys);
    removed += keys.length;
  }
  return removed;
}

/**
 * SQL: selects objects that are due at `now`, and objects whose due time is further away from the present than any
 * wait, because a clock that was ahead wrote it.
 */
function selectRemovable(now: number, present: number): Sql {
  return sql`select rowid from (select rowid, removed_from from objects where removed_from <= ${now}
        and not (${isAwaited}) union all
      select rowid, removed_from from objects where removed_from > ${computeFurthest(present, patience)})
    order by removed_from limit ${bindRows(stepObjects)}`;
}

/** SQL: whether the object was replaced, and mail of an existing company waits to be sent with it. */
const isAwaited = sql`replaced = 1 and key in (select k.value from mails m indexed by mails_with_objects
      join json_each(m.objects) k where m.status = 'pending' and m.objects is not null)
    and exists (select 1 from companies c where c.id = objects.company_id and c.deleted_at is null)`;

/**
 * Removes objects from the storage, then from the database. Objects that fail stay claimed; throws the first
 * error at the end.
 */
async function removeClaimed(deps: Pick<Deps, "db" | "storage">, keys: readonly string[]): Promise<void> {
  const outcomes = await Promise.allSettled(keys.map((key) => deps.storage.remove(key)));
  const gone = keys.filter((_, index) => outcomes[index]!.status === "fulfilled");
  await deps.db.write([
    sql`delete from objects where key in (select value from json_each(${JSON.stringify(gone)}))
      and removed_from is not null`,
  ]);
  const failure = outcomes.find((outcome) => outcome.status === "rejected");
  if (failure) throw failure.reason;
}
