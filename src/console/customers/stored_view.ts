/** A saved view of Customers, and who may change it. */
import type { View } from "../../customers/saved_filters/view_schema.ts";
import type { z } from "zod";
import { mayChangeSeen, seesOwner } from "../../identity/owners.ts";
import type { Visit } from "../visit.ts";
import type { FilterNode } from "./conditions.ts";
import { type Kind, kinds } from "./kinds.ts";

export type StoredView = Omit<z.output<typeof View>, "filter"> & { readonly filter: FilterNode[] | null };

/** Returns the list that a view shows; null when it is none of customers. */
export function chooseKind({ entity }: StoredView): Kind | null {
  return kinds.find((kind) => kind === `${entity}s`) ?? null;
}

/** Whether the person may change the view, which they see. */
export function mayChangeView({ person }: Visit, view: StoredView): boolean {
  const caller = person.known.caller!;
  const isOwn = view.user_id === caller.userId;
  if (view.scope === "user") return isOwn;
  // What somebody sees without being in its team or group is kept for them: the team or group is gone.
  return mayChangeSeen(caller, view) || isOwn && !seesOwner(caller, view);
}
