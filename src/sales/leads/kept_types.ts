/** Lead types as leads embed them: long, few, and seldom changed, so what was made of a text is kept. */
import type { Json } from "../../core/json.ts";
import { leadTypeOfJson, type LeadTypeRecord, presentLeadType } from "../lead_types/present.ts";

export interface KeptType {
  readonly record: LeadTypeRecord;
  readonly json: Json;
}

const most = 500;
const kept = new Map<string, KeptType>();

/** The type that `leadTypeJson` selected. The same text gives the same type, whoever asks. */
export function keptType(text: string): KeptType {
  let type = kept.get(text);
  if (type === undefined) {
    const record = leadTypeOfJson(text);
    type = { record, json: presentLeadType(record) };
    if (kept.size >= most) kept.clear();
    kept.set(text, type);
  }
  return type;
}
