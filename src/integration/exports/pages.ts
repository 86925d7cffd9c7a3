/** Reads the records of an export page by page, each as its user sees it at that moment. */
import type { Caller } from "../../core/access.ts";
import { Problem } from "../../core/errors.ts";
import { formatTimestamp } from "../../core/time.ts";
import { readMemberRow, selectMemberById } from "../../db/caller_guard.ts";
import { selectFieldsOfCompany } from "../../db/custom_values.ts";
import { readCompanyFields } from "../../fields/field_sets.ts";
import { identifier, joinSql, type Sql, sql } from "../../db/statements.ts";
import type { Contribution } from "../../customers/filter_catalogue.ts";
import type { Database, Row } from "../../platform/database/database.ts";
import type { Cell } from "./cells.ts";
import { toCell } from "./cells.ts";
import { chooseUsualColumns, findColumns } from "./columns.ts";
import { MadeSince } from "./made_since.ts";
import { compileExportFilter, findKind, type StoredFilter, type Viewing } from "./records.ts";
import type { ExportFailure, ExportRow } from "./table.ts";

/** The export cannot go on: another attempt would end the same. */
export class ExportEnds extends Error {
  constructor(readonly failure: ExportFailure) {
    super(`the export ends: ${failure}`);
  }
}

export type Exported = Pick<
  ExportRow,
  "id" | "company_id" | "user_id" | "entity" | "columns" | "filter" | "last_row" | "last_event"
>;

interface Reading {
  readonly db: Database;
  readonly now: () => number;
  readonly contributions: readonly Contribution[];
}

/** The user of an export, and the number of changes to any user when it was read. */
interface Sight extends Viewing {
  readonly changes: number;
}

const changesRead = sql`select n from caller_changes where id = 1`;

/** Reads what the user may see now. Throws `ExportEnds` when the user may not export any more. */
async function readSight(
  { db, now }: Reading,
  { company_id, user_id, entity, filter }: Exported,
): Promise<Sight> {
  const [members, defined, changes] = await db.read([
    selectMemberById(user_id),
    selectFieldsOfCompany(company_id),
    changesRead,
  ]);
  const found = members!.rows[0];
  if (!found) throw new ExportEnds("maker_deleted");
  const member = readMemberRow(found);
  const mayFilter = entity !== "leads" || filter === null || member.userType === "admin";
  if (!member.rights.has("reports.export") || !mayFilter) throw new ExportEnds("right_missing");
  const caller: Caller = { ...member, tokenId: "", clientId: "", trusted: false };
  const moment = now();
  return {
    caller,
    fields: readCompanyFields(defined!.rows[0]?.fields as string | null ?? null, member),
    now: moment,
    at: formatTimestamp(moment),
    changes: Number(changes!.rows[0]!.n),
  };
}

/** The columns of the file, and its rows. */
export interface Opened {
  readonly columns: readonly string[];
  readonly slices: AsyncIterable<readonly (readonly Cell[])[]>;
}

/**
 * Opens an export for reading. Rights and visibility are judged anew whenever those of any user have changed, together
 * with the rows of the page. A column whose field the user does not see any more is empty from then on.
 */
export async function openExport(reading: Reading, exported: Exported): Promise<Opened> {
  const sight = await readSight(reading, exported);
  const names = await readColumnNames(reading, exported, sight);
  return { columns: names, slices: yieldSlices(reading, exported, sight, names) };
}

async function readColumnNames(
  reading: Reading,
  exported: Exported,
  sight: Sight,
): Promise<readonly string[]> {
  const { entity, columns } = exported;
  const given = columns === null
    ? chooseUsualColumns(
      entity,
      sight.fields.seen,
      entity === "leads" ? await leadKeys(reading, exported, sight) : [],
    )
      .map(({ name }) => name)
    : JSON.parse(columns) as string[];
  if (given.length === 0) throw new ExportEnds("columns");
  return given;
}

/** The most keys of the data of leads that have columns. */
const mostKeys = 400;

/** Returns the keys of the data of the leads that the user sees, in the order of the alphabet. */
async function leadKeys(reading: Reading, exported: Exported, sight: Sight): Promise<string[]> {
  let keys: string[] = [];
  for await (const { rows } of yieldPages(reading, exported, sight, sql`leads.id, leads.lead_data`)) {
    const found = rows.flatMap(({ lead_data }) => JSON.parse(String(lead_data)) as { key: string }[]);
    // Later keys cannot bring back one that is behind the last of these.
    keys = [...new Set([...keys, ...found.map(({ key }) => key)])].sort().slice(0, mostKeys);
  }
  return keys;
}

async function* yieldSlices(
  reading: Reading,
  exported: Exported,
  first: Sight,
  names: readonly string[],
): AsyncGenerator<readonly (readonly Cell[])[]> {
  const { show } = findKind(exported.entity);
  let known = { sight: first, columns: findColumns(exported.entity, first.fields.seen, names) };
  for await (const { rows, sight } of yieldPages(reading, exported, first)) {
    const { seen } = sight.fields;
    if (known.sight !== sight) known = { sight, columns: findColumns(exported.entity, seen, names) };
    const { columns } = known;
    for (let from = 0; from < rows.length; from += sliceRows) {
      yield rows.slice(from, from + sliceRows).map((row) => {
        const shown = show(row, seen, sight);
        return columns.map((column) => column ? toCell(column, shown) : null);
      });
      // A slice takes a few milliseconds.
      await new Promise((resolve) => setTimeout(resolve));
    }
  }
}

/** Rows that are made into cells at once. */
const sliceRows = 100;
/** Bytes of texts after which a page ends: the values of one record may have more than a MiB. */
const mostTexts = 8 * 1024 * 1024;

interface Page {
  readonly rows: readonly Row[];
  readonly sight: Sight;
}

/**
 * Yields the records by creation and id: those that were there at the call, each once. Each page looks at a bounded
 * number of records, so that it takes no longer where the user sees few of many. `only`: SQL of the columns; by default
 * those of the list.
 */
async function* yieldPages(
  reading: Reading,
  exported: Exported,
  first: Sight,
  only: Sql | null = null,
): AsyncGenerator<Page> {
  const { db } = reading;
  const { last_event } = exported;
  const made = last_event === null ? null : new MadeSince({ ...exported, last_event });
  let sight = first;
  let after: readonly [string, string] = ["", ""];
  for (;;) {
    const [candidates, found, changes, events] = await db.read([
      ...selectExportPage(reading, exported, sight, { after, only }),
      changesRead,
      ...(made ? [made.read()] : []),
    ]);
    const isUpToDate = !made || made.note(events!);
    if (Number(changes!.rows[0]!.n) !== sight.changes) {
      sight = await readSight(reading, exported);
      continue;
    }
    if (!isUpToDate) continue;
    yield { rows: made ? found!.rows.filter(({ id }) => !made.has(id)) : found!.rows, sight };
    const { last_at, last_id } = candidates!.rows[0]!;
    if (last_at === null) return;
    after = [String(last_at), String(last_id)];
  }
}

function selectExportPage(
  { contributions }: Reading,
  { entity, company_id, filter, last_row, last_event }: Exported,
  sight: Sight,
  { after: [after_at, after_id], only }: {
    readonly after: readonly [string, string];
    readonly only: Sql | null;
  },
) {
  const { list, most, more, texts, isSeen } = findKind(entity);
  const { alias, columns, joins = sql`` } = list;
  const table = identifier(list.table);
  const size = joinSql(texts.map((name) => sql`ifnull(octet_length(${identifier("y", name)}), 0)`), " + ");
  const candidates =
    sql`select y.rowid as row, y.created_at, y.id, ${size} as size from ${table} y where y.company_id = ${company_id}
    and (y.created_at, y.id) > (${after_at}, ${after_id}) order by y.created_at, y.id limit ${most} + 0`;
  // The first record is in the page also when it alone is larger.
  const step =
    sql`select row, created_at, id from (select c.row, c.created_at, c.id, ifnull(sum(c.size) over (
    order by c.created_at, c.id rows between unbounded preceding and 1 preceding), 0) as before from (${candidates}) c)
    where before < ${mostTexts}`;
  const selected = filter === null
    ? sql`1`
    : compileOrEnd(() =>
      compileExportFilter(entity, JSON.parse(filter) as StoredFilter, sight, contributions)
    );
  const row = identifier(alias, "rowid");
  return [
    {
      ...sql`select max(created_at) as last_at,
      (select s.id from (${step}) s order by s.created_at desc, s.id desc limit 1) as last_id from (${step})`,
      ...readThreaded(company_id),
    },
    sql`select ${only ?? sql`${columns}, ${more}`}
      from (${step}) step cross join ${table} ${identifier(alias)} on ${row} = step.row
      ${joins} where ${last_event === null ? sql`${row} <= ${last_row}` : sql`1`} and ${isSeen(sight)}
      and ${selected}
      order by step.created_at, step.id`,
  ];
}

/** A page may take longer than a call may hold the process up. */
const readThreaded = (company: number) => ({ threaded: { effort: "scan" as const, company } });

/** Ends the export when its filter names what is gone. */
function compileOrEnd<T>(compile: () => T): T {
  try {
    return compile();
  } catch (error) {
    if (error instanceof Problem) throw new ExportEnds("filter");
    throw error;
  }
}
