/** A saved view of Customers, and who may change it. */
import type { View } from "../../customers/saved_filters/view_schema.ts";
import type { z } from "zod";
import { mayOwn } from "../../identity/owners.ts";
import type { Visit } from "../visit.ts";
import type { FilterNode } from "./conditions.ts";
import { type Kind, kinds } from "./kinds.ts";

export type StoredView = Omit<z.output<typeof View>, "filter"> & { readonly filter: FilterNode[] | null };

/** Returns the list that a view shows; null when it is none of customers. */
export function chooseKind({ entity }: StoredView): Kind | null {
  return kinds.find((kind) => kind === `${entity}s`) ?? null;
}

/** Whether the person may change the view, which they see. A team that group admins see is one of their groups. */
export function mayChangeView({ person }: Visit, view: StoredView): boolean {
  const caller = person.known.caller!;
  if (view.scope === "user") return view.user_id === caller.userId;
  const isOfOwnGroups = view.team_id !== null && caller.userType === "group_admin" &&
    caller.visibleTeamIds.includes(view.team_id);
  return isOfOwnGroups || mayOwn(caller, view, { team_group_id: null });
}
