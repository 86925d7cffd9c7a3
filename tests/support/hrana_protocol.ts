/** The shapes of Hrana over HTTP, version 2, as JSON: what a request asks and how values are written. */

export type WireValue =
  | { type: "null" }
  | { type: "integer"; value: string }
  | { type: "float"; value: number }
  | { type: "text"; value: string }
  | { type: "blob"; base64: string };

export interface WireStatement {
  sql?: string;
  sql_id?: number;
  args?: WireValue[];
  want_rows?: boolean;
}

export type Condition =
  | { type: "ok" | "error"; step: number }
  | { type: "not"; cond: Condition }
  | { type: "and" | "or"; conds: Condition[] }
  | { type: "is_autocommit" };

export interface Step {
  condition?: Condition | null;
  stmt: WireStatement;
}

export type StreamRequest =
  | { type: "close" | "get_autocommit" }
  | { type: "execute"; stmt: WireStatement }
  | { type: "batch"; batch: { steps: Step[] } }
  | { type: "sequence" | "describe"; sql?: string; sql_id?: number }
  | { type: "store_sql"; sql_id: number; sql: string }
  | { type: "close_sql"; sql_id: number };

export interface PipelineRequest {
  baton?: string | null;
  requests: StreamRequest[];
}

export interface StatementResult {
  cols: { name: string; decltype: string | null }[];
  rows: WireValue[][];
  affected_row_count: number;
  last_insert_rowid: string | null;
}

export interface BatchResult {
  step_results: (StatementResult | null)[];
  step_errors: (WireError | null)[];
}

export interface WireError {
  message: string;
  code: string;
}

export type EngineValue = null | string | number | bigint | Uint8Array;

export function fromWire(value: WireValue): EngineValue {
  if (value.type === "null") return null;
  if (value.type === "integer") return BigInt(value.value);
  if (value.type === "blob") return Uint8Array.fromBase64(value.base64);
  return value.value;
}

export function toWire(value: EngineValue): WireValue {
  if (value === null) return { type: "null" };
  if (typeof value === "bigint") return { type: "integer", value: String(value) };
  if (typeof value === "number") return { type: "float", value };
  if (typeof value === "string") return { type: "text", value };
  return { type: "blob", base64: new Uint8Array(value).toBase64({ omitPadding: true }) };
}
