/** Finds records by parts of their texts, in an index of trigrams. */
import { areTeams, composeStreamTerms, type Stream } from "../db/scope.ts";
import { identifier, joinSql, literal, type Sql, sql } from "../db/statements.ts";
import { chooseSearch, predicate } from "./predicates.ts";
import { chooseEntries, isPart, listEntriesOfAny, listTexts } from "./trigrams.ts";
import { composeKeyRange, composeSeqOfKey, makeTeamMark, type TextIndex } from "./text_index.ts";
import type { Condition } from "./parse.ts";

/**
 * Finds records by parts of their texts: all of the company's, or only those in the streams of some teams.
 */
export interface TrigramPath {
  /** A select of the records' `seq`, each once. */
  readonly rowIds: Sql;
  /** The same path for the streams of some teams; null when the index does not cover the streams. */
  readonly forTeams: (streams: readonly Stream[]) => TrigramPath | null;
}

/**
 * The most stale rows that a search reads one by one. With more, as after a migration, it reads the company's
 * records as if there were no index.
 */
export const mostStale = 10_000;

/**
 * Finds the company's records that meet all of the conditions, which are on texts of the same kind of record.
 * `kinds`: whether the path also tests the kinds of the conditions, which are then those of these records.
 * Null: the index does not help.
 */
export function planTrigramPath(
  conditions: readonly Condition[],
  companyId: number,
  kinds: boolean,
): TrigramPath | null {
  const used = conditions.filter((each) => chooseSearch(each) === "trigrams");
  const [first] = used.flatMap(({ field: { value } }) =>
    value.kind === "column" && value.parts ? [{ ...value.parts, writeFolded: value.sql }] : []
  );
  if (!first) return null;
  const only = new Map(
    conditions.flatMap(({ field: { only } }) => kinds && only ? [[only.test("r").sql, only.test]] : []),
  );
  const kind = (own: string) => joinSql([...only.values()].map((test) => sql` and ${test(own)}`), "");
  return recordsWith({ first, conditions: used, companyId, kind, streams: null });
}

interface Sought {
  /** The index, and the text of the first condition: its column in the index, and its SQL. */
  readonly first: {
    readonly index: TextIndex;
    readonly column: string;
    readonly writeFolded: (own: string) => Sql;
  };
  readonly conditions: readonly Condition[];
  readonly companyId: number;
  /** SQL ` and …`: tests the kind, over rows that have the column `b2c`. */
  readonly kind: (own: string) => Sql;
  readonly streams: readonly Stream[] | null;
}

function recordsWith(sought: Sought): TrigramPath {
  return {
    rowIds: sql`select seq from (with ${fresh(sought)} ${selectFound(sought)} union all ${read(sought)})`,
    forTeams: (streams) => areTeams(streams) ? recordsWith({ ...sought, streams }) : null,
  };
}

/** SQL: whether so few of the company's rows are stale that a search uses the index. */
function fresh(sought: Sought): Sql {
  const some = sql`select 1 from ${selectStale(sought)} limit ${literal(mostStale + 1)}`;
  return sql`fresh(yes) as materialized (select (select count(*) from (${some})) <= ${literal(mostStale)})`;
}

/**
 * SQL: selects the records that the index finds, and tests each stale record itself. Empty unless `fresh`.
 */
function selectFound(sought: Sought): Sql {
  const { first: { index }, conditions, companyId, kind, streams } = sought;
  const { table, texts, stale } = index;
  const { from, until } = composeKeyRange(companyId);
  const { terms, whole } = makeMatch(conditions);
  const match = [...terms, ...(streams ? [makeMarks(streams)] : [])].join(" AND ");
  const words = identifier(texts);
  const rows = sql`select rowid >> 1 as key, rowid & 1 as b2c from ${words} where ${words} match ${match}
    and rowid >= ${from} << 1 and rowid < ${until} << 1`;
  const records = sql`cross join ${identifier(table)} o on o.seq =`;
  const [seq, joins, rest] = whole ? [composeSeqOfKey(sql`t.key`), sql``, sql``] : [
    sql`o.seq`,
    sql` ${records} ${composeSeqOfKey(sql`t.key`)}`,
    sql` and ${holdsTexts(conditions, "o")}`,
  ];
  const seqOfStale = composeSeqOfKey(sql`s.key`);
  return sql`select ${seq} as seq from fresh cross join (${rows}) t${joins} where fresh.yes${kind("t")}
    and not exists (select 1 from ${identifier(stale)} s where s.key = t.key)${rest}
    union all select o.seq from fresh cross join ${selectStale(sought)} ${records} ${seqOfStale}
    where fresh.yes and ${holds(sought, "o")}`;
}

/** SQL: selects the records by testing each of the company's. Empty if `fresh`. */
function read(sought: Sought): Sql {
  const { first: { index: { table }, column, writeFolded }, companyId } = sought;
  // Reads the index of the column, which is shorter than the table.
  return sql`select r.seq from fresh
    cross join ${identifier(table)} r indexed by ${identifier(`${table}_folded_${column}`)}
    where not fresh.yes and r.company_id = ${companyId} and ${writeFolded("r")} is not null
    and ${holds(sought, "r")}`;
}

function selectStale({ first: { index: { stale } }, companyId }: Sought): Sql {
  const { from, until } = composeKeyRange(companyId);
  return sql`(select key from ${identifier(stale)} where key >= ${from} and key < ${until}) s`;
}

function holds({ conditions, kind, streams }: Sought, own: string): Sql {
  const seen = streams ? [sql`(${joinSql(composeStreamTerms(streams, own, "+"), " or ")})`] : [];
  return sql`${joinSql([holdsTexts(conditions, own), ...seen], " and ")}${kind(own)}`;
}

function holdsTexts(conditions: readonly Condition[], own: string): Sql {
  const tests = conditions.flatMap((condition) => {
    const { value } = condition.field;
    return value.kind === "column" ? [predicate(condition, value.sql(own))] : [];
  });
  return joinSql(tests, " and ");
}

/**
 * Returns full-text terms that must all match. `whole`: whether every row that matches meets the conditions.
 */
function makeMatch(conditions: readonly Condition[]): { terms: string[]; whole: boolean } {
  const parts: { column: string; part: string }[] = [];
  const either: string[] = [];
  for (const { field: { value: of }, operator, value } of conditions) {
    if (of.kind !== "column" || !of.parts) continue;
    const { column } = of.parts;
    const term = (entry: string) => `{${column}} : ${quoteTerm(entry)}`;
    if (operator === "ct" && typeof value === "object") {
      const alternatives = listEntriesOfAny(listTexts(value)).map((entries) =>
        `(${entries.map(term).join(" AND ")})`
      ).join(" OR ");
      either.push(
        `(${alternatives})`,
      );
    } else parts.push(...listTexts(value).filter(isPart).map((part) => ({ column, part })));
  }
  const asked = chooseEntries(parts.map(({ part }) => part));
  const all = conditions.every(({ value }) => listTexts(value).every(isPart));
  return {
    terms: [
      ...parts.flatMap(({ column }, place) =>
        asked.entries[place]!.map((entry) => `{${column}} : ${quoteTerm(entry)}`)
      ),
      ...either,
    ],
    whole: asked.whole && either.length === 0 && all,
  };
}

/** Returns the full-text term for the rows of any of the teams. */
function makeMarks(streams: readonly Stream[]): string {
  const teams = streams.flatMap(({ values }) => values.map((value) => value === null ? null : Number(value)));
  return `{team} : (${teams.map((team) => quoteTerm(makeTeamMark(team))).join(" OR ")})`;
}

function quoteTerm(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}
