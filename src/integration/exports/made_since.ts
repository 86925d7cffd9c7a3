/** Which records were not there when an export was created, by the events behind it. */
import { literal, type Sql, sql } from "../../db/statements.ts";
import type { Result } from "../../platform/database/database.ts";
import type { ImportEntity } from "../columns/entities.ts";
import type { ExportRow } from "./table.ts";

/** Events of the company that one read looks at. */
const mostEvents = 10_000;

const types: Readonly<Record<ImportEntity, string>> = {
  accounts: "account",
  contacts: "contact",
  leads: "lead",
  products: "product",
};

/**
 * Follows what is made and deleted after the call. Row numbers would not do: a new record takes that of a deleted
 * one, and a record that the undo of a merge brings back gets a new one.
 */
export class MadeSince {
  readonly #made = new Set<unknown>();
  /** Deleted after the call; one that comes back was there at the call. */
  readonly #deleted = new Set<unknown>();
  #position: number;
  readonly #companyId: number;
  readonly #type: string;

  constructor({ company_id, entity, last_event }: Pick<ExportRow, "company_id" | "entity"> & {
    readonly last_event: number;
  }) {
    this.#companyId = company_id;
    this.#type = types[entity];
    this.#position = last_event;
  }

  /** The read of `note`: the events behind those that are noted. */
  read(): Sql {
    const names = ["created", "deleted"].map((end) => literal(`${this.#type}_${end}`));
    return sql`select max(position) as position, count(*) as n, json_group_array(json_array(entity_id, event_name))
      filter (where event_name in (${names[0]!}, ${names[1]!})) as changes from (
      select position, entity_id, event_name from outbox where company_id = ${this.#companyId}
      and position > ${this.#position} order by position limit ${literal(mostEvents)})`;
  }

  /** Returns whether these were all events. */
  note({ rows }: Result): boolean {
    const { position, n, changes } = rows[0]!;
    if (position !== null) this.#position = Number(position);
    for (const [id, name] of JSON.parse(String(changes)) as [string, string][]) {
      if (name.endsWith("_deleted")) {
        if (!this.#made.has(id)) this.#deleted.add(id);
      } else if (!this.#deleted.has(id)) this.#made.add(id);
    }
    return Number(n) < mostEvents;
  }

  has(id: unknown): boolean {
    return this.#made.has(id);
  }
}
