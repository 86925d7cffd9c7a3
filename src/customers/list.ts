/** Shared parts of the lists of accounts and of contacts. */
import type { Json } from "../core/json.ts";
import type { Context } from "../db/context.ts";
import type { Fields } from "../db/fields.ts";
import type { List, ListPage } from "../lists/list.ts";
import type { Paging } from "../lists/paging.ts";
import type { Row } from "../platform/database/database.ts";
import { csvIntegers, timestamp, uuid } from "../http/zod.ts";
import { type ListQuery, page, paging, pagingOf, search, sorting } from "../http/lists.ts";

/** One kind of customers in lists. */
export interface Listing<T> {
  readonly list: List;
  readonly present: (row: Row, fields: Fields) => Json<T>;
}

/** The parameters of a list with these sorts. */
export function listShape<Sorts extends Readonly<Record<string, string>>>(sorts: Sorts) {
  return {
    ...paging,
    ...search,
    ...sorting(sorts),
    groups: csvIntegers.optional(),
    users: csvIntegers.optional().openapi({ description: "Responsible users." }),
    teams: csvIntegers.optional(),
    start_at: timestamp.optional().openapi({ description: "Created at this moment or later." }),
    end_at: timestamp.optional().openapi({ description: "Created at this moment or earlier." }),
  };
}

export const bySavedFilter = { filter_id: uuid.optional().openapi({ description: "A saved filter." }) };

/** Answers the page that `read` returns, by default sorted by the latest activity. */
export async function listed<T>(
  ctx: Context,
  { list, present }: Listing<T>,
  { query, url }: { readonly query: ListQuery; readonly url: string },
  read: (paging: Paging) => Promise<ListPage>,
) {
  const asked = pagingOf(query, list);
  const { rows, total } = await read(asked);
  return page({ url, origin: ctx.origin }, asked, rows, total, (row) => present(row, ctx.fields.seen));
}
