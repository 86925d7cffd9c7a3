/** A copy of a company's records that is kept by its events, by the rules that the guide gives. */
import assert from "node:assert/strict";
import type { Actor, Body } from "../support/app.ts";

/** The kinds of records that copies keep, with the list of each. */
export const lists: Readonly<Record<string, string>> = {
  account: "accounts",
  contact: "contacts",
  case: "cases",
  lead: "leads",
  note: "notes",
  task: "tasks",
};

/** Records as their answers embed them: they follow their own events, and here count by their ids. */
const embedded = ["account", "contact", "original_account", "original_contact", "case"];

/** What a copy knows of a record, and is compared by. */
export function ownValues(record: Body): Body {
  const own = structuredClone(record);
  for (const name of embedded) {
    if (own[name]?.id) own[name] = own[name].id;
    else delete own[name];
  }
  return own;
}

/** Reads, beside the events, what came into sight with a record and has no event of its own. */
export type ReadList = (path: string) => Promise<Body[]>;

export class Copy {
  #records = new Map<string, Body>();
  #sequences = new Map<string, number>();
  readonly #by: Actor;
  /** Whether the reader sees all events. */
  readonly #isWhole: boolean;
  /** Whether the reader may see a record with these members. */
  readonly #sees: (type: string, record: Body) => boolean;

  constructor(by: Actor, { isWhole, sees }: {
    readonly isWhole: boolean;
    readonly sees: (type: string, record: Body) => boolean;
  }) {
    this.#by = by;
    this.#isWhole = isWhole;
    this.#sees = sees;
  }

  /** Puts back what the copy was: the reader lost what it had kept since. */
  restore({ records, sequences }: ReturnType<Copy["keep"]>): void {
    this.#records = new Map(records);
    this.#sequences = new Map(sequences);
  }

  keep() {
    return { records: new Map(this.#records), sequences: new Map(this.#sequences) };
  }

  async take(
    { event, entity_type, entity_id, sequence, visible, data }: Body,
    read: ReadList,
  ): Promise<void> {
    const key = `${entity_type} ${entity_id}`;
    const before = this.#sequences.get(key) ?? 0;
    if (this.#isWhole) assert.equal(sequence, before + 1, `${key} rises by 1`);
    else assert.ok(sequence > before, `${key}: ${sequence} after ${before}`);
    this.#sequences.set(key, sequence);
    assert.equal(visible, data !== null, `${event} has data when it is visible`);
    const isDeleted = event.endsWith("_deleted");
    if (isDeleted || !visible) return this.#remove(entity_type, entity_id, isDeleted);
    if (!(entity_type in lists)) return;
    assert.ok(this.#sees(entity_type, data), `${event} of ${key} is hidden`);
    const isNew = !this.#records.has(key);
    this.#records.set(key, data);
    if (isNew && !this.#isWhole) await this.#readFollowers(entity_type, entity_id, read);
  }

  /** Removes a record, and what belongs to it. Cases have a team of their own: they go only with what is deleted. */
  #remove(type: string, id: string, isDeleted: boolean): void {
    this.#records.delete(`${type} ${id}`);
    const isCustomer = type === "account" || type === "contact";
    const belongs = (of: string, record: Body) => {
      if (of === "contact") return type === "account" && record.account.id === id;
      if (of === "case") return isDeleted && isCustomer && record[type].id === id;
      if (of === "note" && isCustomer) return record.case_id === null && record[`${type}_id`] === id;
      return (of === "note" || of === "task") && type === "case" && record.case_id === id;
    };
    for (const [key, record] of this.#records) {
      const [of, its] = key.split(" ") as [string, string];
      if (belongs(of, record)) this.#remove(of, its, isDeleted);
    }
  }

  /** Reads what follows an account, a contact or a case that came into sight. */
  async #readFollowers(type: string, id: string, read: ReadList): Promise<void> {
    const put = (of: string, records: Body[]) => {
      for (const record of records) this.#records.set(`${of} ${record.id}`, record);
    };
    if (type === "account") {
      const contacts = await read(`/v1/accounts/${id}/contacts?`);
      put("contact", contacts);
      for (const contact of contacts) put("note", await read(`/v1/notes?contact_ids=${contact.id}&`));
    } else if (type === "contact") put("note", await read(`/v1/notes?contact_ids=${id}&`));
    else if (type === "case") {
      put("note", await read(`/v1/notes?case_ids=${id}&`));
      put("task", await read(`/v1/tasks?case_ids=${id}&`));
    }
  }

  get size(): number {
    return this.#records.size;
  }

  ids(type: string): string[] {
    return [...this.#records.keys()].filter((key) => key.startsWith(`${type} `)).map((key) =>
      key.slice(type.length + 1)
    ).sort();
  }

  /** Throws unless the copy has what the API answers, in each record's own values. */
  async check(): Promise<void> {
    for (const [type, list] of Object.entries(lists)) {
      const shown = await readAll(this.#by, `/v1/${list}?`);
      assert.deepEqual(this.ids(type), shown.map(({ id }) => String(id)).sort(), list);
      await Promise.all(shown.map(async ({ id }) => {
        const { status, body, text } = await this.#by.call("GET", `/v1/${list}/${id}`);
        assert.equal(status, 200, text);
        assert.deepEqual(ownValues(this.#records.get(`${type} ${id}`)), ownValues(body), `${type} ${id}`);
      }));
    }
  }
}

/** Reads all pages of a list; `path` ends before its paging. Empty for one whose owner the caller does not see. */
export async function readAll(by: Actor, path: string): Promise<Body[]> {
  const all: Body[] = [];
  for (let page = 1;; page++) {
    const { status, body, text } = await by.call("GET", `${path}per_page=100&page=${page}`);
    if (status === 404) return all;
    assert.equal(status, 200, text);
    all.push(...body.data);
    if (body.data.length < 100) return all;
  }
}
