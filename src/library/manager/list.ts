/** Lists the items of a root, of all roots that the caller may read, or of a folder. */
import { isAdmin } from "../../core/access.ts";
import { ok } from "../../core/answer.ts";
import { fieldError, invalid } from "../../core/errors.ts";
import { toJson } from "../../core/json.ts";
import type { Context } from "../../db/context.ts";
import { type Sql, sql } from "../../db/statements.ts";
import { makeEtagOfView } from "../../http/conditional.ts";
import { mayReadPlace, parsePlace } from "../place.ts";
import {
  makeFolderPlaces,
  parseItemPaging,
  presentContents,
  selectContents,
  selectRootPlaces,
} from "./contents.ts";
import { selectTargetJson } from "./destination.ts";
import { requireReadableFolder, selectFolderById } from "./folder_facts.ts";
import { folderMembers, presentFolder } from "./present.ts";
import type { ItemQuery } from "./schema.ts";

/**
 * Lists the root that the query names, or all roots without a belonging. A group or team that the caller may
 * not read has no items.
 */
export async function listItems(ctx: Context, query: ItemQuery, url: string) {
  const { deps, caller } = ctx;
  const paging = parseItemPaging(query);
  const { belongs_to } = query;
  const json: Sql = belongs_to ? selectTargetJson(caller, { ...query, belongs_to }) : sql`null`;
  const places = { select: belongs_to ? selectPlaces(json) : selectAllRoots(ctx), folderId: null };
  const [found, ...results] = await deps.db.read([
    sql`select ${json} as place`,
    ...selectContents(caller.companyId, places, paging),
  ]);
  const place = parsePlace(found!.rows[0]!.place);
  if (belongs_to === "group" || belongs_to === "team") {
    const given = query[`${belongs_to}_id`];
    if (!place && given === undefined) {
      throw invalid(
        fieldError(`query.${belongs_to}_id`, "required", `Must be given: you have no active ${belongs_to}.`),
      );
    }
    if (!place || !mayReadPlace(caller, place)) {
      const nothing = [{ rows: [{ folders: 0, files: 0 }], changes: 0 }, { rows: [], changes: 0 }, {
        rows: [],
        changes: 0,
      }];
      return makeAnswer(presentContents(ctx, url, nothing, { ...paging, page: paging.page }));
    }
  }
  return makeAnswer(presentContents(ctx, url, results, paging));
}

/** Returns 200 with the folder and a page of its contents. */
export async function getFolder(
  ctx: Context,
  id: string,
  query: Parameters<typeof parseItemPaging>[0],
  url: string,
) {
  const paging = parseItemPaging(query);
  const [found, ...contents] = await ctx.deps.db.read([
    selectFolderById(ctx.caller, id),
    ...selectContents(ctx.caller.companyId, makeFolderPlaces(id), paging),
  ]);
  const folder = requireReadableFolder(ctx.caller, found!.rows[0]);
  const shown = toJson({ ...folderMembers(folder), ...presentContents(ctx, url, contents, paging) });
  return ok(shown, { ETag: makeEtagOfView(presentFolder(folder), shown) });
}

function makeAnswer({ folders, files, pagination }: ReturnType<typeof presentContents>) {
  return ok({ data: { folders, files }, pagination });
}

function selectPlaces(json: Sql): Sql {
  return sql`select (j.place ->> 'belongs_to') || ':' || (j.place ->> 'belongs_to_id') as place, null as folder_id,
    j.place ->> 'belongs_to' as belongs_to, j.place ->> 'belongs_to_id' as belongs_to_id
    from (select ${json} as place) j where j.place is not null`;
}

/**
 * SQL: the roots that the caller may read. Group admins read the teams of their groups, admins all groups and
 * teams.
 */
function selectAllRoots({ caller }: Context): Sql {
  const { companyId, userId, groupIds, teamIds } = caller;
  const own = selectRootPlaces([
    ["company", companyId],
    ["user", userId],
    ...(isAdmin(caller) ? [] : groupIds.map((id) => ["group", id] as const)),
    ...(isAdmin(caller) ? [] : teamIds.map((id) => ["team", id] as const)),
  ]);
  const others = (belonging: "group" | "team", select: Sql) =>
    sql` union select ${belonging} || ':' || o.id, null, ${belonging}, o.id from (${select}) o`;
  if (isAdmin(caller)) {
    const teams = others("team", sql`select id from teams where company_id = ${companyId}`);
    return sql`${own}${others("group", sql`select id from groups where company_id = ${companyId}`)}${teams}`;
  }
  if (caller.userType !== "group_admin") return own;
  const ownTeams = others(
    "team",
    sql`select id from teams where company_id = ${companyId}
      and group_id in (select value from json_each(${JSON.stringify(groupIds)}))`,
  );
  return sql`${own}${ownTeams}`;
}
