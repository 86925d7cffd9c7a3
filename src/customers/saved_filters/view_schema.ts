/** Wire shapes of views. */
import { z } from "zod";
import type { Row } from "../../platform/database/database.ts";
import { findEntityOfKind, viewEntities } from "./kinds.ts";
import type { SavedFilterRow } from "./table.ts";
import { Nodes } from "../../filters/schema.ts";
import { describePage, paging, sorting } from "../../http/lists.ts";
import { describeNamedMembers } from "../../http/named_members.ts";
import { refusal } from "../../http/validate.ts";
import { filledLine, optional } from "../../http/zod.ts";
import { describeSharedMembers } from "../../identity/owner_members.ts";
import { makeScopeOfBelonging } from "../../identity/owners.ts";
import { forAnswer, forCreate } from "../../records/members.ts";

/** The most characters of the parameters, so that they fit into the head of a request. */
const longestQuery = 12_000;

const parameter = z.union([z.string(), z.number(), z.boolean(), z.array(z.union([z.string(), z.number()]))]);

const query = describeNamedMembers(parameter)
  .refine(
    (given) => JSON.stringify(given).length <= longestQuery,
    refusal("max", `At most ${longestQuery} characters in all.`),
  ).meta({
    description: "Parameters of the list: of `GET /v1/leads`, `/v1/cases`, `/v1/tasks`, `/v1/accounts` or " +
      "`/v1/contacts`. Lists of values may be arrays.",
    example: { status: "assigned,called", sort: "escalates_at" },
  });

const filter = Nodes;
const entity = z.enum(viewEntities).meta({ description: "The list that it shows.", example: "lead" });
const position = z.int().min(0).max(1_000_000).meta({
  description: "Smaller ones come first; 0 when absent.",
  example: 1,
});

const ownerMembers = describeSharedMembers("created_by");
const owner = forCreate(ownerMembers);

export const ViewBody = z.object({
  name: filledLine(255),
  entity,
  query: optional(query),
  filter: filter.optional(),
  ...owner,
  position: optional(position),
}).meta({
  id: "ViewBody",
  example: { name: "To call", entity: "lead", query: { status: "assigned,called", sort: "escalates_at" } },
});
export type ViewBody = z.output<typeof ViewBody>;

export const ViewChange = z.object({
  name: filledLine(255).optional(),
  entity: entity.optional(),
  query: optional(query),
  filter: filter.optional(),
  ...owner,
  position: optional(position),
}).meta({ id: "ViewChange", description: "An absent member keeps its value.", example: { name: "To call" } });
export type ViewChange = z.output<typeof ViewChange>;

export const View = z.object({
  id: z.uuid().meta({ example: "01939c5e-7d3a-7c3f-8a55-0a4be5a1a010" }),
  name: z.string().meta({ example: "To call" }),
  entity: z.enum(viewEntities),
  query: z.record(z.string(), z.unknown()).meta({ example: { status: "assigned,called" } }),
  filter: z.array(z.unknown().meta({ type: "object" })).nullable().meta({
    description: "A filter of accounts or contacts, see there.",
  }),
  ...forAnswer(ownerMembers),
  user_id: z.int().nullable().meta({ description: "The maker.", example: 3 }),
  position: z.int().meta({ example: 1 }),
  stopped_reason: z.string().nullable().meta({
    description:
      "Why it no longer runs: something that it names was removed. Another query or filter clears it.",
    example: null,
  }),
  created_at: z.string().meta({ example: "2026-01-31 10:00:00" }),
  updated_at: z.string().meta({ example: "2026-01-31 10:00:00" }),
}).meta({
  id: "View",
  description:
    "A named view of a list. Only its maker sees a private one; a shared one is visible to its team, " +
    "to teams in a group with it, to its group or to the company, and to admins.",
});

export const viewSorts = { position: "position", created_at: "created_at" };

export const ViewListQuery = z.object({
  ...paging,
  ...sorting(viewSorts),
  entity: z.enum(viewEntities).optional().meta({ description: "Only views of this list." }),
});

export const ViewPage = describePage(View, "ViewPage");

export function presentView(row: SavedFilterRow) {
  return {
    id: row.id,
    name: row.name,
    entity: findEntityOfKind(row.kind),
    query: JSON.parse(row.query) as Record<string, unknown>,
    filter: JSON.parse(row.filter) as readonly unknown[] | null,
    scope: makeScopeOfBelonging(row),
    team_id: row.team_id,
    group_id: row.group_id,
    user_id: row.created_by,
    position: row.position,
    stopped_reason: row.stopped_reason ?? null,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}

/** Presents a row of the list. */
export function presentViewRow(row: Row) {
  return presentView(row as Row & SavedFilterRow);
}
