/** A sent text with its values apart, for texts with fields that not everybody sees. */
import type { Viewer } from "../../fields/custom_fields.ts";
import { makeValueLookup } from "./catalogue.ts";
import { composeWith, type Composing, type Draft, type Message } from "./compose.ts";
import {
  composeKeptValue,
  isHidden,
  type KeptValues,
  listNamesOfTexts,
  mapScopes,
  readKeptValue,
} from "./kept_values.ts";

/** Stored as JSON. */
export interface KeptText extends Omit<Draft, "type"> {
  readonly values: KeptValues;
  /** HTML after the text. */
  readonly tail: string;
}

/** Returns the text with its values as JSON; null when all readers may see all of it. */
export function composeKeptText(
  { type, ...draft }: Draft,
  { facts, fields }: Pick<Composing, "facts" | "fields">,
  tail = "",
): string | null {
  const scopes = mapScopes(fields);
  const names = [...listNames(draft)];
  if (!names.some((name) => scopes.has(name))) return null;
  const valueOf = makeValueLookup({ ...facts, subject: null, content: null }, fields, type);
  const values = Object.fromEntries(names.flatMap((name) => {
    const value = valueOf(name);
    return value === undefined || isOwn(name) ? [] : [[name, composeKeptValue(value, scopes.get(name))]];
  }));
  const { subject, content, frame } = draft;
  return JSON.stringify({ subject, content, frame, values, tail } satisfies KeptText);
}

/** Fills a stored text with what the reader may see. Null when that is the text as it was sent. */
export async function renderKeptText(stored: string | null, reader: Viewer): Promise<Message | null> {
  if (stored === null) return null;
  const { subject, content = "", frame = null, values, tail } = JSON.parse(stored) as KeptText;
  const names = listNames({ subject, content, frame });
  if (![...names].some((name) => isHidden(values[name], reader))) return null;
  const text = await composeWith({ subject, content, frame }, (own) => (name) => {
    if (isOwn(name)) return own[name];
    return Object.hasOwn(values, name) ? readKeptValue(values[name]!, reader) : undefined;
  });
  return { ...text, html: text.html + tail };
}

/** Sees no field of a team or group. */
const anybody: Viewer = { userType: "user", teamIds: [], groupIds: [], activeTeamId: null };

/** Returns the subject of a stored text as everybody may see it; null when that is the one as it was sent. */
export async function openSubject(stored: string | null): Promise<string | null> {
  return (await renderKeptText(stored, anybody))?.subject ?? null;
}

function listNames({ subject, content, frame }: Omit<Draft, "type">): ReadonlySet<string> {
  return listNamesOfTexts([subject, content, frame]);
}

/** Placeholders of the text itself. */
function isOwn(name: string): name is "subject" | "content" {
  return name === "subject" || name === "content";
}
