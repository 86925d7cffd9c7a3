/** Wire shapes of duplicates. */
import { z } from "zod";
import { filledLine, optional, uuid } from "../../http/zod.ts";

const longest = 255;
const text = optional(filledLine(longest));

export const DuplicatesBody = z.object({
  email: text,
  phone_number: text,
  name: text.meta({ description: "Of a person, first name first, or of a company." }),
  exclude_id: optional(uuid).meta({ description: "A contact or an account that is no find." }),
}).meta({
  id: "DuplicatesBody",
  example: { email: "ada@example.org", phone_number: "+44 20 7946 0000", name: "Ada Lovelace" },
});
export type DuplicatesBody = z.output<typeof DuplicatesBody>;

export const reasons = ["email", "phone_number", "name"] as const;

const Duplicate = z.object({
  contact: z.object({
    id: z.uuid(),
    name: z.string().nullable(),
    email: z.string().nullable(),
    phone_number: z.string().nullable(),
  }).nullable().meta({ description: "Null where the account is the find." }),
  account: z.object({ id: z.uuid(), name: z.string().nullable() }),
  reasons: z.array(z.enum(reasons)).meta({ description: "What is equal." }),
}).meta({ id: "Duplicate" });

export const Duplicates = z.object({ data: z.array(Duplicate) }).meta({
  id: "Duplicates",
  description: "At most 10 of what the caller sees, the best first.",
});

export const AccountDuplicatesBody = z.object({
  account_id: optional(uuid).meta({
    description: "An account whose duplicates are asked for: by its name, website and contacts.",
  }),
  name: text,
  email: text,
  phone_number: text,
  website: text,
  exclude_id: optional(uuid).meta({ description: "An account that is no find." }),
}).meta({
  id: "AccountDuplicatesBody",
  example: { name: "Analytical Engines Ltd.", website: "https://www.engines.example" },
});
export type AccountDuplicatesBody = z.output<typeof AccountDuplicatesBody>;

/** In the order of answers. */
export const accountReasons = ["name", "website", "email", "phone_number"] as const;

export const AccountDuplicates = z.object({
  data: z.array(
    z.object({
      account: z.object({ id: z.uuid(), name: z.string().nullable() }),
      reasons: z.array(z.enum(accountReasons)).meta({ description: "What is equal." }),
    }).meta({ id: "AccountDuplicate" }),
  ),
}).meta({
  id: "AccountDuplicates",
  description: "At most 10 of what the caller sees, the best first.",
});
