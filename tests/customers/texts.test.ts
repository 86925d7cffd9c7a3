/** The indexes of parts of texts: what is in them, on both engines, and how they are kept. */
import assert from "node:assert/strict";
import fc from "../support/properties.ts";
import { foldTexts } from "../../src/core/text.ts";
import { composeTeamMark, makeTeamMark } from "../../src/filters/text_index.ts";
import { textIndexes } from "../../src/customers/texts/texts.ts";
import { migrationsFolder } from "../../src/entry/box.ts";
import { migrate } from "../../src/platform/database/migrate.ts";
import { readMigrations } from "../../src/platform/database/migration_files.ts";
import { openFile } from "../../src/platform/database/file.ts";
import { inFolder, onEachEngine } from "../support/engines.ts";
import { copyTemplate } from "../support/template.ts";
import { countIndexed, findContacts, indexAll, insertCompany, insertContacts } from "./texts_world.ts";
import { selectRows } from "../support/rows.ts";
import { sql } from "../../src/db/statements.ts";
import { foldCase } from "../support/case_folding.ts";

const odd = [
  ..."abcAB \"'%*:{}()^-\\\u0001",
  "é",
  "e\u0301",
  "İ",
  "ß",
  "ẞ",
  "Σ",
  "ς",
  "ﬀ",
  "😀",
  "👩‍👩‍👧",
  "\u200d",
  "\u00ad",
  "\u{10ffff}",
  "\ud7ff",
  "\ue000",
  "\ufffd",
  "\uffff",
  "一",
];
const oddText = fc.string({ unit: fc.constantFrom(...odd), maxLength: 8 });

onEachEngine(
  "three letters of any script are found in exactly the texts that contain them",
  async ({ db }) => {
    await migrate(db, readMigrations(migrationsFolder));
    const names = fc.sample(oddText, { numRuns: 600, seed: 11 });
    await insertCompany(db, 1, names);
    await insertCompany(db, 2, names, names.length + 1);
    await indexAll(db);
    // For a third of the rows the index has the old texts; a few are not in the index.
    const renamed = names.map((name, i) => i % 3 === 0 ? [...name].reverse().join("") : name);
    const changed = renamed.map((name, i) => [i + 1, name, foldTexts({ last_name: name })]);
    await db.write([{
      sql: "update contacts set last_name = v.value ->> 1, folded = v.value ->> 2 from json_each(?) v " +
        "where seq = v.value ->> 0",
      args: [JSON.stringify(changed)],
    }]);
    const more = fc.sample(oddText, { numRuns: 50, seed: 12 });
    await db.write(insertContacts(1, more, 10_001));
    const texts = [
      ...renamed.map((name, i) => [i + 1, foldCase(name)] as const),
      ...more.map((name, i) => [i + 10_001, foldCase(name)] as const),
    ];
    let [matches, asked] = [0, 0];
    const parts = fc.oneof(
      fc.tuple(fc.constantFrom(...texts), fc.nat(3), fc.integer({ min: 3, max: 6 })).map((
        [[, text], from, length],
      ) => [...text].slice(from, from + length).join("")),
      oddText,
    );
    for (const part of fc.sample(parts, { numRuns: 500, seed: 13 })) {
      const seqs = await findContacts(db, 1, foldCase(part));
      if (seqs === null) continue;
      const expected = texts.filter(([, text]) => text.includes(foldCase(part))).map(([seq]) => seq);
      assert.deepEqual(seqs, expected, JSON.stringify(part));
      matches += expected.length;
      asked++;
    }
    assert.ok(asked > 200 && matches > 300, `${asked} ${matches}`);
  },
);

onEachEngine(
  "a team's mark is the same three letters wherever it is made, and no other team's",
  async ({ db }) => {
    const teams = [null, 0, 1, 19_999, 20_000, 20_001, 399_999_999, 400_000_000, 2 ** 40];
    const rows = await selectRows(
      db,
      `select value ->> 0 as team, ${composeTeamMark(sql`value ->> 0`).sql} as mark from json_each(?)`,
      JSON.stringify(teams.map((team) => [team])),
    );
    assert.deepEqual(rows.map(({ mark }) => mark), teams.map(makeTeamMark));
    assert.equal(new Set(teams.map(makeTeamMark)).size, teams.length - 1);
    for (const team of teams) assert.equal([...makeTeamMark(team)].length, 3);
  },
);

Deno.test("every text that filters compare has a column in the index, and its change marks the row as stale", () =>
  inFolder(async (folder) => {
    await using stack = new AsyncDisposableStack();
    await copyTemplate(`${folder}/crm.db`);
    const db = openFile(`${folder}/crm.db`);
    stack.defer(() => db.close());
    await insertCompany(db, 1, ["Berg"]);
    for (const { table, texts, columns } of Object.values(textIndexes)) {
      const there = await selectRows(db, `select name from pragma_table_info('${texts}')`);
      assert.deepEqual(there.map(({ name }) => name), [...columns, "team"]);
      for (
        const change of [
          ...columns.map((name) => `${name} = 'New'`),
          "folded = '{}'",
          "team_id = 5",
          "b2c = 1",
        ]
      ) {
        await indexAll(db);
        assert.deepEqual(await countIndexed(db, table), [1, 0], change);
        await db.write([{ sql: `update ${table} set ${change}`, args: [] }]);
        assert.deepEqual(await countIndexed(db, table), [1, 1], change);
        await db.write([{ sql: `delete from ${table}_trigrams_stale`, args: [] }, {
          sql: `update ${table} set ${change}`,
          args: [],
        }]);
        assert.deepEqual(await countIndexed(db, table), [1, 0], `${change} again`);
      }
    }
  }));

Deno.test("deleted rows leave nothing in the index, whether they were indexed or waiting", () =>
  inFolder(async (folder) => {
    await using stack = new AsyncDisposableStack();
    await copyTemplate(`${folder}/crm.db`);
    const db = openFile(`${folder}/crm.db`);
    stack.defer(() => db.close());
    await insertCompany(db, 1, ["Berg", "Bergmann"]);
    await indexAll(db);
    // Changes the kind of the contact, and back. The index has a number for each kind.
    for (const b2c of [1, 0, 1]) {
      await db.write([{ sql: "update contacts set b2c = ? where seq = 2", args: [b2c] }]);
      await indexAll(db);
      assert.deepEqual(await countIndexed(db, "contacts"), [2, 0]);
    }
    await db.write(insertContacts(1, ["Bergen"], 3));
    assert.deepEqual(await countIndexed(db, "contacts"), [2, 1]);
    await db.write([{ sql: "delete from contacts", args: [] }, { sql: "delete from accounts", args: [] }]);
    assert.deepEqual(await countIndexed(db, "contacts"), [0, 0]);
    assert.deepEqual(await countIndexed(db, "accounts"), [0, 0]);
    // A new contact may get the number of a deleted one.
    await insertCompany(db, 2, ["Sommer"], 2);
    await indexAll(db);
    assert.deepEqual([
      await findContacts(db, 1, "berg"),
      await findContacts(db, 2, "berg"),
      await findContacts(db, 2, "somm"),
    ], [
      [],
      [],
      [2],
    ]);
  }));
