import { z } from "zod";
import { email, filledLine, lineText, optional, phoneNumber } from "../../http/zod.ts";
import { Company } from "../companies/record_schema.ts";
import { companyFields, timezone } from "../companies/schema.ts";
import { password, User } from "../users/record.ts";

export const CreatedCompany = Company.extend({ user: User }).meta({ id: "CreatedCompany", extends: Company });

const FirstUser = z.object({
  first_name: filledLine(255).meta({ example: "Ada" }),
  last_name: filledLine(255).meta({ example: "Lovelace" }),
  email,
  password: password(7).meta({ example: "correct horse battery" }),
  timezone: timezone.meta({ description: "Absent: the company's." }),
  phone_number: optional(phoneNumber).meta({ example: "020 7946 0018" }),
  job_title: optional(lineText(255)).meta({ example: "Managing director" }),
  system_user: optional(z.boolean()),
});

export type CreateCompany = z.output<typeof CreateCompany>;
export const CreateCompany = z.object({
  ...companyFields,
  user: FirstUser.meta({ description: "The first user, of type admin." }),
}).meta({
  id: "CreateCompany",
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
