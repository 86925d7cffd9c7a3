/** Wire shape of preferences. */
import { z } from "zod";
import { refusal } from "../../http/validate.ts";
import { optional, text } from "../../http/zod.ts";

/** The most lists with chosen columns, and the most columns of one. */
const [mostLists, mostColumns] = [50, 100];

export const themes = ["auto", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

const name = text(100);

const columns = z.record(
  name,
  z.array(name).refine((names) => names.length <= mostColumns, refusal("max", `At most ${mostColumns}.`)),
).refine((lists) => Object.keys(lists).length <= mostLists, refusal("max", `At most ${mostLists} lists.`))
  .meta({
    description: "The columns of lists, by the name of the list.",
    example: { contacts: ["name", "email"] },
  });

const start = text(2048).refine(
  (path) => /^\/app(?:[/?]|$)/.test(path) && !/[\\\s]|\/\.{1,2}(?:[/?]|$)/.test(path),
  refusal("format", "Must be a path of the console, such as /app/leads."),
).meta({ example: "/app/leads?view=mine" });

export const Preferences = z.object({
  theme: z.enum(themes).meta({ description: "`auto`: as the device." }),
  shortcuts: z.boolean().meta({ description: "Whether single keys do something." }),
  columns: z.record(z.string(), z.array(z.string())).meta({
    description: "The columns of lists, by the name of the list, for programs that show them.",
    example: { contacts: ["name", "email"] },
  }),
  start: z.string().nullable().meta({
    description:
      "The path of a view to begin with, for programs that show it. The console begins with Today.",
    example: "/app/leads?view=mine",
  }),
}).meta({ id: "Preferences", description: "How the caller wants the console." });
export type Preferences = z.output<typeof Preferences>;

export const PreferencesChange = z.object({
  theme: optional(z.enum(themes)),
  shortcuts: optional(z.boolean()),
  columns: optional(columns),
  start: optional(start),
}).meta({
  id: "PreferencesChange",
  description: "An absent member keeps its value; null gives it its default.",
  example: { theme: "dark" },
});
export type PreferencesChange = z.output<typeof PreferencesChange>;

export const defaultPreferences: Preferences = { theme: "auto", shortcuts: true, columns: {}, start: null };
