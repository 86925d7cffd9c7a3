/** The fields of filters, with their operators and choices. */
import { buildCatalogue, type Contribution } from "../../customers/filter_catalogue.ts";
import { type Catalogue, type FilterType, operatorsOf } from "../../filters/fields.ts";
import type { Viewer } from "../../db/context.ts";
import { noCompanyFields } from "../../fields/field_sets.ts";
import { makeLeadCatalogue } from "../../sales/leads/filter_fields.ts";
import { renderMarkdownTable } from "../content.ts";

/** An admin of a company without custom fields. */
const viewer: Viewer = {
  at: "2026-01-31 10:00:00",
  fields: noCompanyFields,
  caller: {
    tokenId: "",
    clientId: "",
    trusted: false,
    companyId: 0,
    userId: 0,
    userType: "admin",
    rights: new Set(),
    teamIds: [],
    groupIds: [],
    visibleTeamIds: [],
    activeTeamId: null,
  },
};

/** Largest number of choices to list; longer lists show the first ones and a count. */
const mostChoices = 12;

const values: Readonly<Record<FilterType, string>> = {
  text: "text, compared without case",
  uuid: "UUID",
  choice: "one of the choices",
  reference: "UUID",
  integer: "integer",
  number: "number",
  boolean: "`true` or `false`",
  timestamp: "timestamp",
  date: "date",
};

export function renderOperatorTable(): string {
  return renderMarkdownTable(
    ["Type of the field", "Value", "Operators"],
    (Object.keys(operatorsOf) as FilterType[]).map((type) => [
      type,
      values[type],
      operatorsOf[type].map((name) => `\`${name}\``).join(" "),
    ]),
  );
}

export function renderFilterTable(contributions: readonly Contribution[]): string {
  return renderFieldTable(buildCatalogue(viewer, "contact", contributions));
}

export function renderLeadFilterTable(): string {
  return renderFieldTable(makeLeadCatalogue(viewer));
}

function renderFieldTable(catalogue: Catalogue): string {
  return renderMarkdownTable(
    ["Field", "Type", "Operators", "Choices"],
    catalogue.names().map((name) => {
      const field = catalogue.field(name)!;
      return [
        `\`${name}\`${field.deprecated ? " (deprecated)" : ""}`,
        field.type,
        operatorsOf[field.type].join(" "),
        describeChoices([...field.choices ?? []]),
      ];
    }),
  );
}

function describeChoices(choices: readonly string[]): string {
  const shown = choices.length > mostChoices ? choices.slice(0, 3) : choices;
  const text = shown.map((choice) => `\`${choice}\``).join(" ");
  return shown.length < choices.length ? `${text} … (${choices.length} choices)` : text;
}
