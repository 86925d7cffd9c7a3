/** The cells of a row: what an import reads as the same values. */
import type { FieldOption } from "../../fields/fixed_fields.ts";
import type { ShownField } from "../../fields/custom_fields.ts";
import type { Column } from "../columns/catalogue.ts";
import { findOption, joinValues, splitValues } from "../reading/words.ts";
import type { Shown } from "./records.ts";

/** Null: empty. A list: several choices. */
export type Cell = string | number | boolean | readonly string[] | null;

export function toCell({ source }: Column, shown: Shown): Cell {
  switch (source.kind) {
    case "fixed": {
      const field = shown.fixed[source.of].find(({ name }) => name === source.field.name);
      return showValue(field, source.field.options?.() ?? [], source.field.name === "country");
    }
    case "custom": {
      const field = shown.custom[source.of].find(({ id }) => id === source.field.id);
      return showValue(field, source.field.options, false);
    }
    case "consent":
      return shown.consent[source.channel]?.consent_given ?? null;
    case "full_name": {
      const valueBy = (name: string) => shown.fixed[source.of].find((field) => field.name === name)?.value;
      const [first, last] = [valueBy("first_name"), valueBy("last_name")];
      // In this order the parts are read as they were.
      if (typeof last === "string") return typeof first === "string" ? `${last}, ${first}` : last;
      return typeof first === "string" ? first : null;
    }
    case "property":
      return (source.of === "account" ? shown.accountProperties : shown.properties)[source.property] ?? null;
    case "category":
      return shown.categories.length > 0 ? shown.categories : null;
    case "lead_data": {
      const lines = shown.lead_data.filter(({ key }) => key === source.key);
      if (lines.length === 0) return null;
      return lines.map(({ value }) =>
        typeof value === "string"
          ? value
          : joinValues(value.map((each) => typeof each === "string" ? each : joinValues(each as string[])))
      ).join("|");
    }
  }
}

function showValue(field: ShownField | undefined, options: readonly FieldOption[], byId: boolean): Cell {
  const value = field?.value ?? null;
  if (value === null || typeof value !== "object") {
    // A choice may be shown by its id.
    const option = typeof value === "string" ? options.find(({ id }) => id === value) : undefined;
    return option && !byId ? showOption(option, options) : value;
  }
  if ("id" in value) return byId ? value.id : showOption(value, options);
  const words = value.map((each) => showOption(each, options));
  return words.length > 0 ? words : null;
}

/** Returns the value of an option, or its id where an import would read another option or none. */
function showOption(option: FieldOption, options: readonly FieldOption[]): string {
  const [read = "", ...others] = splitValues(joinValues([option.value, "-"]));
  const isRead = others.length === 1 && findOption(read, options)?.id === option.id;
  return isRead ? option.value : option.id;
}
