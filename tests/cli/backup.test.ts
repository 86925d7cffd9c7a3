import assert from "node:assert/strict";
import { openFile } from "../../src/platform/database/file.ts";
import { inFolder } from "../support/engines.ts";
import { type Finished, runCommand } from "../support/process.ts";

const command = (name: string, ...args: string[]) => ["run", "-A", `src/cli/${name}.ts`, ...args];

interface Place {
  readonly folder: string;
  readonly env: Record<string, string>;
}

function place(folder: string): Place {
  return { folder, env: { DATABASE_URL: `file:${folder}/crm.db`, STORAGE_URL: `file:${folder}/files` } };
}

/** A place with a database of one company, a key and two stored files. */
async function filled(folder: string, company = "Acme"): Promise<Place> {
  const made = place(folder);
  await Deno.mkdir(`${folder}/files/1`, { recursive: true });
  await Deno.writeTextFile(`${folder}/files/1/a.txt`, "first");
  await Deno.writeTextFile(`${folder}/files/b.bin`, "second");
  await Deno.writeTextFile(`${folder}/secrets.key`, `${new Uint8Array(32).fill(7).toBase64()}\n`);
  succeeded(await runCommand(command("migrate"), made.env));
  await inDatabase(made, (db) => db.write([{ sql: insertCompany, args: [company] }]));
  return made;
}

const insertCompany =
  "insert into companies (name, timezone, locale, language, currency, created_at, updated_at) " +
  "values (?, 'UTC', 'en-GB', 'en', 'EUR', '2026-03-02 09:00:00', '2026-03-02 09:00:00')";

async function inDatabase<T>(
  { folder }: Place,
  use: (db: ReturnType<typeof openFile>) => Promise<T>,
): Promise<T> {
  const db = openFile(`${folder}/crm.db`);
  try {
    return await use(db);
  } finally {
    await db.close();
  }
}

async function companies(of: Place): Promise<unknown[]> {
  const [found] = await inDatabase(of, (db) => db.read([{ sql: "select name from companies", args: [] }]));
  return found!.rows.map((row) => row.name);
}

function succeeded(finished: Finished): Finished {
  assert.equal(finished.code, 0, finished.stderr);
  return finished;
}

function failed(finished: Finished, message: RegExp): void {
  assert.match(finished.stderr, message);
  assert.equal(finished.stderr.split("\n").length, 2, "one line says what is wrong");
  assert.equal(finished.code, 1);
}

Deno.test("a backup made while the database is open and written to restores whole into a new place", () =>
  inFolder(async (folder) => {
    const from = await filled(`${folder}/from`);
    const backup = `${folder}/backup`;
    await inDatabase(from, async (db) => {
      // Still in the write-ahead log, not in the file itself.
      await db.write([{ sql: insertCompany, args: ["Late"] }]);
      succeeded(await runCommand(command("backup", backup), from.env));
      await db.write([{ sql: insertCompany, args: ["After"] }]);
    });
    assert.equal((await Deno.stat(backup)).mode! & 0o777, 0o700);
    assert.equal((await Deno.stat(`${backup}/secrets.key`)).mode! & 0o777, 0o600);

    const to = place(`${folder}/to`);
    const restored = succeeded(await runCommand(command("restore", backup), to.env));
    assert.match(restored.stdout, /^Restored the backup of \S+: \S+crm\.db and 2 files\n$/);
    assert.deepEqual(await companies(to), ["Acme", "Late"]);
    assert.equal(await Deno.readTextFile(`${to.folder}/files/1/a.txt`), "first");
    assert.equal(await Deno.readTextFile(`${to.folder}/files/b.bin`), "second");
    assert.equal((await Deno.stat(`${to.folder}/secrets.key`)).mode! & 0o777, 0o600);
    assert.equal(
      await Deno.readTextFile(`${to.folder}/secrets.key`),
      await Deno.readTextFile(`${from.folder}/secrets.key`),
    );
  }));

Deno.test("a backup goes to an empty folder only, outside of the files, and needs a database", () =>
  inFolder(async (folder) => {
    const from = await filled(`${folder}/from`);
    failed(
      await runCommand(command("backup", from.folder), from.env),
      /from is not empty: name a new folder/,
    );
    const inside = `${from.folder}/files/backup`;
    failed(await runCommand(command("backup", inside), from.env), /lies within the files/);
    const none = place(`${folder}/none`);
    failed(
      await runCommand(command("backup", `${folder}/b`), none.env),
      /^There is no database at \S+crm\.db\n$/,
    );
    const remote = { DATABASE_URL: "https://db.example.com", DATABASE_AUTH_TOKEN: "t" };
    failed(
      await runCommand(command("backup", `${folder}/b`), remote),
      /^DATABASE_URL names a remote database/,
    );
    failed(await runCommand(command("backup", "/proc/none"), from.env), /cannot be made/);
  }));

Deno.test("a restore replaces nothing unless forced, and then keeps what was there", () =>
  inFolder(async (folder) => {
    const from = await filled(`${folder}/from`);
    succeeded(await runCommand(command("backup", `${folder}/backup`), from.env));
    const to = await filled(`${folder}/to`, "Other");
    failed(
      await runCommand(command("restore", `${folder}/backup`), to.env),
      /crm\.db, \S+files, \S+secrets\.key would be replaced: say --force/,
    );
    assert.deepEqual(await companies(to), ["Other"]);
    const forced = succeeded(await runCommand(command("restore", `${folder}/backup`, "--force"), to.env));
    assert.deepEqual(await companies(to), ["Acme"]);
    const kept = /^kept what was there as (\S+crm\.db\S+)$/m.exec(forced.stdout)![1]!;
    const db = openFile(kept);
    const [found] = await db.read([{ sql: "select name from companies", args: [] }]);
    await db.close();
    assert.deepEqual(found!.rows, [{ name: "Other" }]);
  }));

Deno.test("a restore is refused while somebody has the database open", () =>
  inFolder(async (folder) => {
    const from = await filled(`${folder}/from`);
    succeeded(await runCommand(command("backup", `${folder}/backup`), from.env));
    await inDatabase(from, async (db) => {
      await db.read([{ sql: "select 1 from companies", args: [] }]);
      failed(
        await runCommand(command("restore", `${folder}/backup`, "--force"), from.env),
        /crm\.db is in use: stop the service first/,
      );
    });
    assert.deepEqual(await companies(from), ["Acme"]);
  }));

Deno.test("a damaged or unfinished backup is refused and leaves everything as it was", () =>
  inFolder(async (folder) => {
    const from = await filled(`${folder}/from`);
    const backup = `${folder}/backup`;
    succeeded(await runCommand(command("backup", backup), from.env));
    const to = await filled(`${folder}/to`, "Other");
    const restore = () => runCommand(command("restore", backup, "--force"), to.env);

    await Deno.rename(`${backup}/files/b.bin`, `${folder}/b.bin`);
    failed(await restore(), /damaged, and nothing was restored: it has 1 files instead of 2/);
    await Deno.rename(`${folder}/b.bin`, `${backup}/files/b.bin`);

    const bytes = await Deno.readFile(`${backup}/crm.db`);
    await Deno.writeFile(`${backup}/crm.db`, bytes.fill(0x5a, 8192, 40_000));
    failed(await restore(), /damaged, and nothing was restored: /);

    await Deno.remove(`${backup}/backup.json`);
    failed(await restore(), /is no complete backup: it has no backup\.json/);
    assert.deepEqual(await companies(to), ["Other"]);
    assert.deepEqual([...Deno.readDirSync(to.folder)].map(({ name }) => name).sort(), [
      "crm.db",
      "files",
      "secrets.key",
    ]);
  }));

Deno.test("a configured key goes into the backup, and a restore under another key is refused", () =>
  inFolder(async (folder) => {
    const from = await filled(`${folder}/from`);
    const key = new Uint8Array(32).fill(9).toBase64();
    const backup = `${folder}/backup`;
    succeeded(await runCommand(command("backup", backup), { ...from.env, SECRETS_KEY: key }));
    assert.equal(await Deno.readTextFile(`${backup}/secrets.key`), `${key}\n`);

    const to = place(`${folder}/to`);
    const other = { ...to.env, SECRETS_KEY: new Uint8Array(32).fill(8).toBase64() };
    failed(await runCommand(command("restore", backup), other), /^SECRETS_KEY is not the key of the backup/);
    succeeded(await runCommand(command("restore", backup), { ...to.env, SECRETS_KEY: key }));
    assert.deepEqual(await companies(to), ["Acme"]);
    await assert.rejects(Deno.stat(`${to.folder}/secrets.key`), Deno.errors.NotFound);
  }));
