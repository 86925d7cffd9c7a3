/** What the custom values of a record name. A job takes those of a deleted field or option out of them. */
import { leaveTo } from "../../db/references.ts";

const drop = leaveTo("customers/fields/deleted_fields.ts#describeFieldValueDeletion", "clear");

export const droppedValues = { field: drop, option: drop };
