/** Caches lead types as leads embed them: they are long, few, and seldom change. */
import { BoundedMap } from "../../core/bounded_map.ts";
import { madeConstant } from "../../core/json.ts";
import { sha1Hex } from "../../platform/crypto.ts";
import { leadTypeOfJson, type LeadTypeRecord, presentLeadType } from "../lead_types/present.ts";

type LeadTypeJson = ReturnType<typeof presentLeadType>;

export interface CachedLeadType {
  readonly record: LeadTypeRecord;
  /** Pooled JSON of the company; embed it with `used`. */
  readonly json: LeadTypeJson;
}

/** Limited in bytes: of the text, the parsed record and the JSON. */
const cache = new BoundedMap<CachedLeadType>(64 * 1024 * 1024);
const copies = 6;

/** Reads the JSON of `leadTypeJson`. */
export function cachedLeadType(text: string): CachedLeadType {
  let type = cache.get(text);
  if (type === undefined) {
    type = shownType(leadTypeOfJson(text));
    cache.set(text, type, text.length * copies);
  }
  return type;
}

/** The type with its JSON as leads show it. */
export function shownType(record: LeadTypeRecord): CachedLeadType {
  const { text } = presentLeadType(record);
  return { record, json: madeConstant(sha1Hex(text), text) as LeadTypeJson };
}
