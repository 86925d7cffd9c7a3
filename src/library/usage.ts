/**
 * The files of a company: their number, their bytes with those of published pictures and campaign letters, and the
 * room that `FILE_QUOTA` leaves.
 */
import { type FieldError, fieldError } from "../core/errors.ts";
import type { Deps } from "../deps.ts";
import { identifier, type Sql, sql } from "../db/statements.ts";
import { guardThat, type Result, type Statement } from "../platform/database/database.ts";

type Config = Pick<Deps, "config">;

/** Reads `files` and `bytes`. Files being deleted no longer count. */
export function selectUsage(companyId: number): Statement {
  return sql`select ifnull(sum(files), 0) as files, ifnull(sum(bytes), 0) as bytes from (
    select files, bytes from file_usage where company_id = ${companyId}
    union all select -removed_files, -removed_bytes from folders
      where company_id = ${companyId} and deleted_at is not null)`;
}

/** SQL: the bytes of a file (an alias of `files`) with its published picture. */
export function composeBytesOfFile(alias: string): Sql {
  return sql`(${identifier(alias, "size")} + ifnull((select o.bytes from objects o
    where o.key = ${identifier(alias, "picture_key")}), 0))`;
}

/** SQL: whether the company has room for this many more bytes. */
export function fitsQuota({ config: { fileQuota } }: Config, companyId: number, bytes: number | Sql): Sql {
  if (fileQuota === null) return sql`1`;
  return sql`((select bytes from (${selectUsage(companyId)})) + ${bytes} <= ${fileQuota})`;
}

/**
 * Returns the guard of a commit that adds bytes; it runs after the changes. So two simultaneous commits
 * cannot pass the limit together.
 */
export function guardQuota({ config }: Config, companyId: number): Statement[] {
  return config.fileQuota === null ? [] : [guardThat("file_quota", fitsQuota({ config }, companyId, 0))];
}

/**
 * The part of `FILE_QUOTA` that files of arriving mail may fill. Strangers send them, and must not stop the uploads of
 * the company.
 */
const arrivingPart = 0.9;

/** Returns the bytes that arriving mail may still add. `usage`: the result of `selectUsage`. */
export function computeQuotaLeft({ config: { fileQuota } }: Config, usage: Result): number {
  return fileQuota === null ? Infinity : fileQuota * arrivingPart - Number(usage.rows[0]!.bytes);
}

/** Like `guardQuota`, for files of arriving mail. */
export function guardArriving({ config: { fileQuota } }: Config, companyId: number): Statement[] {
  if (fileQuota === null) return [];
  const most = Math.floor(fileQuota * arrivingPart);
  return [guardThat("file_quota", sql`((select bytes from (${selectUsage(companyId)})) <= ${most})`)];
}

/** Returns the fault of a file without room. `path`: the member of the body that has the file. */
export function makeQuotaFault({ config: { fileQuota } }: Config, path: string): FieldError {
  return fieldError(path, "max", `The files of the company may take ${fileQuota} bytes together.`);
}
