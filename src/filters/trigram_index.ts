/** Records found by parts of texts of theirs, in an index of such parts. */
import { areTeams, type Stream, streamTerms } from "../db/scope.ts";
import { joined, raw, rawSql, type Sql, sql } from "../db/statements.ts";
import { entriesOf } from "./trigrams.ts";
import { keysOf, seqOfKey, teamMark, type TextIndex } from "./text_index.ts";
import type { Condition } from "./parse.ts";

/** How records are found by parts of texts; of those in some teams' streams alone, or of all of the company. */
export interface TrigramPath {
  readonly rank: number;
  /** A select of the records' `seq`, each once. */
  readonly rowIds: Sql;
  /** The same of the streams; null: the index does not tell what is in them. */
  readonly forTeams: (streams: readonly Stream[]) => TrigramPath | null;
}

/**
 * Rows that an index of texts has not taken in, up to which each of them is looked at instead. With more, as
 * after a migration, the company is read as if there were no such index.
 */
export const mostStale = 10_000;

/** Whether an index finds records by the condition. */
export function usesTrigrams({ field: { value }, operator, value: part }: Condition): boolean {
  return operator === "ct" && value.kind === "column" && value.parts !== undefined && isPart(String(part));
}

/** Three letters make an entry of an index; and some letters it takes for one another. */
function isPart(part: string): boolean {
  return [...part].length > 2 && !/[\ufffd-\uffff]/.test(part);
}

interface Part {
  readonly index: TextIndex;
  readonly column: string;
  /** What the index has of the text, over a record. */
  readonly folded: (own: string) => Sql;
  readonly part: string;
}

/**
 * The company's records that hold all of the conditions, which are on texts of the same kind of record.
 * `kinds`: whether the conditions' kinds are those of these very records, and tested, too.
 */
export function trigramPath(
  conditions: readonly Condition[],
  companyId: number,
  kinds: boolean,
): TrigramPath | null {
  const [first, ...others] = conditions.filter(usesTrigrams).flatMap((
    { field: { value }, value: part },
  ): Part[] =>
    value.kind === "column" && value.parts ? [{ ...value.parts, folded: value.sql, part: String(part) }] : []
  );
  if (!first) return null;
  const only = new Map(
    conditions.flatMap(({ field }) => kinds && field.only ? [[field.only("r").sql, field.only]] : []),
  );
  const kind = (own: string) => joined([...only.values()].map((test) => sql` and ${test(own)}`), "");
  return recordsWith({ parts: [first, ...others], companyId, kind, streams: null });
}

interface Sought {
  readonly parts: readonly [Part, ...Part[]];
  readonly companyId: number;
  /** As ` and …`, over what has `b2c`. */
  readonly kind: (own: string) => Sql;
  readonly streams: readonly Stream[] | null;
}

function recordsWith(sought: Sought): TrigramPath {
  const { parts } = sought;
  return {
    rank: 3 + 1 / parts.reduce((sum, { part }) => sum + part.length, 0),
    rowIds: sql`select seq from (with ${fresh(sought)} ${found(sought)} union all ${read(sought)})`,
    forTeams: (streams) => areTeams(streams) ? recordsWith({ ...sought, streams }) : null,
  };
}

/** SQL: whether so few of the company's rows are stale that the index is worth asking. */
function fresh(sought: Sought): Sql {
  const some = sql`select 1 from ${staleOf(sought)} limit ${rawSql(String(mostStale + 1))}`;
  return sql`fresh(yes) as materialized (select (select count(*) from (${some})) <= ${
    rawSql(String(mostStale))
  })`;
}

/** SQL: those that the index has, and the stale ones by a look at each; nothing unless `fresh`. */
function found(sought: Sought): Sql {
  const { parts, companyId, kind, streams } = sought;
  const { table, texts, stale } = parts[0].index;
  const { from, until } = keysOf("?");
  const asked = entriesOf(parts.map(({ part }) => part));
  const terms = parts.flatMap(({ column }, place) =>
    asked.entries[place]!.map((entry) => `{${column}} : ${quoted(entry)}`)
  );
  const match = [...terms, ...(streams ? [marksOf(streams)] : [])].join(" AND ");
  const rows = sql`select rowid >> 1 as key, rowid & 1 as b2c from ${rawSql(texts)} where ${
    rawSql(texts)
  } match ${sql`${match}`} and rowid >= ${raw(`${from} << 1`, companyId)} and rowid < ${
    raw(`${until} << 1`, companyId)
  }`;
  const [seq, joins, rest] = asked.whole ? [seqOfKey("t.key"), "", sql``] : [
    "o.seq",
    ` cross join ${table} o on o.seq = ${seqOfKey("t.key")}`,
    sql` and ${holdsTexts(parts, "o")}`,
  ];
  return sql`select ${rawSql(seq)} as seq from fresh cross join (${rows}) t${rawSql(joins)} where fresh.yes${
    kind("t")
  } and not exists (select 1 from ${rawSql(stale)} s where s.key = t.key)${rest}
    union all select o.seq from fresh cross join ${staleOf(sought)} cross join ${
    rawSql(table)
  } o on o.seq = ${rawSql(seqOfKey("s.key"))} where fresh.yes and ${holds(sought, "o")}`;
}

/** SQL: those that the company has, by a look at each; nothing if `fresh`. */
function read(sought: Sought): Sql {
  const { parts: [{ index: { table }, column, folded }], companyId } = sought;
  // What the index of the column has, which is shorter than the records.
  return sql`select r.seq from fresh cross join ${rawSql(table)} r indexed by ${rawSql(table)}_folded_${
    rawSql(column)
  } where not fresh.yes and ${sql`r.company_id = ${companyId}`} and ${folded("r")} is not null and ${
    holds(sought, "r")
  }`;
}

function staleOf({ parts: [{ index: { stale } }], companyId }: Sought): Sql {
  const { from, until } = keysOf("?");
  return sql`(select key from ${rawSql(stale)} where key >= ${raw(from, companyId)} and key < ${
    raw(until, companyId)
  }) s`;
}

function holds({ parts, kind, streams }: Sought, own: string): Sql {
  const seen = streams ? [sql`(${joined(streamTerms(streams, own, "+"), " or ")})`] : [];
  return sql`${joined([holdsTexts(parts, own), ...seen], " and ")}${kind(own)}`;
}

function holdsTexts(parts: readonly Part[], own: string): Sql {
  return joined(
    parts.map(({ folded, part }) => sql`instr(${folded(own)}, ${sql`${part}`}) > 0`),
    " and ",
  );
}

/** Rows of one of the teams. */
function marksOf(streams: readonly Stream[]): string {
  const teams = streams.flatMap(({ values }) => values.map((value) => value === null ? null : Number(value)));
  return `{team} : (${teams.map((team) => quoted(teamMark(team))).join(" OR ")})`;
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}
