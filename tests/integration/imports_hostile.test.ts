/** Files that are made to break a reader: each ends as it should, and the next import runs. */
import assert from "node:assert/strict";
import { type Actor, type Body, startApp, type TestApp } from "../support/app.ts";
import { importFile, listFaults, send } from "./imports_world.ts";

const contacts = { entity: "contacts" };
const mebibyte = 1_048_576;

interface Hostile {
  readonly name: string;
  readonly bytes: () => string | Uint8Array;
  /** What the call answers, as `status path code`, or how the import ends. */
  readonly end: string;
  /** The faults of its rows, as `row column path code`. */
  readonly faults?: readonly string[];
}

function joinBytes(...parts: (string | readonly number[])[]): Uint8Array {
  return Uint8Array.from(
    parts.flatMap((part) => typeof part === "string" ? [...new TextEncoder().encode(part)] : part),
  );
}

const files: readonly Hostile[] = [
  {
    name: "a workbook or archive, however large it would become",
    bytes: () => joinBytes([0x50, 0x4b, 3, 4], "\0".repeat(1_000)),
    end: "422 file format",
  },
  {
    name: "a name twice in the header",
    bytes: () => "last_name,email,last_name\nx,,y\n",
    end: "422 file unique",
  },
  {
    name: "a million columns",
    bytes: () => Array.from({ length: 1_000_000 }, (_, n) => n).join(),
    end: "422 file max",
  },
  {
    name: "one endless line",
    bytes: () => new Uint8Array(40 * mebibyte).fill(0x61),
    end: "failed format 0 created 0",
  },
  {
    name: "an endless cell behind good rows",
    bytes: () => `last_name,email\nGood,\n${"x".repeat(20 * mebibyte)},\nLast,\n`,
    end: "done created 2 failed 1",
    faults: ["2 last_name last_name max"],
  },
  {
    name: "a quote that is not closed",
    bytes: () => `last_name\nGood\n"${"x\n".repeat(500_000)}`,
    end: "failed format 2 created 0",
  },
  {
    name: "NUL bytes and other controls",
    bytes: () => joinBytes("last_name,city\nGood,Rome\nA", [0], "b,Rome\n"),
    end: "done created 1 failed 1",
    faults: ["2 last_name last_name format"],
  },
  {
    name: "bytes that are no UTF-8 in a file with its mark",
    bytes: () => joinBytes([0xef, 0xbb, 0xbf], "last_name\nGood\n", [0xc3, 0x28], "\n"),
    end: "done created 2 failed 0",
  },
  {
    name: "formula texts, which stay texts",
    bytes: () => `last_name,city\n=cmd|'/c calc'!A1,Rome\n"=HYPERLINK(""http://x"")",@SUM(A1)\n`,
    end: "done created 2 failed 0",
  },
  {
    name: "rows with more and fewer cells than the header",
    bytes: () => "last_name,email\nGood\nGood,,,,,,,,x\n,,\n",
    end: "done created 2 failed 1",
    faults: ["3 last_name last_name required"],
  },
];

async function outcome(
  app: TestApp,
  admin: Actor,
  { bytes }: Hostile,
): Promise<{ end: string; faults: string[] }> {
  const content = bytes();
  const made = await send(admin, content, contacts);
  if (made.status !== 201) {
    const [{ path, code }] = made.body.errors ?? [{ path: "", code: made.body.code }];
    return { end: `${made.status} ${path} ${code}`, faults: [] };
  }
  await app.idle();
  const { body }: { body: Body } = await admin.call("GET", `/v1/imports/${made.body.id}`);
  const faults = await listFaults(admin, made.body.id);
  const { created, failed } = body.counts;
  if (body.status === "failed") {
    return { end: `failed ${body.failure.code} ${body.failure.row} created ${created}`, faults };
  }
  return { end: `${body.status} created ${created} failed ${failed}`, faults };
}

for (const hostile of files) {
  Deno.test(`an import of ${hostile.name} ends as it should`, async () => {
    await using app = await startApp();
    const { admin } = await app.company();
    const { end, faults } = await outcome(app, admin, hostile);
    assert.equal(end, hostile.end);
    assert.deepEqual(faults, hostile.faults ?? []);
    const { total } = (await admin.call("GET", "/v1/contacts")).body.pagination;
    assert.equal(total, Number(/created (\d+)/.exec(end)?.[1] ?? 0));
    // The next import runs.
    const next = await importFile(app, admin, "last_name\nNext\n");
    assert.deepEqual([next.status, next.counts.created], ["done", 1]);
  });
}

Deno.test("columns may have the names of what each object has", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const row = { last_name: "Byron", constructor: "a", toString: "b", hasOwnProperty: "c" };
  const names = Object.keys(row);
  const files = {
    csv: `${names.join()}\n${Object.values(row).join()}\n`,
    ndjson: `${JSON.stringify(row)}\n`,
  };
  for (const [format, text] of Object.entries(files)) {
    const form = { ...contacts, format, mapping: '{"last_name":"last_name"}' };
    const { status, counts, unmapped, mapping } = await importFile(app, admin, text, form);
    assert.deepEqual([status, counts.created, unmapped], ["done", 1, names.slice(1)]);
    assert.deepEqual(mapping, { last_name: "last_name" });
  }
});
