/**
 * The items directly in a folder or in roots, by name, folders first. A page costs the same for any number of
 * items.
 */
import type { Context } from "../../db/context.ts";
import { type FileColumns, fileMembers } from "../../core/file_json.ts";
import { bindRows, identifier, type Sql, sql } from "../../db/statements.ts";
import { composePageLink } from "../../http/lists.ts";
import { threadDeepPages } from "../../lists/paging.ts";
import type { Result, Row, Statement } from "../../platform/database/database.ts";
import { filePermissionsJson, type Permission } from "../access.ts";
import { parsePlace, type Place, selectPlaceJson } from "../place.ts";
import { folderColumns, readFolderRow } from "./folder_facts.ts";
import { presentFolder } from "./present.ts";

/** The most items of a page, which is also the default of `per_page`. */
export const mostItems = 1000;

export interface ItemPaging {
  readonly page: number;
  readonly per_page: number;
}

export function parseItemPaging(
  { page, per_page }: { page?: number | undefined; per_page?: number | undefined },
) {
  return { page: Math.max(1, page ?? 1), per_page: per_page ?? mostItems };
}

/** The places to list: one folder, or some roots. */
export interface Places {
  /** SQL that selects `place` (as in `folder_contents`), `folder_id`, `belongs_to` and `belongs_to_id` of each. */
  readonly select: Sql;
  /** Null: roots. */
  readonly folderId: string | null;
}

export function makeFolderPlaces(folderId: string): Places {
  const select = sql`select ${folderId} as place, ${folderId} as folder_id, null as belongs_to,
    null as belongs_to_id`;
  return { select, folderId };
}

/** SQL for `Places.select`. `roots`: pairs of belonging and id. */
export function selectRootPlaces(roots: readonly (readonly [string, number])[]): Sql {
  return sql`select r.value ->> 0 || ':' || (r.value ->> 1) as place, null as folder_id,
    r.value ->> 0 as belongs_to, r.value ->> 1 as belongs_to_id from json_each(${JSON.stringify(roots)}) r`;
}

/** Returns three statements, whose results `presentContents` takes. */
export function selectContents(
  companyId: number,
  places: Places,
  { page, per_page }: ItemPaging,
): Statement[] {
  const offset = (page - 1) * per_page;
  // `cross join` makes SQLite begin with the places. Otherwise it would read the counters of the whole
  // company.
  const sumColumn = (column: string) =>
    sql`(select ifnull(sum(c.${identifier(column)}), 0) from (${places.select}) p
      cross join folder_contents c on c.company_id = ${companyId} and c.place = p.place)`;
  const folders = sumColumn("folders");
  const threaded = threadDeepPages(companyId, offset);
  return [
    sql`select ${folders} as folders, ${sumColumn("files")} as files`,
    {
      ...sql`select ${folderColumns} from folders folder where folder.id in (select id
      from (${selectItemIds("folders", companyId, places, sql`${offset + per_page}`)} order by name_key, id
      limit ${bindRows(per_page)} offset ${bindRows(offset)}))
      order by folder.name_key, folder.id`,
      ...threaded,
    },
    // The files of a place share its JSON, so it is read once for each place, not for each file.
    {
      ...sql`with page as materialized (select id, place
      from (${selectItemIds("files", companyId, places, sql`max(0, ${offset + per_page} - ${folders})`)}
      order by name_key, id limit max(0, ${per_page} - max(0, ${folders} - ${offset}))
      offset max(0, ${offset} - ${folders}))),
      lying as materialized (select p.place, ${selectPlaceJson("p")} as json from (${places.select}) p
        where p.place in (select place from page))
    select ${shownColumns}, lying.json as place from page join lying on lying.place = page.place
      cross join files file on file.id = page.id order by file.name_key, file.id`,
      ...threaded,
    },
  ];
}

export function presentContents(
  { origin }: Pick<Context, "origin">,
  url: string,
  [counted, folders, files]: readonly Result[],
  { page, per_page }: ItemPaging,
) {
  const { folders: folderCount, files: fileCount } = counted!.rows[0]!;
  const total = Number(folderCount) + Number(fileCount);
  const to = (number: number) => composePageLink({ url, origin }, number, per_page, null);
  return {
    folders: folders!.rows.map((row) => presentFolder(readFolderRow(row))),
    files: files!.rows.map(filePresenter()),
    pagination: {
      total,
      page,
      per_page,
      urls: {
        previous: page > 1 ? to(page - 1) : null,
        next: page * per_page < total ? to(page + 1) : null,
      },
    },
  };
}

/** The columns of a file that its JSON shows, except its place. */
const shownColumns =
  sql`file.id, file.name, file.type, file.size, file.public, file.created_at, file.updated_at,
  file.user_id, file.company_id, file.folder_id, ${filePermissionsJson} as permissions`;

/** Returns a function that presents files. Many share a place, so it parses each place once. */
function filePresenter() {
  const places = new Map<unknown, Place | null>();
  return ({ place, permissions, ...columns }: Row) => {
    if (!places.has(place)) places.set(place, parsePlace(place));
    return fileMembers({
      ...columns as Omit<FileColumns, "permissions" | "place">,
      permissions: JSON.parse(permissions as string) as Permission[],
      place: places.get(place)!,
    });
  };
}

/** SQL: the ids of the items in each place. For roots, in order and at most as many as the page can need. */
function selectItemIds(
  table: "folders" | "files",
  companyId: number,
  { select, folderId }: Places,
  most: Sql,
): Sql {
  const alive = table === "folders" ? sql` and i.deleted_at is null` : sql``;
  const items = sql`${identifier(table)} i`;
  if (folderId !== null) {
    // Without statistics, SQLite takes any index of the folder and sorts all items.
    return sql`select i.name_key, i.id, i.folder_id as place from ${items}
      indexed by ${identifier(`${table}_by_folder`)} where i.folder_id = ${folderId}${alive}`;
  }
  return sql`select v.value ->> 0 as name_key, v.value ->> 1 as id, p.place from (${select}) p
    join json_each((select json_group_array(json_array(name_key, id)) from (select i.name_key, i.id from ${items}
      where i.company_id = ${companyId} and i.belongs_to = p.belongs_to and i.belongs_to_id = p.belongs_to_id${alive}
      order by i.name_key, i.id limit ${most}))) v`;
}
