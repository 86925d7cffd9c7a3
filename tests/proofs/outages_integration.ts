/** Imports, exports, merges and a reader of the feed during outages, and what must be there of them afterwards. */
import assert from "node:assert/strict";
import type { DatabaseSync } from "node:sqlite";
import { nameFields } from "../sales/leads_world.ts";
import type { Body, Reply } from "../support/app.ts";

/** Calls of the load. `write` sends a write again under its key until it is done; null: the load was stopped. */
interface Calls {
  call(method: string, path: string): Promise<Reply>;
  write(path: string, body: unknown): Promise<Body | null>;
}

const rowsOfImport = 20;

export class Integration {
  /** Last names of imported contacts. */
  readonly #rows: string[] = [];
  readonly #imports: string[] = [];
  readonly #exports: string[] = [];
  /** Accounts that stay, with those that they have taken. */
  readonly #merged: (readonly [string, string])[] = [];
  /** Positions of the feed, as its reader got them. */
  readonly #events: string[] = [];
  #cursor: string | null = null;
  #count = 0;

  constructor(readonly calls: Calls) {}

  /** Whether each of its calls was answered once. */
  get hasBegun(): boolean {
    return [this.#imports, this.#exports, this.#merged, this.#events].every(({ length }) => length > 0);
  }

  async import(): Promise<void> {
    const names = Array.from({ length: rowsOfImport }, () => `Row ${this.#count++}`);
    const data = btoa(["last_name", ...names].join("\n"));
    const file = await this.calls.write("/v1/files", { name: "rows.csv", data });
    const made = file && await this.calls.write("/v1/imports", { entity: "contacts", file_id: file.id });
    if (!made) return;
    this.#imports.push(made.id);
    this.#rows.push(...names);
  }

  async export(): Promise<void> {
    const made = await this.calls.write("/v1/exports", { entity: "contacts", columns: ["last_name"] });
    if (made) this.#exports.push(made.id);
  }

  async merge(): Promise<void> {
    const name = `Merged ${this.#count++}`;
    const make = () => this.calls.write("/v1/accounts", { fixed_fields: nameFields({ name }) });
    const [kept, gone] = [await make(), await make()];
    if (!kept || !gone) return;
    const merged = await this.calls.write(`/v1/accounts/${kept.id}/merge`, { from_id: gone.id });
    if (merged) this.#merged.push([kept.id, gone.id]);
  }

  async readFeed(): Promise<void> {
    const after = this.#cursor === null ? "" : `&after=${encodeURIComponent(this.#cursor)}`;
    const { status, body } = await this.calls.call("GET", `/v1/events?limit=500${after}`);
    if (status !== 200) return;
    this.#events.push(...body.data.map(({ id }: Body) => id));
    this.#cursor = body.next;
  }

  /** Checks that each change that was answered is there, once. */
  check(db: DatabaseSync): void {
    const selectIds = (sql: string) => new Set(db.prepare(sql).all().map(({ id }) => id));
    const done = selectIds("select id from imports where status = 'done'");
    assert.deepEqual(this.#imports.filter((id) => !done.has(id)), [], "imports that have not ended");
    const names = db.prepare("select last_name from contacts where last_name like 'Row %'").all();
    const times = Map.groupBy(names, ({ last_name }) => last_name);
    assert.deepEqual(this.#rows.filter((name) => times.get(name)?.length !== 1), [], "imported rows");
    const exports = db.prepare(
      `select e.id, e.status, e.failure, e.attempts, e.due_at, e.created_at, f.id as file
        from exports e left join files f on f.id = e.file_id`,
    ).all();
    const asked = exports.filter(({ id }) => this.#exports.includes(String(id)));
    assert.equal(asked.length, this.#exports.length, "exports");
    assert.deepEqual(asked.filter(({ file }) => file === null), [], "exports without a file");
    const accounts = selectIds("select id from accounts");
    const wrong = this.#merged.filter(([kept, gone]) => !accounts.has(kept) || accounts.has(gone));
    assert.deepEqual(wrong, [], "merged accounts");
    // The reader has got the events from the first on, each once, in their order.
    const all = db.prepare("select id from outbox order by position").all().map(({ id }) => id);
    assert.ok(this.hasBegun);
    assert.deepEqual(this.#events, all.slice(0, this.#events.length), "events of the feed");
  }
}
