import { z } from "@hono/zod-openapi";
import { email, filledText, optional, text } from "../../http/zod.ts";
import { Company } from "../companies/record_schema.ts";
import { companyFields, timezone } from "../companies/schema.ts";
import { password, User } from "../users/schema.ts";

export const CreatedCompany = Company.extend({ user: User }).openapi("CreatedCompany");

const FirstUser = z.object({
  first_name: filledText(255).openapi({ example: "Ada" }),
  last_name: filledText(255).openapi({ example: "Lovelace" }),
  email,
  password: password(7).openapi({ example: "correct horse battery" }),
  timezone: timezone.openapi({ description: "Absent: the company's." }),
  phone_number: optional(text(255)).openapi({ example: "020 7946 0018" }),
  job_title: optional(text(255)).openapi({ example: "Managing director" }),
  system_user: optional(z.boolean()),
});

export type CreateCompany = z.output<typeof CreateCompany>;
export const CreateCompany = z.object({
  ...companyFields,
  user: FirstUser.openapi({ description: "The first user, of type admin." }),
}).openapi("CreateCompany", {
  example: {
    name: "Nordlicht Autohaus",
    timezone: { name: "Europe/Berlin" },
    locale: { code: "de-DE" },
    user: {
      first_name: "Ada",
      last_name: "Lovelace",
      email: "ada@example.org",
      password: "correct horse battery",
    },
  },
});
