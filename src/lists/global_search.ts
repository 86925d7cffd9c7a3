/** A kind of record that global search finds. Each wing describes its own; the search reads all of them in one batch. */
import type { Context } from "../db/context.ts";
import type { Row } from "../platform/database/database.ts";
import type { ListCondition } from "./conditions.ts";
import type { List, ListRequest } from "./list.ts";

/** A record that was found, as it is shown for all kinds. */
export interface FoundRecord {
  readonly id: string;
  readonly title: string;
  readonly subtitle: string | null;
  readonly status: string | null;
  /** The texts that it is found by, by the names of their fields; first those that it is best known by. */
  readonly texts: readonly (readonly [string, string | null])[];
}

export interface FoundKind {
  /** A list with the columns of a hit. Its order is that of the hits. */
  readonly list: List;
  /** The full-text index. */
  readonly index: string;
  /** The records that the caller sees. */
  readonly request: (ctx: Context) => Pick<ListRequest, "scope" | "fixedConditions">;
  /** Selects the record that a text names exactly, which comes first; null: the text is no such name. */
  readonly exact?: (text: string) => ListCondition | null;
  readonly present: (row: Row, ctx: Context) => FoundRecord;
}
