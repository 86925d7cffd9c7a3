/** Lead types as leads show them. */
import { BoundedMap } from "../../core/bounded_map.ts";
import { placeConstant } from "../../core/json.ts";
import { sha1Hex } from "../../platform/crypto.ts";
import { parseLeadType } from "../lead_types/queries.ts";
import { type LeadTypeRecord, presentLeadType } from "../lead_types/record.ts";

type ShownLeadType = ReturnType<typeof presentLeadType>;

/** A lead type as leads show it. */
export interface CachedLeadType {
  readonly record: LeadTypeRecord;
  /** The wire shape, as a constant of the company. */
  readonly shown: ShownLeadType;
  /** The same without its paths, for short rows. */
  readonly brief: Omit<ShownLeadType, "relations_paths">;
}

/**
 * A cache of lead types as leads show them. These are long, few, and seldom change. Limited by the bytes of
 * text, record and JSON, estimated as `copies` times the length of the text.
 */
const leadTypes = new BoundedMap<CachedLeadType>(64 * 1024 * 1024);
const copies = 6;

/** Reads the JSON of `selectLeadTypeJson`. */
export function parseCachedType(text: string): CachedLeadType {
  let type = leadTypes.get(text);
  if (type === undefined) {
    type = presentType(parseLeadType(text));
    leadTypes.set(text, type, text.length * copies);
  }
  return type;
}

/** Returns the type with its JSON as leads show it. */
export function presentType(record: LeadTypeRecord): CachedLeadType {
  const { relations_paths: _, ...brief } = presentLeadType({ ...record, relations_paths: [] });
  const text = JSON.stringify(presentLeadType(record));
  return { record, shown: placeConstant<ShownLeadType>({ name: sha1Hex(text), text, shared: false }), brief };
}
