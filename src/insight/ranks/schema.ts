/** Wire shapes of lists and scores of ranks. */
import { z } from "zod";
import { UserSummary } from "../../identity/users/user_summary.ts";
import { describePage, paging, sorting } from "../../http/lists.ts";
import { Rank } from "./record.ts";

export const rankSorts = { created_at: "created_at" };

export const RankListQuery = z.object({ ...paging, ...sorting(rankSorts) });

export const RankPage = describePage(Rank, "RankPage");

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
