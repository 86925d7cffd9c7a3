/** Wire shapes of ranks. */
import { z } from "zod";
import { UserSummary } from "../../customers/accounts/schema.ts";
import { pageOfSchema, paging, sorting } from "../../http/lists.ts";
import { refusal } from "../../http/validate.ts";
import { filledLine, integerId, optional, uuid } from "../../http/zod.ts";
import { rankRules } from "./table.ts";

export const rankSorts = { created_at: "created_at" };

export const RankListQuery = z.object({ ...paging, ...sorting(rankSorts) });

const name = filledLine(255).meta({ example: "Best closer" });
const ruleName = z.enum(rankRules).meta({ example: "conversion_rate" });

export const RankBody = z.object({
  name,
  icon: filledLine(255).meta({ example: "trophy" }),
  rule: z.union([ruleName, z.object({ name: ruleName })], refusal("enum", `One of ${rankRules.join(", ")}.`))
    .transform((rule) => typeof rule === "string" ? rule : rule.name)
    .meta({
      description:
        "`conversion_rate`: percent of the user's cases of the path, made in that time, that reached the milestone or a " +
        "higher one. `emails_sent`: their number. `total_sales`: the value of closed cases, or their number when " +
        "the company's products are in the mode `simple`. As a text, or as `{name}`.",
      example: "emails_sent",
    }),
  team_id: optional(integerId).meta({
    description:
      "The team whose users compete; default: the active team. Null: the company, for admins, whose " +
      "default it is.",
    example: null,
  }),
  settings: optional(z.object({ relations_path_id: optional(uuid), milestone_id: optional(uuid) })).meta({
    description:
      "Of `conversion_rate`, which requires both: a visible path, and one of its milestones that does " +
      "not close the case.",
  }),
}).meta({ id: "RankBody", example: { name: "Most e-mails", icon: "envelope", rule: "emails_sent" } });

export const RankChange = z.object({ name }).meta({
  id: "RankChange",
  description: "Only the name can change.",
  example: { name: "Best closer of the year" },
});

export type RankBody = z.output<typeof RankBody>;
export type RankChange = z.output<typeof RankChange>;

export const Rank = z.object({
  id: z.string().meta({ example: "01939c5e-7d3a-7c3f-8a55-0a4be5a1a001" }),
  team_id: z.int().nullable().meta({ example: null }),
  name: z.string().meta({ example: "Best closer" }),
  icon: z.string().meta({ example: "trophy" }),
  rule: z.object({ name: ruleName }),
  created_at: z.string().meta({ example: "2026-01-31 10:00:00" }),
  updated_at: z.string().meta({ example: "2026-01-31 10:00:00" }),
}).meta({
  id: "Rank",
  description:
    "Compares the users of its team, or of the company, over the last 30 days. Visible to its team, to " +
    "teams in a group with it, and to admins; without a team, to the whole company.",
});

export const FullRank = Rank.extend({
  settings: z.object({
    relations_path: z.object({
      id: z.string(),
      name: z.string().nullable().meta({ description: "Null when the caller does not see the path." }),
    }).nullable().meta({
      description: "Null when it was deleted.",
    }),
    milestone_id: z.string(),
  }).nullable().meta({ description: "Of `conversion_rate`; otherwise null." }),
}).meta({ id: "FullRank", extends: Rank });

export const RankPage = pageOfSchema(Rank, "RankPage");

const RankScore = z.object({
  rank: z.int().meta({ description: "Its place, from 1; equal scores share one.", example: 1 }),
  score: z.number().meta({ example: 12 }),
  user: UserSummary,
}).meta({ id: "RankScore" });

export const RankScores = z.object({
  scores: z.array(RankScore).meta({ description: "All users who compete, the best first." }),
  current_rank: RankScore.nullable().meta({
    description: "The caller's; null when the caller does not compete.",
  }),
}).meta({ id: "RankScores" });
