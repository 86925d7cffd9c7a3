import type { Feature } from "../../feature.ts";
import { fieldValueDeletion } from "./deleted_fields.ts";
import { fieldsOfGroup, fieldsOfTeam } from "./deletion.ts";
import { fieldEndpoints } from "./routes.ts";
import {
  customValueReferences,
  customValues,
  fieldOrderReferences,
  fieldOrders,
  fieldReferences,
  fields,
} from "./table.ts";

export const fieldsFeature: Feature = {
  folder: "customers/fields",
  tables: [fields, fieldOrders, customValues],
  references: [fieldReferences, fieldOrderReferences, customValueReferences],
  triggers: ["triggers.ts"],
  endpoints: ({ stopFilters }) => fieldEndpoints(stopFilters),
  staged: ({ fieldValues }) => [fieldValueDeletion(fieldValues)],
  teamDeletion: [fieldsOfTeam],
  groupDeletion: fieldsOfGroup,
};
