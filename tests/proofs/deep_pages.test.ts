/**
 * Deep pages of a list are correct, and are read with `readOnThread`, so that other calls do not wait. The
 * function that ends statements which take too long does not change their query plans.
 */
import assert from "node:assert/strict";
import { copyFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { createApp } from "../../src/app.ts";
import { loadConfig } from "../../src/config.ts";
import { openBox } from "../../src/entry/box.ts";
import type { Effort, Statement, ThreadedRead } from "../../src/platform/database/database.ts";
import { addTicks, goOn, tick } from "../../src/platform/database/row_ticks.ts";
import type { Body } from "../support/app.ts";
import { inFolder } from "../support/engines.ts";
import { memoryLog } from "../support/ports.ts";
import { isWhole, takeSample } from "../support/sample.ts";
import { sharedFolder } from "../support/temporary.ts";
import { type CallerName, grow } from "./grown.ts";
import { toUuid } from "./grown_rows.ts";
import { filteredLists, lists, short } from "./growth_lists.ts";

/** The number of rows of each list. */
const rows = 2_000;

interface Asked {
  readonly caller: CallerName;
  readonly path: string;
  /** Sent by POST. */
  readonly body?: string;
}

interface Grown extends AsyncDisposable {
  readonly file: string;
  readonly read: Read[];
  get(asked: Asked): Promise<Body>;
}

interface Read {
  readonly statement: Statement;
  readonly effort: Effort | null;
}

let grown: Promise<string> | undefined;

/** Returns the path of a database that is grown once, and of which each test takes a copy. */
function grownOnce(): Promise<string> {
  grown ??= (async () => {
    const folder = sharedFolder("wayline-");
    await grow(`${folder}/crm.db`, rows);
    return `${folder}/crm.db`;
  })();
  return grown;
}

async function serve(file: string): Promise<Grown> {
  copyFileSync(await grownOnce(), file);
  const box = await openBox(loadConfig({ DATABASE_URL: `file:${file}` }), { log: memoryLog() });
  const read: Read[] = [];
  const note = (statements: readonly Statement[], effort: Effort | null) =>
    void read.push(...statements.map((statement) => ({ statement, effort })));
  const db = {
    ...box.deps.db,
    read(statements: readonly Statement[]) {
      note(statements, statements.find(({ threaded }) => threaded)?.threaded?.effort ?? null);
      return box.deps.db.read(statements);
    },
    readOnThread(statements: readonly Statement[], how: ThreadedRead) {
      note(statements, how.effort);
      return box.deps.db.readOnThread(statements, how);
    },
  };
  const app = createApp({ ...box.deps, db });
  return {
    file,
    read,
    async get({ caller, path, body }) {
      const headers = { "Authorization": `Bearer ${caller}`, "Content-Type": "application/json" };
      const given = body === undefined ? { headers } : { method: "POST", headers, body };
      const response = await app.fetch(new Request(`http://crm.test${path}`, given));
      const text = await response.text();
      assert.equal(response.status, 200, `${path} ${text}`);
      return JSON.parse(text);
    },
    [Symbol.asyncDispose]: () => box.close(),
  };
}

/** Yields the requests of every list, for each of its callers and orders. */
function* requests(): Generator<Asked> {
  for (const { path, params, callers, queries } of lists) {
    const filled = path.replace(/:(\w+)/g, (_, name) => String(params?.[name]));
    for (const caller of callers) {
      for (const query of queries) yield { caller, path: `${filled}?${query}` };
    }
  }
  // Broad filters, so that they have deep pages.
  const broad = {
    contact: [{ field: "contact.b2c", operator: "eq", value: false }],
    account: [{ field: "account.b2c", operator: "eq", value: false }],
    lead: [{ field: "lead.created_at", operator: "gt", value: "2000-01-01 00:00:00" }],
  };
  for (const { path, caller, queries } of filteredLists) {
    const filter = path.includes("contact")
      ? broad.contact
      : path.includes("account")
      ? broad.account
      : broad.lead;
    for (const query of queries) yield { caller, path: `${path}?${query}`, body: JSON.stringify({ filter }) };
  }
}

const at = (asked: Asked, more: string): Asked => ({ ...asked, path: `${asked.path}&${more}` });

Deno.test("pages far behind are those that urls.next leads to, a page past the end is empty, and totals are exact", () =>
  inFolder(async (folder) => {
    await using grown = await serve(`${folder}/crm.db`);
    let deep = 0;
    for (const asked of takeSample([...requests()])) {
      const name = `${asked.caller} ${asked.path}`;
      const { total } = (await grown.get(at(asked, "per_page=1"))).pagination;
      grown.read.length = 0;
      const past = await grown.get(at(asked, "page=99999999&per_page=100"));
      assert.deepEqual([past.data, past.pagination.total], [[], total], name);
      assert.ok(grown.read.some(({ effort }) => effort !== null), `${name} is read where others wait`);
      const behind = await grown.get(at(asked, `page=${Math.ceil(total / 100) + 1}&per_page=100`));
      assert.deepEqual([behind.data, behind.pagination.total], [[], total], name);
      if (total < 1_500) continue;
      deep++;
      const before = await grown.get(at(asked, "page=12&per_page=100"));
      const next = new URL(before.pagination.urls.next);
      const followed = await grown.get({ ...asked, path: next.pathname + next.search });
      const jumped = await grown.get(at(asked, "page=13&per_page=100"));
      assert.equal(jumped.data.length, 100, name);
      assert.deepEqual(jumped.data, followed.data, name);
      assert.deepEqual(
        [jumped.pagination.total, jumped.pagination.urls.next],
        [total, followed.pagination.urls.next],
        name,
      );
      const last = await grown.get(at(asked, `page=${Math.ceil(total / 100)}&per_page=100`));
      assert.deepEqual([last.data.length, last.pagination.urls.next], [(total - 1) % 100 + 1, null], name);
    }
    assert.ok(deep > (isWhole ? 50 : 5), `${deep} lists are long`);
    for (const path of short) {
      const filled = path.replace(":company_id", "1").replace(":import_id", toUuid("import", 1));
      grown.read.length = 0;
      await grown.get({ caller: "seller", path: `${filled}?page=99999999` });
      assert.ok(grown.read.some(({ effort }) => effort !== null), `${path} is read where others wait`);
    }
  }));

Deno.test("what ends a statement changes no plan of it", () =>
  inFolder(async (folder) => {
    await using grown = await serve(`${folder}/crm.db`);
    const statements = new Set<string>();
    const take = () => {
      for (const { statement } of grown.read.splice(0)) statements.add(statement.sql);
    };
    for (const { path, params, callers, queries, filters } of takeSample(lists)) {
      const filled = path.replace(/:(\w+)/g, (_, name) => String(params?.[name]));
      for (const caller of callers) {
        for (const query of [...queries, ...filters]) await grown.get({ caller, path: `${filled}?${query}` });
      }
    }
    for (const { path, caller, queries, filters } of takeSample(filteredLists)) {
      for (const filter of filters) {
        for (const query of queries) {
          await grown.get({ caller, path: `${path}?${query}`, body: JSON.stringify({ filter }) });
        }
      }
    }
    take();
    const connection = new DatabaseSync(grown.file, { readOnly: true });
    connection.function(tick, () => goOn);
    const plan = (sql: string) => {
      const steps = connection.prepare(`explain query plan ${sql}`).all();
      return steps.map(({ detail }) => String(detail)).join("\n");
    };
    const isTable = connection.prepare(
      "select 1 from pragma_table_list(?) where schema = 'main' and type in ('table', 'virtual') and not wr",
    );
    let ticking = 0;
    for (const sql of statements) {
      const ended = addTicks(sql, (table) => isTable.get(table) !== undefined);
      if (ended !== sql) ticking++;
      assert.equal(plan(ended), plan(sql), sql);
    }
    connection.close();
    assert.ok(ticking > (isWhole ? 200 : 20), `${ticking} of ${statements.size} statements can be ended`);
  }));
