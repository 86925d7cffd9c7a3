/** Members of users and teams that default to those of their company. */
import { text } from "drizzle-orm/sqlite-core";
import { z } from "zod";
import { Locale, localeCode, Timezone, timezoneName } from "../http/reference_fields.ts";
import { optional } from "../http/zod.ts";
import { writeOnly } from "../records/kinds.ts";

const description = "Absent: the company's.";

/** The time zone: given by name, shown with its offset. */
export const timezoneMember = () => ({
  column: text().notNull(),
  shown: Timezone,
  ...writeOnly(optional(z.object({ name: optional(timezoneName) })).meta({ description })),
  stored: "code" as const,
});

/** The locale: given by code, shown with its country and language. */
export const localeMember = () => ({
  column: text().notNull(),
  shown: Locale,
  ...writeOnly(optional(z.object({ code: optional(localeCode) })).meta({ description })),
  stored: "code" as const,
});
