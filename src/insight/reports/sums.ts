/**
 * Sums over facts as SQL: one statement for all figures of the facts of one kind, by the spans and the groups of a
 * question. Questions by user and team read rollups for whole weeks, months and years, and facts for the rest.
 */
import { factKinds } from "../../core/fact_kinds.ts";
import { delayLimits } from "../../facts/tables.ts";
import { bindRows, identifier, joinSql, literal, type Sql, sql } from "../../db/statements.ts";
import { composeAmount, isRolled, type Measure, measureId } from "../rollups/measures.ts";
import { beginning, type By, coverSpan, type Piece } from "../rollups/periods.ts";
import { rolledRows, rolledTo } from "../rollups/read.ts";
import {
  composeFilters,
  composeGroupKey,
  joinDims,
  limitToVisible,
  needsDims,
  selectGroupName,
  type Source,
} from "./conditions.ts";
import type { Question, Reader, Span } from "./question.ts";
import type { Counted, Spans } from "./spans.ts";

/** The sums that a statement computes over the facts of its kind. */
export interface Summed extends Source {
  readonly sums: readonly Sum[];
  /** Whether the sum is a level: its first span includes everything before it. */
  readonly isLevel: boolean;
  /**
   * `each`: also groups by user. `distinct`: returns the number of users who have any, instead of the sum.
   */
  readonly users?: "each" | "distinct";
  /**
   * Counts only facts that began before their span. Their value is the seconds since then. For
   * `assignment_accepted`.
   */
  readonly isLate?: boolean;
}

export interface Sum {
  readonly measure: Measure;
  readonly sign: 1 | -1;
}

/** The most rows of a statement: a question that needs more is refused. */
export const mostRows = 50_000;

/** The most facts that a question adds to rollups, multiplied by its spans. With more it reads only facts. */
const mostUnreached = 200_000;
/** The most spans of a question that reads rollups. With more it reads only facts. */
const mostRolledSpans = 200;

/**
 * Returns a statement with the columns `span` (its position), `ids` and `names` (JSON lists of the ids and names
 * of each group: with many groupings, single columns take several times the memory), `user` (of
 * `users: "each"`) and `s0` … (the sums). One row more than `mostRows` shows that there are too many.
 */
export function selectSums(
  reader: Reader,
  question: Question,
  { flows, levels }: Counted,
  source: Summed,
): Sql {
  const { groupBy } = question;
  const spans = source.isLevel ? levels : flows;
  const by = spans.list.length <= mostRolledSpans ? chooseRollup(reader, question, source) : null;
  const covers = by ? spans.list.map((span) => coverSpan(span, by)) : [];
  const isWorthIt = covers.flat().some(({ rollup }) => rollup !== null);
  const inner = isWorthIt
    ? selectRolledSums(reader, question, spans.list, covers, source)
    : source.isLate
    ? selectLateSums(reader, question, spans, source)
    : selectFactSums(reader, question, spans, source);
  const ids = groupBy.map((_, index) => identifier("q", `g${index}`));
  const names = groupBy.map((grouping, index) =>
    selectGroupName(reader.company.id, source, grouping, ids[index]!)
  );
  const sums = source.sums.map((_, index) => identifier("q", `s${index}`));
  const columns = [
    identifier("q", "span"),
    sql`json_array(${joinSql(ids, ", ")}) as ids`,
    sql`json_array(${joinSql(names, ", ")}) as names`,
    ...(source.users === "each" ? [identifier("q", "user")] : []),
    ...sums,
  ];
  return sql`select ${joinSql(columns, ", ")} from (${inner} limit ${bindRows(mostRows + 1)}) q`;
}

/** Returns the kind of rollups that has all that a question needs of the facts; null: no kind has. */
function chooseRollup(reader: Reader, question: Question, source: Summed): By | null {
  if (!isRolled(source) || source.isLate || source.users === "each") return null;
  const { groupBy, filters } = question;
  const needsUser = groupBy.includes("user") || filters.user_ids !== null || source.users !== undefined;
  if (needsDims(reader, question, source)) return needsUser ? null : "dims";
  return needsUser ? "user" : "team";
}

/** Where rows come from: `f` has at least the columns `company_id`, `user_id`, `team_id` and `dim_id`. */
interface Origin {
  readonly table: Sql;
  readonly where: Sql;
  /** SQL: the position of the span. */
  readonly span: Sql;
  /** SQL of what a row adds to each sum. */
  readonly sums: readonly Sql[];
}

/** SQL: the rows of an origin that the question counts, with the columns of the statement, not added up. */
function selectRows(reader: Reader, question: Question, source: Summed, origin: Origin): Sql {
  const columns = [
    sql`${origin.span} as span`,
    ...question.groupBy.map((grouping, index) =>
      sql`${composeGroupKey(reader, source, grouping)} as ${identifier(`g${index}`)}`
    ),
    ...(source.users ? [sql`f.user_id as user`] : []),
    ...origin.sums.map((sum, index) => sql`${sum} as ${identifier(`s${index}`)}`),
  ];
  return sql`select ${joinSql(columns, ", ")} from ${origin.table}${joinDims(reader, question, source)}
    where ${origin.where} ${limitToVisible(reader, source)} ${composeFilters(question, source)}`;
}

/** SQL: rows added up by span and group. */
function selectAddedUp(question: Question, source: Summed, rows: Sql): Sql {
  const groups = ["span", ...question.groupBy.map((_, index) => `g${index}`)];
  const byUser = source.users ? [...groups, "user"] : groups;
  const columns = (names: readonly string[]) => joinSql(names.map((name) => identifier(name)), ", ");
  const positions = (names: readonly string[]) => joinSql(names.map((_, index) => literal(index + 1)), ", ");
  const sums = source.sums.map((_, index) => {
    const name = identifier(`s${index}`);
    return sql`sum(${name}) as ${name}`;
  });
  const summed = sql`select ${columns(byUser)}, ${joinSql(sums, ", ")} from (${rows})
    group by ${positions(byUser)}`;
  if (source.users !== "distinct") return summed;
  return sql`select ${columns(groups)}, count(*) as s0 from (${summed} having sum(s0) > 0)
    where user is not null group by ${positions(groups)}`;
}

/**
 * SQL: sums over facts. One span is a condition. Several spans are a table, so that each is a search in the
 * index.
 */
function selectFactSums(reader: Reader, question: Question, { list, pairs }: Spans, source: Summed): Sql {
  const single = list.length === 1 ? list[0]! : null;
  return selectAddedUp(
    question,
    source,
    selectRows(reader, question, source, {
      table: single ? sql`facts f` : sql`json_each(${pairs}) b cross join facts f`,
      where: sql`${ofKind(reader, source)} and f.at >= ${single ? sql`${single.start}` : sql`(b.value ->> 0)`}
        and f.at < ${single ? sql`${single.end}` : sql`(b.value ->> 1)`}`,
      span: single ? sql`0` : sql`b.key`,
      sums: source.sums.map(selectAmount),
    }),
  );
}

/** SQL: the class of a fact's value, written as `delayClass` writes it in the index. */
const classOfDelay = joinSql(delayLimits.map((limit) => sql`(f.value >= ${literal(limit)})`), " + ");

/**
 * SQL: sums over late facts (see `isLate`). Of each class of values, reads only the facts soon after the
 * start of a span.
 */
function selectLateSums(reader: Reader, question: Question, { pairs }: Spans, source: Summed): Sql {
  const classes = JSON.stringify([...delayLimits, -beginning]);
  return selectAddedUp(
    question,
    source,
    selectRows(reader, question, source, {
      table: sql`json_each(${pairs}) b cross join json_each(${classes}) delay
        cross join facts f indexed by facts_by_delay`,
      where: sql`f.company_id = ${reader.company.id} and f.kind = ${literal(factKinds[source.kind])}
        and ${classOfDelay} = delay.key and f.at >= (b.value ->> 0)
        and f.at < min(b.value ->> 1, (b.value ->> 0) + delay.value)
        and f.at - cast(f.value as integer) < (b.value ->> 0)`,
      span: sql`b.key`,
      sums: source.sums.map(selectAmount),
    }),
  );
}

function ofKind({ company }: Reader, { kind }: Summed): Sql {
  return sql`f.company_id = ${company.id} and f.kind = ${factKinds[kind]}`;
}

function selectAmount({ measure, sign }: Sum): Sql {
  return sign === 1 ? composeAmount(measure) : sql`-${composeAmount(measure)}`;
}

/**
 * SQL: sums over rollups, over the facts of the times that they do not cover, and over the facts that they do
 * not include yet. If there are too many of the latter, it reads only facts. The database decides this by the
 * state that it reads.
 */
function selectRolledSums(
  reader: Reader,
  question: Question,
  spans: readonly Span[],
  covers: readonly (readonly Piece[])[],
  source: Summed,
): Sql {
  const reach = sql`(select r.seq from reach r
    where r.last - r.seq <= ${Math.floor(mostUnreached / spans.length)})`;
  const whole = spans.map(({ start, end }) => [{ rollup: null, start, end, sign: 1 as const }]);
  const pieces = sql`iif(${reach} is null, ${encodePieces(whole)}, ${encodePieces(covers)})`;
  const rows = (table: Sql, where: Sql, sums: readonly Sql[]) =>
    selectRows(reader, question, source, {
      table,
      where: sql`${where} and f.at >= b.start and f.at < b."end"`,
      span: sql`b.span`,
      sums,
    });
  const ofFacts = source.sums.map((sum) => sql`b.sign * ${selectAmount(sum)}`);
  const measures = JSON.stringify([...new Set(source.sums.map(({ measure }) => measureId(measure)))]);
  const all = [
    rows(
      sql`pieces b cross join json_each(${measures}) m cross join ${rolledRows} f`,
      sql`b.rollup is not null and f.company_id = ${reader.company.id} and f.measure = m.value
        and f.rollup = b.rollup`,
      source.sums.map(({ measure, sign }) =>
        sql`iif(f.measure = ${measureId(measure)}, b.sign * ${literal(sign)} * f.total, 0)`
      ),
    ),
    rows(sql`pieces b cross join facts f`, sql`b.rollup is null and ${ofKind(reader, source)}`, ofFacts),
    rows(sql`pieces b cross join unreached f`, sql`b.rollup is not null`, ofFacts),
  ];
  return sql`with reach as materialized (select ${rolledTo} as seq, (select max(l.seq) from facts l) as last),
    pieces as materialized (select value ->> 0 as span, value ->> 1 as start, value ->> 2 as "end",
      value ->> 3 as sign, value ->> 4 as rollup from json_each(${pieces})),
    unreached as materialized (
      select f.company_id, f.at, f.user_id, f.team_id, f.dim_id, f.flags, f.weight, f.value, f.value2 from facts f
      where f.seq > ${reach} and +f.company_id = ${reader.company.id} and +f.kind = ${factKinds[source.kind]})
    ${selectAddedUp(question, source, joinSql(all, " union all "))}`;
}

/** JSON of the pieces of all spans: position of the span, start, end, sign, rollup. */
function encodePieces(covers: readonly (readonly Piece[])[]): string {
  return JSON.stringify(
    covers.flatMap((pieces, span) =>
      pieces.map(({ rollup, start, end, sign }) => [span, start, end, sign, rollup])
    ),
  );
}
