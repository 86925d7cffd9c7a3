/** Moves the items at the root of a deleted group, team or user to another root, in bounded steps. */
import type { FieldAuthor } from "../../db/commit.ts";
import { identifier, joinSql, type Sql, sql } from "../../db/statements.ts";
import type { Result, Statement } from "../../platform/database/database.ts";
import type { RecordBatch, Step, Take } from "../../staged/kind.ts";
import type { Belonging } from "../table.ts";

/** Rows of a table in one step, so that it holds the write lock for well under 100 ms. */
export const mostRows = 200;

export interface Root {
  readonly company_id: number;
  readonly belongs_to: Belonging;
  readonly belongs_to_id: number;
}

/** The root of a deleted group or team, and the root that replaces it. */
export interface LostRoot {
  readonly from: Root;
  readonly to: Pick<Root, "belongs_to"> & { readonly belongs_to_id: number | Sql };
}

/**
 * The own folders of the user who deletes a group or team, with the files in them. They were not shown to others,
 * so that they do not become the company's. Files outside of folders then lie nowhere. `userId` null: of the
 * user who made each.
 */
export function makeOwnDestination(userId: number | null): LostRoot["to"] {
  return { belongs_to: "user", belongs_to_id: userId ?? sql`user_id` };
}

/** SQL: the columns of a file that lies nowhere, where its owner and admins read it. */
export function composeClearedPlace(at: string): Sql {
  return sql`folder_id = null, belongs_to = null, belongs_to_id = null, placed_by = null, placed_at = null,
    updated_at = ${at}, version = version + 1`;
}

/** Plans a step: moves folders and files at the root, and ends permissions of the group or team. */
export function rootStep(lost: LostRoot, take: Take) {
  const taken = takeRows(lost.from, take);
  return {
    reads: [countRecords(taken)],
    apply: (author: Pick<FieldAuthor, "at">, [found]: readonly Result[]): Step => ({
      statements: moveRoot(author, lost, taken),
      events: [],
      more: isMore(found!, taken),
    }),
  };
}

/** Returns the statements of the first step, for a batch that reads nothing. */
export function beginRootMove(author: Pick<FieldAuthor, "at">, lost: LostRoot, take: Take): Statement[] {
  return moveRoot(author, lost, takeRows(lost.from, take));
}

/** SQL: whether the root still has folders or files, or its group or team has permissions. */
export function isLeft(from: Root): Sql {
  const some = ["folders", "files"].map((table) => sql`exists (${selectAtRoot(table, from)})`);
  return sql`(${joinSql([...some, sql`exists (${selectPermissions(from)})`], " or ")})`;
}

/** SQL: the ids of folders or files that are directly in a root. */
export function selectAtRoot(table: string, { company_id, belongs_to, belongs_to_id }: Root): Sql {
  return sql`select id from ${identifier(table)} where company_id = ${company_id}
    and belongs_to = ${belongs_to} and belongs_to_id = ${belongs_to_id}`;
}

/** Reads the numbers of taken rows, for `isMore`. */
export function countRecords(taken: readonly RecordBatch[]): Statement {
  const numbers = taken.map(({ ids }) => sql`(select count(*) from (${ids}))`);
  return sql`select json_array(${joinSql(numbers, ", ")}) as numbers`;
}

/** Returns whether one of the kinds has the most rows of a step, so that there may be more. */
export function isMore({ rows: [row] }: Result, taken: readonly RecordBatch[]): boolean {
  const numbers: number[] = JSON.parse(row!.numbers as string);
  return taken.some(({ most }, index) => numbers[index]! >= most);
}

type RootBatches = readonly [folders: RecordBatch, files: RecordBatch, permissions: RecordBatch];

function takeRows(from: Root, take: Take): RootBatches {
  return [
    take(selectAtRoot("folders", from), mostRows),
    take(selectAtRoot("files", from), mostRows),
    take(selectPermissions(from), mostRows),
  ];
}

function selectPermissions({ company_id, belongs_to, belongs_to_id }: Root): Sql {
  return sql`select rowid as id from file_permissions where company_id = ${company_id}
    and type = ${belongs_to} and value = ${belongs_to_id}`;
}

function moveRoot(
  { at }: Pick<FieldAuthor, "at">,
  { to }: LostRoot,
  [folders, files, permissions]: RootBatches,
): Statement[] {
  const set = sql`belongs_to = ${to.belongs_to}, belongs_to_id = ${to.belongs_to_id}, updated_at = ${at},
    version = version + 1`;
  const ofFiles = to.belongs_to === "user" ? composeClearedPlace(at) : set;
  return [
    sql`update folders set ${set} where id in (${folders.ids})`,
    sql`update files set ${ofFiles} where id in (${files.ids})`,
    sql`delete from file_permissions where rowid in (${permissions.ids})`,
  ];
}
