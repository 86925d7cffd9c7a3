import type { Feature } from "../../feature.ts";
import { customerDependents } from "./dependents.ts";
import { contactMoveEffects } from "./on_moved.ts";

export const salesCustomers: Feature = {
  folder: "sales/customers",
  customerDeletion: customerDependents,
  contactMoves: contactMoveEffects,
};
