/**
 * The values of a sent text, kept apart from it. Each reader gets the text filled with what they may see: values
 * of custom fields of other teams and groups are shown as `…`.
 */
import { seesField, type Viewer } from "../../fields/custom_fields.ts";
import type { Fields } from "../../fields/field_sets.ts";
import { type Found, Html } from "./render.ts";
import { listNamesIn, parseText } from "./syntax.ts";

/** The team or group that owns a field. */
export interface Scope {
  readonly team_id: number | null;
  readonly group_id: number | null;
}

/** Text, HTML that was sanitised, rows of a section, or the text of a field that not everybody sees. */
export type KeptValue =
  | string
  | null
  | { readonly html: string }
  | { readonly rows: readonly Readonly<Record<string, string>>[] }
  | { readonly text: string; readonly scope: Scope };

export type KeptValues = Readonly<Record<string, KeptValue>>;

/** What a reader sees in place of a value that is not for them. */
export const hiddenValue = "…";

/** Keeps a value; `scope` is that of its field. Null for a placeholder that has none. */
export function composeKeptValue(value: Exclude<Found, undefined>, scope: Scope | undefined): KeptValue {
  if (value === null) return null;
  if (value instanceof Html) return { html: value.html };
  if (typeof value === "string") return scope ? { text: value, scope } : value;
  return { rows: value.map((row) => Object.fromEntries(row)) };
}

/** Returns a kept value as it was sent (`reader` null), or as a reader may see it. */
export function readKeptValue(kept: KeptValue, reader: Viewer | null): Found {
  if (kept === null || typeof kept === "string") return kept;
  if ("html" in kept) return new Html(kept.html);
  if ("rows" in kept) return kept.rows.map((row) => new Map(Object.entries(row)));
  return isHidden(kept, reader) ? hiddenValue : kept.text;
}

/** Returns whether a value is not for the reader. */
export function isHidden(kept: KeptValue | undefined, reader: Viewer | null): boolean {
  return reader !== null && kept !== null && typeof kept === "object" && "scope" in kept &&
    !seesField(reader, kept.scope);
}

/** Returns the scopes of fields that a team or a group owns, by the names of their placeholders. */
export function mapScopes(fields: Fields): ReadonlyMap<string, Scope> {
  return new Map(
    (["contact", "account"] as const).flatMap((owner) =>
      fields[owner].custom.filter(({ team_id, group_id }) => team_id !== null || group_id !== null)
        .map(({ name, team_id, group_id }) => [`${owner}.custom.${name}`, { team_id, group_id }] as const)
    ),
  );
}

/** Returns the names of the placeholders in the texts. */
export function listNamesOfTexts(texts: readonly (string | null)[]): ReadonlySet<string> {
  return new Set(texts.flatMap((text) => text === null ? [] : listNamesIn(parseText(text))));
}
