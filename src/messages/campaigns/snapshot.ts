/**
 * The data that all messages of a campaign share, as it was when sending began, and the values of each
 * message.
 */
import type { Viewer } from "../../fields/custom_fields.ts";
import type { Fields } from "../../fields/field_sets.ts";
import { type Facts, makeValueLookup, type UserFacts } from "../placeholders/catalogue.ts";
import { composeMailWith, composeWith, type Message } from "../placeholders/compose.ts";
import { composeKeptValue, type KeptValues, mapScopes, readKeptValue } from "../placeholders/kept_values.ts";
import { type Found, Html } from "../placeholders/render.ts";
import { listNamesIn, parseText } from "../placeholders/syntax.ts";

/** Stored as JSON in the campaign. */
export interface Snapshot {
  readonly subject: string | null;
  readonly content: string;
  /** The content of the template; null without one. */
  readonly frame: string | null;
  readonly margins: SnapshotMargins;
  /** What was left out and why; absent or null: nothing. */
  readonly left_out?: string | null;
  /** The name and the address of the sender. */
  readonly sender: { readonly name: string; readonly address: string };
  readonly user: UserFacts;
}

export interface SnapshotMargins {
  readonly margin_top: number | null;
  readonly margin_right: number | null;
  readonly margin_bottom: number | null;
  readonly margin_left: number | null;
}

/** The values of one message by name. */
export type MessageValues = KeptValues;

/**
 * Returns the values of the campaign's text that differ by contact. The snapshot has the values of the user.
 */
export function composeMessageValues(
  snapshot: Snapshot,
  facts: Omit<Facts, "subject" | "content">,
  fields: Fields,
  type: "email" | "letter",
): MessageValues {
  const valueOf = makeValueLookup({ ...facts, subject: null, content: null }, fields, type);
  const scopes = mapScopes(fields);
  const entries = listNames(snapshot).flatMap((name) => {
    const value = valueOf(name);
    if (value === undefined || value instanceof Array) return [];
    return [[name, composeKeptValue(value, scopes.get(name))] as const];
  });
  return Object.fromEntries(entries);
}

/**
 * Composes the message to one recipient. The result is the same each time, byte by byte. `reader`: shows what
 * this reader may see instead of what was sent.
 */
export function composeMessage(
  snapshot: Snapshot,
  values: MessageValues,
  reader: Viewer | null = null,
): Promise<Message> {
  return composeWith(snapshot, valuesFor(snapshot, values, reader));
}

/** Composes as `composeMessage` does, also the plain text. Adds a line to unsubscribe to a text that has no such link. */
export function composeMail(snapshot: Snapshot, values: MessageValues, reader: Viewer | null = null) {
  const hasLine = typeof values.unsubscribe_url === "string" && !hasUnsubscribeLink(snapshot);
  const tail = hasLine ? '<p><a href="{{unsubscribe_url}}">Unsubscribe</a></p>' : "";
  return composeMailWith(snapshot, valuesFor(snapshot, values, reader), { tail });
}

function valuesFor(snapshot: Snapshot, values: MessageValues, reader: Viewer | null) {
  return ({ subject, content }: Pick<Facts, "subject" | "content">) => (name: string): Found => {
    if (name === "subject") return subject;
    if (name === "content") return content;
    const user = userValues[name];
    if (user) return user(snapshot.user);
    if (!Object.hasOwn(values, name)) return undefined;
    return readKeptValue(values[name] ?? null, reader);
  };
}

/** Returns whether the text has a link to unsubscribe. */
function hasUnsubscribeLink(snapshot: Snapshot): boolean {
  return listNames(snapshot, true).includes("unsubscribe_url");
}

const userValues: Readonly<Record<string, (user: UserFacts) => Found>> = {
  "user.first_name": ({ first_name }) => first_name,
  "user.last_name": ({ last_name }) => last_name,
  "user.full_name": ({ first_name, last_name }) => `${first_name} ${last_name}`.trim(),
  "user.email": ({ email }) => email,
  "user.phone_number": ({ phone_number }) => phone_number,
  "user.signature": ({ signature_email }) => signature_email ? new Html(signature_email) : null,
};

/** Names in the texts whose values differ by recipient. */
function listNames({ subject, content, frame }: Snapshot, inHtml = false): string[] {
  const texts = inHtml ? [content, frame ?? ""] : [subject ?? "", content, frame ?? ""];
  const names = new Set(texts.flatMap((text) => listNamesIn(parseText(text))));
  return [...names].filter((name) => name !== "subject" && name !== "content" && !(name in userValues));
}
