/** Wire shapes of imports. */
import { z } from "zod";
import { fieldError, invalid } from "../../core/errors.ts";
import { Lead } from "../../sales/leads/schema.ts";
import { Product } from "../../sales/products/record.ts";
import { importEntities } from "../columns/entities.ts";
import { Account } from "../../customers/accounts/record.ts";
import { Contact } from "../../customers/contacts/record.ts";
import type { FormFields } from "../../http/incoming_file.ts";
import { describePage, paging } from "../../http/lists.ts";
import { describeNamedMembers } from "../../http/named_members.ts";
import { parseValid, refusal } from "../../http/validate.ts";
import { flag, integerId, optional, uuid } from "../../http/zod.ts";
import { UserSummary } from "../../identity/users/user_summary.ts";
import { dateOrders } from "../reading/dates.ts";
import { decimalSigns } from "../reading/numbers.ts";
import { encodings } from "../reading/encoding.ts";
import { failureCodes, importStatuses, matches, onMatches } from "./table.ts";

/** Bytes of a file, and milliseconds in which it arrives. */
export const mostBytes = 100 * 1024 * 1024;
export const uploadMs = 15 * 60_000;

const delimiter = z.string().refine(
  (value) => value.length === 1 && !/["\r\n\0\ufeff]/.test(value),
  refusal("format", "Must be one character."),
);

/** The members of JSON bodies; forms have them as texts, `mapping` as JSON. */
export const ImportFields = z.object({
  entity: z.enum(importEntities).meta({ description: "What a row becomes.", example: "contacts" }),
  format: z.enum(["csv", "ndjson"]).default("csv"),
  dry_run: flag(false).meta({ description: "Checks all rows and writes nothing. `start` then runs it." }),
  match: z.enum(matches).default("none").meta({
    description: "How a row finds the record that it changes. `email` and `phone_number` are for contacts.",
    example: "external_id",
  }),
  on_match: z.enum(onMatches).default("update").meta({
    description: "What happens with a record that is found.",
  }),
  refusals: z.enum(["fail", "skip"]).default("fail").meta({
    description:
      "What happens with a row that agrees to a channel which the address refuses: the row fails, or " +
      "comes in without that consent.",
  }),
  mapping: optional(describeNamedMembers(z.string().nullable())).meta({
    description:
      "The field of each column; null leaves a column out. Without it, the names of columns decide.",
    example: { Company: "account.name" },
  }),
  team_id: optional(integerId).meta({
    description:
      "The team of new accounts, contacts and leads. Absent: the caller's active team; leads then wait " +
      "for the agency.",
  }),
  user_id: optional(integerId).meta({
    description: "The user of the new accounts and contacts; the caller if absent.",
  }),
  agency_team_id: optional(integerId).meta({
    description: "The agency team of new leads; required for leads without `team_id`.",
  }),
  delimiter: optional(delimiter).meta({ description: "Found from the first lines if absent.", example: ";" }),
  decimal: optional(z.enum(decimalSigns)).meta({
    description: "Found from the numbers of the file if absent.",
  }),
  date_format: optional(z.enum(dateOrders)).meta({
    description:
      "The order of day, month and year. Found for each column if absent, else that of the company.",
  }),
});
export type ImportFields = z.output<typeof ImportFields>;

export const ImportBody = ImportFields.extend({
  file_id: uuid.meta({ description: "A file that the caller may read." }),
}).meta({
  id: "ImportBody",
  example: { entity: "contacts", file_id: "01939c5e-7d3a-7c3f-8a55-0a4be5a1a001" },
});
export type ImportBody = z.output<typeof ImportBody>;

const numbers = ["team_id", "user_id", "agency_team_id"];
const truths: Readonly<Record<string, boolean>> = { true: true, "1": true, false: false, "0": false };

/** Reads the fields of a form. Throws 422. */
export function readForm(fields: FormFields): ImportFields {
  if (fields.file_id) throw invalid(fieldError("file_id", "excluded", "The form has a file."));
  const given = Object.entries(fields).filter(([, value]) => value !== "").map(([name, value]) => {
    if (name === "mapping") return [name, parseJson(value)];
    if (numbers.includes(name) && /^\d{1,15}$/.test(value)) return [name, Number(value)];
    if (name === "dry_run" && Object.hasOwn(truths, value.toLowerCase())) {
      return [name, truths[value.toLowerCase()]];
    }
    return [name, value];
  });
  return parseValid(ImportFields, Object.fromEntries(given), "");
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalid(fieldError("mapping", "format", "Must be JSON."));
  }
}

const count = z.int().meta({ example: 12 });
const stamp = "2026-01-31 10:00:00";

export const Import = z.object({
  id: z.uuid(),
  name: z.string().meta({ example: "customers.csv" }),
  entity: z.enum(importEntities),
  format: z.enum(["csv", "ndjson"]),
  status: z.enum(importStatuses),
  dry_run: z.boolean(),
  match: z.enum(matches),
  on_match: z.enum(onMatches),
  refusals: z.enum(["fail", "skip"]),
  mapping: z.record(z.string(), z.string()).meta({ description: "The field of each column that sets one." }),
  unmapped: z.array(z.string()).meta({ description: "The columns that set nothing." }),
  team_id: z.int().nullable(),
  user_id: z.int(),
  agency_team_id: z.int().nullable(),
  columns: z.array(
    z.object({
      name: z.string(),
      samples: z.array(z.string()),
      date_format: z.enum(dateOrders).nullable(),
    }).meta({ id: "ImportColumn" }),
  ),
  encoding: z.enum(encodings),
  delimiter: z.string().nullable(),
  decimal: z.enum(decimalSigns),
  date_format: z.enum(dateOrders).nullable(),
  progress: z.int().min(0).max(100),
  counts: z.object({ rows: count, created: count, updated: count, skipped: count, failed: count })
    .meta({ id: "ImportCounts" }),
  preview: z.array(
    z.object({
      row: z.int(),
      action: z.enum(["create", "update", "skip", "fail"]),
      record: z.union([Account, Contact, Lead, Product]).nullable().meta({ description: "As GET shows it." }),
    }).meta({ id: "ImportPreviewRow" }),
  ).nullable().meta({ description: "The first 20 rows of a dry run." }),
  failure: z.object({ code: z.enum(failureCodes), message: z.string(), row: z.int().nullable() })
    .meta({ id: "ImportFailure" }).nullable(),
  reverted: z.object({ deleted: count, restored: count, kept: count }).meta({ id: "ImportReverted" })
    .nullable(),
  user: UserSummary,
  file_id: z.uuid().nullable(),
  created_at: z.string().meta({ example: stamp }),
  started_at: z.string().nullable().meta({ example: stamp }),
  finished_at: z.string().nullable().meta({ example: stamp }),
}).meta({ id: "Import" });

export const ImportPage = describePage(Import, "ImportPage");

export const ImportError = z.object({
  row: z.int().meta({ description: "From 1, without the header." }),
  column: z.string().nullable(),
  path: z.string().nullable().meta({ description: "The field, as in the mapping." }),
  code: z.string().meta({ example: "format" }),
  message: z.string(),
  value: z.string().nullable().meta({ description: "As in the file." }),
}).meta({ id: "ImportError" });
export const ImportErrorPage = describePage(ImportError, "ImportErrorPage");

export const ImportErrorRows = z.string().meta({ id: "ImportErrorRows", description: "A csv file." });

export const ImportKept = z.object({
  row: z.int(),
  entity: z.string().meta({ example: "contacts" }),
  id: z.string(),
  reason: z.enum(["changed", "in_use", "deleted"]),
}).meta({ id: "ImportKept" });
export const ImportKeptPage = describePage(ImportKept, "ImportKeptPage");

export const ImportQuery = z.object(paging);
