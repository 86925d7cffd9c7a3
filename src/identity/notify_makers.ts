/** Notifies the makers of records, and the admins, when the records stop because something that they name is deleted. */
import type { Author } from "../db/commit.ts";
import { identifier, type Sql, sql } from "../db/statements.ts";
import type { Statement } from "../platform/database/database.ts";

export interface Stopped {
  readonly table: string;
  /** The column of the maker. */
  readonly maker: string;
  /** SQL over the columns: which records. */
  readonly rows: Sql;
  /** The end of the sentence that begins with the names of the records. */
  readonly message: string;
}

/** Each user is shown the names of the own records alone, and an admin all. Notifies nobody if there is none. */
export function notifyMakers(
  author: Author,
  companyId: number,
  { table: name, maker: column, rows, message }: Stopped,
): Statement {
  const [table, maker] = [identifier(name), identifier(column)];
  const admins = sql`select id from users where company_id = ${companyId} and user_type = 1
    and deleted_at is null and exists (select 1 from ${table} where ${rows})`;
  const names = sql`(select group_concat(name, ', ') from ${table} where ${rows}
    and (${maker} = r.user_id or exists (select 1 from users a where a.id = r.user_id and a.user_type = 1)))`;
  return author.deps.notify(author, companyId, {
    type: "custom",
    to: [{
      select: sql`select ${maker} from ${table} where ${rows} and ${maker} is not null union ${admins}`,
    }],
    data: { user: author.caller ? { id: author.caller.userId } : null },
    message: sql`${names} || ${`: ${message}`}`,
  });
}
