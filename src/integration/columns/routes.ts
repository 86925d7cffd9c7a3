import { z } from "zod";
import { fieldTypes } from "../../fields/fixed_fields.ts";
import { type Endpoint, endpoint } from "../../http/endpoint.ts";
import { importEntities } from "./entities.ts";
import { listColumns } from "./list.ts";

const ImportField = z.object({
  name: z.string().meta({ example: "account.name" }),
  label: z.string().meta({ example: "Account: Name" }),
  type: z.enum([...fieldTypes, "timestamp"]).meta({ example: "text" }),
  required: z.boolean(),
}).meta({ id: "ImportField" });

const ImportFields = z.object({ data: z.array(ImportField) }).meta({ id: "ImportFields" });

export const columnEndpoints: Endpoint[] = [
  endpoint({
    method: "get",
    path: "/v1/imports/fields/:entity",
    operation: "listImportFields",
    tag: "Imports",
    summary: "List what the columns of a file can set",
    description:
      "Needs the right `imports.manage` or `reports.export`. A custom field has its own name, with `custom.` " +
      "in front where another field here has the same. `lead_data.<key>` stands for every key.",
    params: { entity: "text" },
    describedParams: { entity: { example: "contacts", enum: [...importEntities] } },
    answers: {
      200: { description: "The fields, with those custom ones that the caller sees.", schema: ImportFields },
    },
  }, (ctx, { params }) => Promise.resolve(listColumns(ctx, params.entity))),
];
