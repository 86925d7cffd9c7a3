import assert from "node:assert/strict";
import { CommandError } from "../../src/cli/command.ts";
import { checkFiles } from "../../src/cli/files_check.ts";
import { restore } from "../../src/cli/restore.ts";
import { loadConfig } from "../../src/config.ts";
import { openFile } from "../../src/platform/database/file.ts";
import { holdsRead } from "../../src/db/hold.ts";
import { holdObjects, removeObjects } from "../../src/db/objects.ts";
import { send, startApp } from "../support/app.ts";
import { inFolder } from "../support/engines.ts";
import { makeFile, makeMultipart, makePng } from "../support/pictures.ts";
import { type Finished, runCommand } from "../support/process.ts";
import { commandArguments } from "../support/service.ts";
import { copyTemplate } from "../support/template.ts";

interface Place {
  readonly folder: string;
  readonly env: Record<string, string>;
}

function place(folder: string): Place {
  return { folder, env: { DATABASE_URL: `file:${folder}/crm.db`, STORAGE_URL: `file:${folder}/files` } };
}

/** A box with a database of one company, a key and two stored files. */
async function fillPlace(folder: string, company = "Acme"): Promise<Place> {
  const made = place(folder);
  await Deno.mkdir(`${folder}/files/1`, { recursive: true });
  await Deno.writeTextFile(`${folder}/files/1/a.txt`, "first");
  await Deno.writeTextFile(`${folder}/files/b.bin`, "second");
  await Deno.writeTextFile(`${folder}/secrets.key`, `${new Uint8Array(32).fill(7).toBase64()}\n`);
  await copyTemplate(`${folder}/crm.db`);
  await inDatabase(made, (db) => db.write([{ sql: insertCompany, args: [company] }]));
  return made;
}

function filesBelow(folder: string): string[] {
  return [...Deno.readDirSync(folder)].flatMap(({ name, isDirectory }) =>
    isDirectory ? filesBelow(`${folder}/${name}`) : [`${folder}/${name}`]
  );
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

/** Whether a service in this place sends nothing. */
async function isHeld(of: Place): Promise<boolean> {
  const [found] = await inDatabase(of, (db) => db.read([holdsRead]));
  return found!.rows.length > 0;
}

function assertSuccess(finished: Finished): Finished {
  assert.equal(finished.code, 0, finished.stderr);
  return finished;
}

function assertFailure(finished: Finished, message: RegExp): void {
  assert.match(finished.stderr, message);
  assert.equal(finished.stderr.split("\n").length, 2, "one line reports the fault");
  assert.equal(finished.code, 1);
}

/** A restore that fails in this process: `assertFailure` shows that the command prints such an error as its line. */
async function assertRefusedRestore(
  to: Place,
  backup: string,
  message: RegExp,
  env: Record<string, string> = to.env,
): Promise<void> {
  const options = { force: true, release: false, report: assert.fail };
  await assert.rejects(restore(loadConfig(env), backup, options), (error) => {
    assert.ok(error instanceof CommandError, String(error));
    assert.match(error.message, message);
    assert.ok(!error.message.includes("\n"), "one line reports the fault");
    return true;
  });
}

Deno.test("a backup of an open database restores completely into a new place", () =>
  inFolder(async (folder) => {
    const from = await fillPlace(`${folder}/from`);
    const backup = `${folder}/backup`;
    await inDatabase(from, async (db) => {
      // These rows are still in the write-ahead log.
      await db.write([{ sql: insertCompany, args: ["Late"] }]);
      assertSuccess(await runCommand(commandArguments("backup", backup), from.env));
      await db.write([{ sql: insertCompany, args: ["After"] }]);
    });
    assert.equal((await Deno.stat(backup)).mode! & 0o777, 0o700);
    assert.equal((await Deno.stat(`${backup}/secrets.key`)).mode! & 0o777, 0o600);

    const files = filesBelow(backup);
    assert.deepEqual(files.map((path) => path.slice(backup.length + 1)).sort(), [
      "backup.json",
      "crm.db",
      "files/1/a.txt",
      "files/b.bin",
      "secrets.key",
    ]);
    for (const path of files) assert.equal((await Deno.stat(path)).mode! & 0o777, 0o600, path);

    const to = place(`${folder}/to`);
    const restored = assertSuccess(await runCommand(commandArguments("restore", backup), to.env));
    assert.match(
      restored.stdout,
      /^Restored the backup of \S+: \S+crm\.db and 2 files\. All users must sign in again\nIt is held: [^\n]+\n$/,
    );
    assert.deepEqual(await companies(to), ["Acme", "Late"]);
    const [leases] = await inDatabase(to, (db) => db.read([{ sql: "select name from leases", args: [] }]));
    assert.deepEqual(leases!.rows, [], "the backup's lease is released");
    assert.equal(await isHeld(to), true);
    assert.equal(await Deno.readTextFile(`${to.folder}/files/1/a.txt`), "first");
    assert.equal(await Deno.readTextFile(`${to.folder}/files/b.bin`), "second");
    assert.equal((await Deno.stat(`${to.folder}/secrets.key`)).mode! & 0o777, 0o600);
    assert.equal((await Deno.stat(`${to.folder}/crm.db`)).mode! & 0o777, 0o600);
    assert.equal(
      await Deno.readTextFile(`${to.folder}/secrets.key`),
      await Deno.readTextFile(`${from.folder}/secrets.key`),
    );
  }));

Deno.test("a backup needs a database and an empty folder outside of the files", () =>
  inFolder(async (folder) => {
    const from = await fillPlace(`${folder}/from`);
    assertFailure(
      await runCommand(commandArguments("backup", from.folder), from.env),
      /from is not empty: name a new folder/,
    );
    const inside = `${from.folder}/files/backup`;
    assertFailure(
      await runCommand(commandArguments("backup", inside), from.env),
      /is inside the folder of stored files/,
    );
    const none = place(`${folder}/none`);
    assertFailure(
      await runCommand(commandArguments("backup", `${folder}/b`), none.env),
      /^There is no database at \S+crm\.db\n$/,
    );
    const remote = { DATABASE_URL: "https://db.example.com", DATABASE_AUTH_TOKEN: "t" };
    assertFailure(
      await runCommand(commandArguments("backup", `${folder}/b`), remote),
      /^DATABASE_URL names a remote database/,
    );
    assertFailure(await runCommand(commandArguments("backup", "/proc/none"), from.env), /cannot be made/);
  }));

Deno.test("a restore replaces nothing without --force, and with it keeps the old data", () =>
  inFolder(async (folder) => {
    const from = await fillPlace(`${folder}/from`);
    assertSuccess(await runCommand(commandArguments("backup", `${folder}/backup`), from.env));
    const to = await fillPlace(`${folder}/to`, "Other");
    assertFailure(
      await runCommand(commandArguments("restore", `${folder}/backup`), to.env),
      /crm\.db, \S+files, \S+secrets\.key would be replaced: add --force/,
    );
    assert.deepEqual(await companies(to), ["Other"]);
    const forced = assertSuccess(
      await runCommand(commandArguments("restore", `${folder}/backup`, "--force", "--release"), to.env),
    );
    assert.deepEqual(await companies(to), ["Acme"]);
    assert.equal(await isHeld(to), false);
    const kept = /^kept the old data as (\S+crm\.db\S+)$/m.exec(forced.stdout)![1]!;
    const db = openFile(kept);
    const [found] = await db.read([{ sql: "select name from companies", args: [] }]);
    await db.close();
    assert.deepEqual(found!.rows, [{ name: "Other" }]);
  }));

Deno.test("a restore fails while another process has the database open", () =>
  inFolder(async (folder) => {
    const from = await fillPlace(`${folder}/from`);
    assertSuccess(await runCommand(commandArguments("backup", `${folder}/backup`), from.env));
    await inDatabase(from, async (db) => {
      await db.read([{ sql: "select 1 from companies", args: [] }]);
      assertFailure(
        await runCommand(commandArguments("restore", `${folder}/backup`, "--force"), from.env),
        /crm\.db is in use: stop the service first/,
      );
    });
    assert.deepEqual(await companies(from), ["Acme"]);
  }));

Deno.test("a backup from before the first release is refused and changes nothing", () =>
  inFolder(async (folder) => {
    const from = await fillPlace(`${folder}/from`);
    const older = { sql: "update migrations set tag = 'older_' || tag", args: [] };
    await inDatabase(from, (db) => db.write([older]));
    const backup = `${folder}/backup`;
    assertSuccess(await runCommand(commandArguments("backup", backup), from.env));
    const to = await fillPlace(`${folder}/to`, "Here");
    await assertRefusedRestore(
      to,
      backup,
      /^The backup was made by a version before 0\.1\.0 and cannot be restored$/,
    );
    assert.deepEqual(await companies(to), ["Here"]);
  }));

Deno.test("a damaged or incomplete backup is refused and changes nothing", () =>
  inFolder(async (folder) => {
    const from = await fillPlace(`${folder}/from`);
    const backup = `${folder}/backup`;
    assertSuccess(await runCommand(commandArguments("backup", backup), from.env));
    const to = await fillPlace(`${folder}/to`, "Other");

    await Deno.rename(`${backup}/files/b.bin`, `${folder}/b.bin`);
    await assertRefusedRestore(to, backup, /damaged, and nothing was restored: it has 1 files instead of 2/);
    await Deno.rename(`${folder}/b.bin`, `${backup}/files/b.bin`);

    const bytes = await Deno.readFile(`${backup}/crm.db`);
    await Deno.writeFile(`${backup}/crm.db`, bytes.fill(0x5a, 8192, 40_000));
    await assertRefusedRestore(to, backup, /damaged, and nothing was restored: /);

    await Deno.remove(`${backup}/backup.json`);
    const restoring = commandArguments("restore", backup, "--force");
    assertFailure(await runCommand(restoring, to.env), /is not a complete backup: backup\.json is missing/);
    assert.deepEqual(await companies(to), ["Other"]);
    assert.deepEqual([...Deno.readDirSync(to.folder)].map(({ name }) => name).sort(), [
      "crm.db",
      "files",
      "secrets.key",
    ]);
  }));

Deno.test("a backup includes a configured key, and a restore with another key fails", () =>
  inFolder(async (folder) => {
    const from = await fillPlace(`${folder}/from`);
    const key = new Uint8Array(32).fill(9).toBase64();
    const backup = `${folder}/backup`;
    assertSuccess(await runCommand(commandArguments("backup", backup), { ...from.env, SECRETS_KEY: key }));
    assert.equal(await Deno.readTextFile(`${backup}/secrets.key`), `${key}\n`);

    const to = place(`${folder}/to`);
    const other = { ...to.env, SECRETS_KEY: new Uint8Array(32).fill(8).toBase64() };
    await assertRefusedRestore(to, backup, /^SECRETS_KEY is not the key of the backup/, other);
    assertSuccess(await runCommand(commandArguments("restore", backup), { ...to.env, SECRETS_KEY: key }));
    assert.deepEqual(await companies(to), ["Acme"]);
    await assert.rejects(Deno.stat(`${to.folder}/secrets.key`), Deno.errors.NotFound);
  }));

Deno.test("a backup has every picture and file of its database, even one replaced meanwhile", () =>
  inFolder(async (folder) => {
    await using app = await startApp();
    const env = { DATABASE_URL: `file:${app.file}`, STORAGE_URL: `file:${app.folder}/files` };
    const { admin } = await app.company();
    const picture = async (width: number) => {
      const body = await makeMultipart({ profile_picture: makeFile("me.png", makePng(width, 9)) });
      const reply = await admin.call("POST", `/v1/users/${admin.id}/profile-picture`, body);
      return new URL(reply.body.profile_picture).pathname;
    };
    const before = await picture(9);
    const uploaded = [];
    for (const name of ["kept.txt", "deleted.txt", "replaced.txt"]) {
      uploaded.push((await admin.call("POST", "/v1/files", { name, data: btoa(name) })).body.id);
    }
    // The trigger records that files may not be removed during the copy.
    await app.deps.db.script(
      "create table held (name text); create trigger held_tells after insert on leases " +
        "when new.name glob 'backup:*' begin insert into held values (new.name); end",
    );
    assertSuccess(await runCommand(commandArguments("backup", `${folder}/backup`), env));
    const [held] = await app.sql("select name from held");
    assert.match(String(held!.name), /^backup:./);
    assert.deepEqual(
      await app.sql("select name from leases where name glob 'backup:*'"),
      [],
      "and released again",
    );
    await picture(10);
    await admin.call("DELETE", `/v1/files/${uploaded[1]}`);
    await admin.call("PUT", `/v1/files/${uploaded[2]}/replace`, { data: btoa("other") });
    await removeObjects(app.deps, app.clock.now());
    await assert.rejects(Deno.stat(`${app.folder}/files${before}`), Deno.errors.NotFound);

    const to = place(`${folder}/to`);
    assertSuccess(await runCommand(commandArguments("restore", `${folder}/backup`), to.env));
    await using restored = await startApp(to.env);
    const reply = await send(restored.url + before, "HEAD", null);
    assert.deepEqual([reply.status, reply.headers.get("content-type")], [200, "image/png"]);
    assert.deepEqual(await Deno.readFile(`${to.folder}/files${before}`), makePng(9, 9));
    const lines: string[] = [];
    const moment = { deps: restored.deps, at: "2026-03-02 09:00:00" };
    const options = { mends: false, digests: true };
    assert.equal(await checkFiles(moment, options, (line) => lines.push(line)), 0, lines.join("\n"));
    const names = await restored.sql("select name from files order by name");
    assert.deepEqual(names.map(({ name }) => name), ["deleted.txt", "kept.txt", "replaced.txt"]);
  }));

Deno.test("a running backup keeps files from being removed, for at most six hours", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const body = await makeMultipart({ profile_picture: makeFile("me.png", makePng(9, 9)) });
  const path = `/v1/users/${admin.id}/profile-picture`;
  const now = app.clock.now();
  const [hold, release] = holdObjects("one", now);
  const [other] = holdObjects("other", now);
  await app.deps.db.write([hold, other]);
  for (let again = 0; again < 3; again++) await admin.call("POST", path, body);
  assert.equal(await removeObjects(app.deps, now), 0);
  await app.deps.db.write([release]);
  assert.equal(await removeObjects(app.deps, now + 6 * 3_600_000 - 1), 0, "the other backup still runs");
  assert.equal(await removeObjects(app.deps, now + 6 * 3_600_000), 2);
});

Deno.test("a restore ends every token, sign-in and reset link of the backup", () =>
  inFolder(async (folder) => {
    await using app = await startApp();
    const env = { DATABASE_URL: `file:${app.file}`, STORAGE_URL: `file:${app.folder}/files` };
    const { admin } = await app.company();
    assert.equal((await admin.call("GET", "/v1/me")).status, 200);
    const [client] = await app.sql("select client_id as id from applications");
    const rows: Record<string, Record<string, string | number>> = {
      refresh_tokens: {
        client_id: client!.id as string,
        user_id: admin.id,
        family_id: "f",
        expires_at: 9e12,
      },
      authorization_codes: {
        client_id: client!.id as string,
        user_id: admin.id,
        family_id: "f",
        redirect_uri: "x",
        expires_at: 9e12,
        kept_until: 9e12,
      },
      device_codes: {
        client_id: client!.id as string,
        user_code: 1,
        poll_interval: 5,
        poll_at: 0,
        expires_at: 9e12,
        kept_until: 9e12,
      },
      sessions: { user_id: admin.id, expires_at: 9e12 },
      sign_ons: {
        browser: "b",
        company_id: admin.companyId,
        provider_name: "p",
        kept: "k",
        expires_at: 9e12,
      },
      password_resets: { user_id: admin.id, expires_at: 9e12 },
    };
    for (const [table, row] of Object.entries(rows)) {
      const all = { ...row, hash: "h", created_at: "2026-03-02 09:00:00" };
      await app.deps.db.write([{
        sql: `insert into ${table} (${Object.keys(all)}) values (${Object.keys(all).map(() => "?")})`,
        args: Object.values(all),
      }]);
    }
    assertSuccess(await runCommand(commandArguments("backup", `${folder}/backup`), env));
    const to = place(`${folder}/to`);
    assertSuccess(await runCommand(commandArguments("restore", `${folder}/backup`), to.env));
    await inDatabase(to, async (db) => {
      for (const table of ["access_tokens", ...Object.keys(rows)]) {
        const [left] = await db.read([{ sql: `select hash from ${table}`, args: [] }]);
        assert.deepEqual(left!.rows, [], table);
      }
    });
    assert.equal((await admin.call("GET", "/v1/me")).status, 200, "the original database keeps its tokens");
  }));

Deno.test("with a bucket, a restore leaves the files out and reports it", () =>
  inFolder(async (folder) => {
    const from = await fillPlace(`${folder}/from`);
    assertSuccess(await runCommand(commandArguments("backup", `${folder}/backup`), from.env));
    const env = { DATABASE_URL: `file:${folder}/to/crm.db`, STORAGE_URL: "s3://files" };
    const { stdout } = assertSuccess(await runCommand(commandArguments("restore", `${folder}/backup`), env));
    assert.match(
      stdout,
      /crm\.db and 0 files\. .*\nIt is held: .*\nIts 2 files are not in the bucket of STORAGE_URL: .*\n$/,
    );
    assert.deepEqual([...Deno.readDirSync(`${folder}/to`)].map(({ name }) => name).sort(), [
      "crm.db",
      "secrets.key",
    ]);
  }));

Deno.test("a backup fails unless its copy has every file intact and matches its key", () =>
  inFolder(async (folder) => {
    const from = await fillPlace(`${folder}/from`);
    assertSuccess(await runCommand(commandArguments("jobs"), from.env));
    await inDatabase(from, (db) =>
      db.write([{
        sql:
          "insert into objects (key, company_id, type, bytes, created_at) values ('b.bin', 1, 'x', 6, 'x')",
        args: [],
      }]));
    let n = 0;
    const backup = () => runCommand(commandArguments("backup", `${folder}/backup${++n}`), from.env);
    assertSuccess(await backup());

    await Deno.writeTextFile(`${from.folder}/files/b.bin`, "seco");
    assertFailure(await backup(), /cannot be used: the file b\.bin has 4 bytes instead of 6\n/);
    await Deno.remove(`${from.folder}/files/b.bin`);
    assertFailure(await backup(), /cannot be used: the file b\.bin is missing\n/);
    await Deno.writeTextFile(`${from.folder}/files/b.bin`, "second");
    await Deno.writeTextFile(`${from.folder}/secrets.key`, new Uint8Array(32).fill(8).toBase64());
    assertFailure(await backup(), /its key does not match its database\n/);
    const to = place(`${folder}/to`);
    await assertRefusedRestore(to, `${folder}/backup${n}`, /is not a complete backup/);

    // A changed value leaves a database that SQLite finds intact.
    const copy = openFile(`${folder}/backup1/crm.db`);
    await copy.write([{ sql: "update companies set name = 'Other'", args: [] }]);
    await copy.close();
    await assertRefusedRestore(
      to,
      `${folder}/backup1`,
      /damaged, and nothing was restored: its database has changed since it was made$/,
    );
  }));
