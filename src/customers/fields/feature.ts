import type { Feature } from "../../feature.ts";
import { describeFieldValueDeletion } from "./deleted_fields.ts";
import { deleteFieldOrder, fieldsOfTeam } from "./deletion.ts";
import { declareFieldEndpoints } from "./routes.ts";
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
  endpoints: ({ stopFilters }) => declareFieldEndpoints(stopFilters),
  staged: ({ fieldValues }) => [describeFieldValueDeletion(fieldValues)],
  teamDeletion: [fieldsOfTeam],
  groupDeletion: deleteFieldOrder,
};
