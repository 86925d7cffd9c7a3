import { z } from "zod";
import { view } from "../../http/lists.ts";
import { requireOrder } from "../../http/zod.ts";
import { bySavedFilter, listShape } from "../list.ts";
import { contactList } from "./queries.ts";

/** The parameters of the list. */
export const ContactListQuery = requireOrder(
  z.object({ ...listShape(contactList.sorts), ...view, ...bySavedFilter }),
  "start_at",
  "end_at",
);
