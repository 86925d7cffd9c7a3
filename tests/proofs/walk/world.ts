/** The company for the walks, and the functions that the kinds of records share. */
import assert from "node:assert/strict";
import type { Actor, Body, TestApp, TestCompany } from "../../support/app.ts";
import { newPath, type Path } from "../../sales/parts.ts";
import { makeHook, pausedHook } from "../../sweep/place.ts";

/** The choices of one record: few values, so that ties and nulls are common. */
export interface Seed {
  readonly name: string | null;
  readonly day: number;
  readonly team: "none" | "own" | "sister" | "other";
  readonly b2c: boolean;
  readonly weight: number | null;
}

/**
 * A change of a record. `happen` returns the sorts that it may affect, or that the record leaves the list.
 */
export type Happening = "rename" | "touch" | "act" | "move" | "remove";

export type Id = string | number;

export interface World {
  readonly app: TestApp;
  readonly company: TestCompany;
  readonly admin: Actor;
  readonly member: Actor;
  readonly teams: { readonly own: number; readonly sister: number; readonly other: number };
  readonly path: Path;
  readonly type: string;
  /** The account whose contacts are listed. */
  readonly account: string;
  /** The case whose activities are listed. */
  readonly case: string;
  /** The most records of a list that the walk has not created. */
  readonly beside: number;
  /** The id of a paused subscription. */
  readonly webhook: number;
  /** Ids of saved filters that select all records created since the first day. */
  readonly filters: { readonly account: string; readonly contact: string };
}

export interface Kind {
  readonly name: string;
  /** The list's path as its endpoint declares it. */
  readonly path: string;
  readonly sorts: readonly string[];
  /** The default order of the list. */
  readonly fallback: string;
  /** The query parameter that names the order. */
  readonly parameter: string;
  /** Returns the address of the list, with the query that each walk uses, if any. */
  list(world: World): string;
  /** The body to post for each page, if the list is a filter. */
  readonly filter?: object;
  /** True when everybody sees the whole list. */
  readonly shared?: boolean;
  /** True when only admins may read the list. */
  readonly admins?: boolean;
  make(world: World, seed: Seed): Promise<Id>;
  /**
   * Makes the change. Returns the sorts in which the record may have moved; "left" when it leaves the list.
   */
  happen(world: World, id: Id, what: Happening, seed: Seed): Promise<readonly string[] | "left">;
  /** Returns the sort value in a record's representation, or null for an order of several values. */
  key(record: Body, sort: string): string | number | null;
  /** Returns the id of a record in the list, where its key is not `id`. */
  id?(record: Body): Id;
}

export async function newWorld(app: TestApp): Promise<World> {
  const company = await app.company();
  const { admin } = company;
  const group = await company.group();
  const own = await company.team({ group_id: group, team_type: "dealer" });
  const sister = await company.team({ group_id: group, team_type: "dealer" });
  const other = await company.team({ team_type: "dealer" });
  const path = await newPath(admin);
  const type = await postRecord(admin, "/v1/lead-types", { name: "Drive", relations_path_ids: [path.id] });
  const account = await postRecord(admin, "/v1/accounts", {
    fixed_fields: nameFields({ name: "Engines Ltd" }),
  });
  const byron = { fixed_fields: nameFields({ last_name: "Byron" }) };
  const contact = await postRecord(admin, `/v1/accounts/${account}/contacts`, byron);
  const filter = async (kind: string) => {
    const nodes = [{ field: `${kind}.created_at`, operator: "gte", value: formatDay(0) }];
    return String(await postRecord(admin, `/v1/${kind}s/filters`, { name: "All", filter: nodes }));
  };
  return {
    app,
    company,
    admin,
    member: await company.user({ teams: [own] }),
    teams: { own, sister, other },
    path,
    type: String(type),
    account: String(account),
    case: String(
      await postRecord(admin, "/v1/cases", {
        contact_id: contact,
        relations_path_id: path.id,
        // Created first, so that activities of any day can belong to the case.
        created_at: formatDay(0),
      }),
    ),
    beside: 10,
    webhook: await pausedHook(admin, makeHook(company.id)),
    filters: { account: await filter("account"), contact: await filter("contact") },
  };
}

export function formatDay(day: number): string {
  return `2026-02-0${day + 1} 10:00:00`;
}

export const nameFields = (fields: Readonly<Record<string, unknown>>) =>
  Object.entries(fields).map(([name, value]) => ({ name, value }));

export function withDirections(sorts: readonly string[]): string[] {
  return sorts.flatMap((sort) => [sort, `-${sort}`]);
}

export async function postRecord(by: Actor, path: string, body: object): Promise<Id> {
  const made = await by.call("POST", path, body);
  assert.equal(made.status, 201, made.text);
  return made.body.id;
}

/** Sends a PUT. A changed note answers with 201. */
export async function put(by: Actor, path: string, body: object): Promise<void> {
  const changed = await by.call("PUT", path, body);
  assert.ok(changed.status === 200 || changed.status === 201, changed.text);
}

export async function deleteAt(by: Actor, path: string): Promise<void> {
  const gone = await by.call("DELETE", path);
  assert.equal(gone.status, 204, gone.text);
}
