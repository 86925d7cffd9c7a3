/**
 * Trigram indexes: full-text tables whose entries have three letters, with a column for each text of a kind
 * of record. The texts are case-folded as filters compare them. An index finds every text that contains a
 * part of three letters or more.
 *
 * An index is brought up to date in steps, because to index a row alone costs ten times as much as among
 * many. Until then the row is stale, and a search reads the row itself.
 */
import { joinSql, literal, type Sql, sql } from "../db/statements.ts";

export interface TextIndex {
  /** The table of the records, which has `seq`, `company_id`, `team_id`, `b2c` and `folded`. */
  readonly table: string;
  /** The full-text table. Beside the texts it has the column `team`; see `makeTeamMark`. */
  readonly texts: string;
  /** The table of the keys of stale rows. */
  readonly stale: string;
  readonly columns: readonly string[];
}

/**
 * The bits of `seq` in a key. The number of an index row consists of the company, the `seq` and whether the
 * record is a consumer's. So the rows of a company are adjacent, and the kind is known without the record.
 */
const seqBits = 39;

/**
 * SQL: the key of a record, which is the number of its index row without the kind. Stale rows have this key.
 */
export function composeKey(companyId: string, seq: string): string {
  return `(${companyId} << ${seqBits} | ${seq})`;
}

/** SQL: the `seq` in a key. */
export function composeSeqOfKey(key: Sql): Sql {
  return sql`(${key} & ${literal(2 ** seqBits - 1)})`;
}

/** SQL: the first key of a company, and the first after all of its keys; `companyId` is bound as an integer. */
export function composeKeyRange(companyId: number): { from: Sql; until: Sql } {
  const id = sql`cast(${companyId} as integer)`;
  const bits = literal(seqBits);
  return { from: sql`(${id} << ${bits})`, until: sql`((${id} + 1) << ${bits})` };
}

/**
 * Returns three letters that stand for a team. They are one entry of the index, so that it finds the rows of
 * a team, too. Null: records that all share.
 */
export function makeTeamMark(team: number | null): string {
  return [1, letters, letters ** 2].map((unit) =>
    String.fromCodePoint(firstLetter + Math.floor((team ?? 0) / unit) % letters)
  ).join("");
}

/** SQL: the `makeTeamMark` of a team. */
export function composeTeamMark(team: Sql): Sql {
  const units = [1, letters, letters ** 2].map((unit) =>
    sql`${literal(firstLetter)} + coalesce(${team}, 0) / ${literal(unit)} % ${literal(letters)}`
  );
  return sql`char(${joinSql(units, ", ")})`;
}

const firstLetter = 0x4e00;
const letters = 20_000;
