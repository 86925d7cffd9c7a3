/** The indicator set, described once. */
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { z } from "zod";
import type { Member } from "../../core/access.ts";
import { describeSharedReferences } from "../../identity/owner_references.ts";
import { declareReferences, leaveTo } from "../../db/references.ts";
import { refusal } from "../../http/validate.ts";
import { describeSharedMembers } from "../../identity/owner_members.ts";
import { companies } from "../../identity/companies/table.ts";
import { internal, readOnly, requiredLine, stamps, versioned } from "../../records/kinds.ts";
import { columns, forAnswer, forChange, forCreate, type Members, presenter } from "../../records/members.ts";
import { findIndicator, indicatorNames } from "../indicators/catalogue.ts";
import { makeScopeOfBelonging, type Owner, seesShared } from "../../identity/owners.ts";

/** Enough for each indicator to be named twice. */
const mostNamed = 2 * indicatorNames.length;

const indicators = z.array(
  z.string().refine(
    (given) => findIndicator(given) !== undefined,
    refusal("enum", "Must be the name of an indicator, see GET /v1/reports/indicators."),
  ),
).refine((given) => given.length > 0, refusal("min", "At least one indicator."))
  .refine((given) => given.length <= mostNamed, refusal("max", `At most ${mostNamed} indicators.`))
  .transform((given) => [...new Set(given)])
  .meta({
    description:
      "Names of `GET /v1/reports/indicators`, in the order of the report; a repeated one counts once.",
    example: ["cases.closed", "cases.closed.value"],
  });

export const setMembers = {
  id: readOnly(text().primaryKey(), z.string().meta({ example: "01939c5e-7d3a-7c3f-8a55-0a4be5a1a001" })),
  company_id: internal(integer().notNull().references(() => companies.id)),
  name: requiredLine(255, { example: "Sales of the week" }),
  /** Names of the catalogue. */
  indicators: {
    column: text().notNull(),
    shown: z.array(z.string()).meta({ example: ["cases.closed", "cases.closed.value"] }),
    create: indicators,
    change: indicators.optional(),
    stored: "json",
  },
  /** The maker. */
  user_id: readOnly(integer().notNull(), z.int().meta({ example: 3, description: "The maker." })),
  ...describeSharedMembers("user_id"),
  ...stamps(),
  ...versioned,
} satisfies Members;

/** Named lists of indicators, private or of a team, a group or the company. */
export const indicatorSets = sqliteTable("indicator_sets", columns(setMembers), (table) => [
  index("indicator_sets_by_owner").on(table.company_id, table.owner, table.created_at, table.id),
  index("indicator_sets_by_reader").on(table.company_id, table.reader, table.created_at, table.id),
  // For admins, who see all shared sets.
  index("indicator_sets_by_private").on(table.company_id, table.private_to, table.created_at, table.id),
]);

/** What its columns name, and what happens when that is deleted. */
export const indicatorSetReferences = declareReferences(indicatorSets, {
  // A private set goes to the successor, else with its maker unless a colleague's report uses it.
  user_id: { user: leaveTo("identity/naming_records.ts#changeRecordsOfUser", "step") },
  ...describeSharedReferences("user_id"),
}, { kind: "indicator_set", key: "id" });

export const IndicatorSet = z.object(forAnswer(setMembers)).meta({
  id: "IndicatorSet",
  description:
    "A named list of indicators. Only its maker sees a private one; a shared one is visible to its team, " +
    "to teams in a group with it, to its group or to the company, and to admins.",
});

export const IndicatorSetBody = z.object(forCreate(setMembers)).meta({
  id: "IndicatorSetBody",
  example: { name: "Sales of the week", indicators: ["cases.closed", "cases.closed.value"] },
});

export const IndicatorSetChange = z.object(forChange(setMembers)).meta({
  id: "IndicatorSetChange",
  description: "An absent member keeps its value.",
  example: { name: "Sales of the month" },
});

export type IndicatorSetBody = z.output<typeof IndicatorSetBody>;
export type IndicatorSetChange = z.output<typeof IndicatorSetChange>;

export type IndicatorSetRow =
  & Omit<typeof indicatorSets.$inferSelect, "owner" | "reader" | "kept_for" | "private_to">
  & { readonly kept_for?: number | null };

const presentMembers = presenter(setMembers, IndicatorSet);

export function presentSet(set: IndicatorSetRow) {
  return presentMembers({ ...set, scope: makeScopeOfBelonging(set) });
}

/** Its kind in messages. */
export const setKind = "an indicator set";

/** Whether the caller sees the set. */
export function seesSet(caller: Member, set: Owner & Pick<IndicatorSetRow, "private" | "user_id">): boolean {
  return seesShared(caller, { record: set, maker: set.user_id });
}
