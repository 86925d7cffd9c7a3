/** Rank → wire shape. */
import { type Member, seesOwned } from "../../core/access.ts";
import type { Place } from "./places.ts";
import { presentRank, type RankRow } from "./record.ts";

/** The path of a rank, with its owner, which decides who sees the name. */
export interface RankPath {
  readonly name: string;
  readonly team_id: number | null;
  readonly group_id: number | null;
  readonly kept_for?: number | null;
}

/** A rank with its `RankPath` as JSON; null: it has no path, or the path is deleted. */
export type RankFacts = RankRow & { readonly path: string | null };

/** The name of a path that the caller does not see is null. */
export function presentFullRank(caller: Member, rank: RankFacts) {
  const { relations_path_id, milestone_id } = rank;
  const path = rank.path === null ? null : JSON.parse(rank.path) as RankPath;
  return {
    ...presentRank(rank),
    settings: milestone_id === null ? null : {
      relations_path: path && { id: relations_path_id!, name: seesOwned(caller, path) ? path.name : null },
      milestone_id,
    },
  };
}

/** The places of all, and the caller's. */
export function presentScores(places: readonly Place[], callerId: number) {
  const present = ({ rank, score, user }: Place) => ({ rank, score, user: { ...user } });
  const own = places.find(({ user }) => user.id === callerId);
  return { scores: places.map(present), current_rank: own ? present(own) : null };
}
