/** Reads the events since the last call, with the users whose subscriptions received them. Uses SQL only. */
import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import type { Body } from "../../support/app.ts";
import type { Kind } from "./mirror.ts";

export interface Event {
  readonly name: string;
  readonly kind: Kind;
  readonly id: string;
  readonly company: number;
  readonly body: Body;
  readonly text: string;
  /** The deliveries of the event, by the id of the subscription. */
  readonly deliveries: ReadonlyMap<number, Delivery>;
}

export interface Delivery {
  readonly id: string;
  /** True while the subscription is paused. */
  readonly missed: boolean;
}

export class Observer implements Disposable {
  readonly #db: DatabaseSync;
  readonly #parts = new Map<string, string>();
  #last = 0;

  constructor(file: string) {
    this.#db = new DatabaseSync(file, { readOnly: true });
    this.news();
  }

  /** Returns the events since the last call, in order. */
  news(): Event[] {
    const rows = this.#db.prepare(
      "select position, id, company_id, event_name, entity_type, entity_id, body from outbox where position > ? order by position",
    ).all(this.#last);
    return rows.map(({ position, id, company_id, event_name, entity_type, entity_id, body }) => {
      this.#last = Number(position);
      const found = this.#db.prepare(
        "select id, webhook_id, error is not null as missed from deliveries where event_id = ?",
      ).all(id!);
      const deliveries = new Map(
        found.map((each) => [Number(each.webhook_id), { id: String(each.id), missed: each.missed === 1 }]),
      );
      assert.equal(deliveries.size, found.length, `two deliveries of ${event_name} to one subscription`);
      const text = this.#whole(String(body));
      return {
        name: String(event_name),
        kind: String(entity_type) as Kind,
        id: String(entity_id),
        company: Number(company_id),
        text,
        body: parse(text),
        deliveries,
      };
    });
  }

  /** Returns a number that changes with every write. */
  version(): number {
    return Number(this.#db.prepare("pragma data_version").get()!.data_version);
  }

  /** Expands a stored body: strings of a slash, which is escaped, and a name refer to shared JSON. */
  #whole(body: string): string {
    return body.replaceAll(/"\\\/([0-9a-f]{40})"/g, (_, name: string) => this.#part(name));
  }

  #part(name: string): string {
    let text = this.#parts.get(name);
    if (text === undefined) {
      text = String(this.#db.prepare("select text from json_pool where name = ?").get(name)!.text);
      this.#parts.set(name, text);
    }
    return text;
  }

  [Symbol.dispose](): void {
    this.#db.close();
  }
}

/** Lists of options make up most of a body and never change in these tests. */
const options = /"options":\[[^\]]*\]/g;

export function parse(text: string): Body {
  return JSON.parse(text.replace(options, '"options":[]'));
}
