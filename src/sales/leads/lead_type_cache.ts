/** Lead types as leads embed them: long, few, and seldom changed, so what was made of a text is kept. */
import { BoundedMap } from "../../core/bounded_map.ts";
import { type Json, madeConstant } from "../../core/json.ts";
import { sha1Hex } from "../../platform/crypto.ts";
import { leadTypeOfJson, type LeadTypeRecord, presentLeadType } from "../lead_types/present.ts";

export interface CachedLeadType {
  readonly record: LeadTypeRecord;
  /** A constant of the company; to be `used`. */
  readonly json: Json;
}

/** Bytes; the text, what was read of it and what it is answered as. */
const kept = new BoundedMap<CachedLeadType>(64 * 1024 * 1024);
const copies = 6;

/** The type that `leadTypeJson` selected. The same text gives the same type to every caller. */
export function cachedLeadType(text: string): CachedLeadType {
  let type = kept.get(text);
  if (type === undefined) {
    type = shownType(leadTypeOfJson(text));
    kept.set(text, type, text.length * copies);
  }
  return type;
}

/** The type with what leads show of it. */
export function shownType(record: LeadTypeRecord): CachedLeadType {
  const { text } = presentLeadType(record);
  return { record, json: madeConstant(sha1Hex(text), text) };
}
