/** Rank → wire shape. */
import { list, object } from "../../core/json.ts";
import type { Place } from "./places.ts";
import type { RankRow } from "./table.ts";

/** A rank with the name of its path; null: none, or deleted. */
export type RankFacts = RankRow & { readonly path_name: string | null };

export function presentRank(rank: RankRow) {
  return object(membersOf(rank));
}

export function presentFullRank(rank: RankFacts) {
  const { relations_path_id, milestone_id, path_name } = rank;
  return object({
    ...membersOf(rank),
    settings: milestone_id === null ? null : {
      relations_path: path_name === null ? null : { id: relations_path_id!, name: path_name },
      milestone_id,
    },
  });
}

/** The places of all, and the caller's. */
export function presentScores(places: readonly Place[], callerId: number) {
  const present = ({ rank, score, user }: Place) => object({ rank, score, user: { ...user } });
  const own = places.find(({ user }) => user.id === callerId);
  return object({ scores: list(places.map(present)), current_rank: own ? present(own) : null });
}

function membersOf(rank: RankRow) {
  return {
    id: rank.id,
    team_id: rank.team_id,
    name: rank.name,
    icon: rank.icon,
    rule: { name: rank.rule },
    created_at: rank.created_at,
    updated_at: rank.updated_at,
  };
}
