/** Wire shapes of the fields of filters. */
import { z } from "zod";
import { operators } from "../../filters/fields.ts";

export const shownTypes = ["text", "number", "date", "timestamp", "boolean", "choice", "id"] as const;

const FilterField = z.object({
  field: z.string().meta({ example: "b2b_contact.fixed_fields.email" }),
  label: z.string().meta({ example: "E-mail" }),
  group: z.string().meta({ example: "b2b_contact", description: "The records that the field belongs to." }),
  type: z.enum(shownTypes).meta({ description: "`id`: a UUID. Integer ids are numbers." }),
  operators: z.array(z.enum(operators)),
  options: z.array(z.object({ id: z.string(), value: z.string() })).nullable().meta({
    description: "The choices: a condition has the `id`.",
  }),
  to_many: z.boolean().meta({ description: "Whether a record can have several values of the field." }),
  deprecated: z.boolean(),
}).meta({ id: "FilterField" });

export const FilterFields = z.object({ data: z.array(FilterField) }).meta({ id: "FilterFields" });
