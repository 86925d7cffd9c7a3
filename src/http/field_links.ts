/** Links between custom fields: what is chosen in one limits another, and may choose for it. */
import { type FieldError, fieldError } from "../core/errors.ts";
import type { CustomField, CustomValue, FieldLink } from "../core/fields.ts";

/**
 * Applies the links to the values as they will be. What one other field has chosen shows together, each choice
 * its options; what several have chosen must all show an option. A linked field that the request names must
 * keep to the options shown; one that it does not name takes the default option when the choice is made, and
 * not when it is only repeated, or loses what is no longer shown.
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
    const shown = shownBy(holding);
    const chosen = optionsOf(after[field.id]);
    if (field.id in given) {
      if (!chosen.every(shown)) {
        errors.push(
          fieldError(at(field), "enum", `An option of ${field.name} does not go with what else is chosen.`),
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

function shownBy(links: readonly FieldLink[]): (option: string) => boolean {
  const byField = Map.groupBy(links, ({ field_id }) => field_id);
  return (option) =>
    byField.values().every((those) => those.some(({ options_shown }) => options_shown.includes(option)));
}

function chooses(value: CustomValue | undefined, link: FieldLink): boolean {
  return optionsOf(value).includes(link.option_id);
}

function optionsOf(value: CustomValue | undefined): readonly string[] {
  if (typeof value === "string") return [value];
  return Array.isArray(value) ? value : [];
}
