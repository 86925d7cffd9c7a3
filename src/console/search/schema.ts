/** Wire shapes of global search. */
import { z } from "zod";
import { filledText, makeCsvEnum, queryInteger } from "../../http/zod.ts";

/** The kinds of records, in the order of the answer. */
export const foundTypes = ["account", "contact", "case", "lead", "file"] as const;
export type FoundType = typeof foundTypes[number];

export const SearchQuery = z.object({
  q: filledText(200).meta({
    description: "Every word must begin a word of the record, without regard to case or accents. A phone " +
      "number is found however it is typed.",
    example: "mül sch",
  }),
  types: makeCsvEnum(foundTypes).optional().meta({
    description: "All kinds when absent.",
    example: "contact,case",
  }),
  limit: queryInteger(1, 25).optional().meta({
    description: "The most records of each kind; 5 when absent.",
    example: 5,
  }),
});
export type SearchQuery = z.output<typeof SearchQuery>;

const FoundItem = z.object({
  id: z.uuid(),
  title: z.string().meta({
    description: "The name of the record; of cases and leads that of their customer.",
  }),
  subtitle: z.string().nullable().meta({
    description:
      "An account's city, a contact's account, a case's number, a lead's interest, a file's media type.",
  }),
  status: z.string().nullable().meta({ description: "Null for accounts and files." }),
  matched: z.string().meta({
    description: "The field that the search found, such as `email`, `contact.last_name` or `custom.hobby`.",
    example: "last_name",
  }),
}).meta({ id: "FoundItem" });

export const Found = z.object({
  data: z.array(z.object({
    type: z.enum(foundTypes),
    total: z.int().meta({ description: "How many of the kind the caller sees." }),
    items: z.array(FoundItem),
  })).meta({ description: "The kinds of which something was found." }),
  query: z.string(),
}).meta({ id: "Found" });
