/** The members of a record that belongs to a team, a group or the company. */
import { sql } from "drizzle-orm";
import { integer, text } from "drizzle-orm/sqlite-core";
import { z } from "zod";
import { integerId, optional } from "../http/zod.ts";
import { computed, internal, writeOnly } from "../records/kinds.ts";
import { flag } from "../db/columns.ts";
import { sharingScopes } from "./owners.ts";

/** The columns that hide a record whose team or group is gone without a successor. */
export function describeKeptMembers() {
  return {
    /**
     * The maker, once the team or group is deleted without a successor: nobody else sees the record then, except
     * admins. `team_id` and `group_id` still name the deleted one.
     */
    kept_for: internal(integer()),
    /** `k5` for a record that is kept for its maker, else the owner. Lists and counters go by it. */
    reader: internal(
      text().generatedAlwaysAs(sql`iif(kept_for is null, owner, 'k' || kept_for)`, { mode: "virtual" }),
    ),
  };
}

/**
 * The members of a record that its maker can share. `maker`: the column of the maker. A private record has no team
 * and no group.
 */
export function describeSharedMembers(maker: "user_id" | "created_by") {
  const owner = (description: string) => ({
    column: integer(),
    shown: z.int().nullable().meta({ example: null }),
    ...writeOnly(optional(integerId).meta({ description, example: null })),
    stored: "code" as const,
  });
  const makerColumn = sql.raw(maker);
  return {
    /** 1: the maker alone sees it. */
    private: internal(flag()),
    scope: {
      ...computed(z.enum(sharingScopes).meta({ example: "user" })),
      ...writeOnly(
        z.enum(sharingScopes).optional().meta({
          description:
            "`user`: only its maker sees it, the default. `company`: all users, for admins. `team` and " +
            "`group` follow from `team_id` and `group_id`.",
          example: "user",
        }),
      ),
    },
    team_id: owner("The team that shares it."),
    group_id: owner("The group that shares it."),
    /** The owner in one text: `u5` for its maker, `t7` for a team, `g3` for a group, empty for the company. */
    owner: internal(
      text().generatedAlwaysAs(
        sql`iif(private, 'u' || ${makerColumn}, coalesce('t' || team_id, 'g' || group_id, ''))`,
        { mode: "virtual" },
      ),
    ),
    ...describeKeptMembers(),
    /** The only user who sees it; null for a shared one. */
    private_to: internal(
      integer().generatedAlwaysAs(sql`iif(private, ${makerColumn}, null)`, { mode: "virtual" }),
    ),
  };
}

/** `team_id` and `group_id`, which code judges and stores, and the columns that follow from them. */
export function describeOwnerMembers() {
  return {
    team_id: {
      column: integer(),
      shown: z.int().nullable(),
      ...writeOnly(
        optional(integerId).meta({
          description: "The owning team; default: the active team, else the company. Null: the company.",
        }),
      ),
      stored: "code",
    },
    group_id: {
      column: integer(),
      shown: z.int().nullable(),
      ...writeOnly(optional(integerId).meta({ description: "The owning group.", example: null })),
      stored: "code",
    },
    /** The owner in one text: `t7` for a team, `g3` for a group, empty for the company. */
    owner: internal(
      text().generatedAlwaysAs(sql`coalesce('t' || team_id, 'g' || group_id, '')`, { mode: "virtual" }),
    ),
    ...describeKeptMembers(),
  } as const;
}
