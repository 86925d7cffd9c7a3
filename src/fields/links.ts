/**
 * Links between custom fields: a choice in one field limits the options of another, and may set its default.
 */
import { type FieldError, fieldError } from "../core/errors.ts";
import type { CustomField, CustomValue, FieldLink } from "./custom_fields.ts";

/**
 * Applies the links to the new values. The choices of one field add up: each shows its options. When several
 * fields limit a field, all of them must show an option. A linked field that the request names accepts only
 * shown options. A linked field that it does not name takes the default option when the choice is new, and
 * loses options that are no longer shown.
 */
export function followLinks(
  before: Readonly<Record<string, CustomValue>>,
  after: Record<string, CustomValue>,
  given: Readonly<Record<string, unknown>>,
  fields: readonly CustomField[],
  at: (field: CustomField) => string,
  errors: FieldError[],
): void {
  for (const field of fields) {
    const holding = field.links.filter((link) => chooses(after[link.field_id], link));
    if (holding.length === 0) continue;
    const shown = makeShownTest(holding);
    const chosen = listOptions(after[field.id]);
    if (field.id in given) {
      if (!chosen.every(shown)) {
        errors.push(
          fieldError(at(field), "enum", `An option of ${field.name} does not fit the other choices.`),
        );
      }
      continue;
    }
    const named = holding.filter((link) => link.field_id in given);
    if (named.length === 0) continue;
    const made = named.filter((link) => !chooses(before[link.field_id], link));
    const byDefault = made.find(({ default_option }) => default_option !== null && shown(default_option));
    const kept = byDefault ? [byDefault.default_option!] : chosen.filter(shown);
    if (kept.length === 0) delete after[field.id];
    else after[field.id] = field.type === "multiple_choice" ? kept : kept[0]!;
  }
}

function makeShownTest(links: readonly FieldLink[]): (option: string) => boolean {
  const byField = Map.groupBy(links, ({ field_id }) => field_id);
  return (option) =>
    byField.values().every((those) => those.some(({ options_shown }) => options_shown.includes(option)));
}

function chooses(value: CustomValue | undefined, link: FieldLink): boolean {
  return listOptions(value).includes(link.option_id);
}

function listOptions(value: CustomValue | undefined): readonly string[] {
  if (typeof value === "string") return [value];
  return Array.isArray(value) ? value : [];
}
