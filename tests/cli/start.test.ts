import { join } from "node:path";
import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { ConfigError, loadConfig } from "../../src/config.ts";
import { migrationsFolder, openBox } from "../../src/entry/box.ts";
import { main } from "../../src/entry/deno.ts";
import { farDatabase } from "../support/far.ts";
import { listen } from "../../src/entry/listen.ts";
import { startApp } from "../support/app.ts";
import { openDatabaseFile } from "../../src/entry/open_database.ts";
import { listServiceRights } from "../../src/entry/service_rights.ts";
import { openFile } from "../../src/platform/database/file.ts";
import { migrate } from "../../src/platform/database/migrate.ts";
import { readMigrations } from "../../src/platform/database/migration_files.ts";
import { pause } from "../../src/platform/pause.ts";
import { inFolder, inFolderOnDisk } from "../support/engines.ts";
import { memoryPeak, residentMemory } from "../support/memory.ts";
import { memoryLog } from "../support/ports.ts";
import {
  type Finished,
  projectRoot,
  runCommand,
  servedArguments,
  servedProcess,
  type Server,
  startProcess,
  withoutOverride,
} from "../support/process.ts";
import { commandArguments, serve } from "../support/service.ts";
import { copyTemplate } from "../support/template.ts";

const launcher = ["run", "-q", "-A", "--no-config", "--no-lock"];

function places(folder: string): Record<string, string> {
  return {
    DATABASE_URL: `file:${folder}/crm.db`,
    STORAGE_URL: `file:${folder}/files`,
    PORT: "0",
    LOG_LEVEL: "off",
  };
}

/** A start that fails in this process: `assertRefused` shows that a command prints such an error as its line. */
async function assertRejected(start: Promise<unknown>, line: string): Promise<void> {
  await assert.rejects(start, (error) => {
    assert.ok(error instanceof ConfigError);
    assert.equal(error.message, line);
    return true;
  });
}

/** Starts the service in this process; only for faults that are found before it listens. */
function startHere(env: Record<string, string>): Promise<void> {
  return main(() => assert.fail("it serves"), loadConfig(env));
}

function assertRefused({ code, stdout, stderr }: Finished, line: string): void {
  assert.deepEqual([stderr, stdout, code], [`${line}\n`, "", 1]);
}

function notesOnMail(server: Server): string[] {
  return ["mail_not_signed", "unsubscribe_without_https"].filter((event) => server.output().includes(event));
}

Deno.test("a port in use ends the start with one line that names it", () =>
  inFolder(async (folder) => {
    using taken = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const { port } = taken.addr;
    const env = { ...places(folder), PORT: String(port) };
    // With a company, so that dev makes no demo first.
    await copyTemplate(`${folder}/crm.db`);
    const db = openFile(`${folder}/crm.db`);
    await db.script(
      "insert into companies (name, timezone, locale, language, currency, created_at, updated_at) " +
        "values ('Acme', 'UTC', 'en-GB', 'en', 'EUR', 'x', 'x')",
    );
    await db.close();
    for (const args of [serve, ["run", "-q", "-A", "src/cli/dev.ts"]]) {
      const { code, stderr } = await runCommand(args, env);
      assert.equal(code, 1);
      assert.equal(stderr.trim(), `PORT ${port} is in use on 127.0.0.1: another program listens there`);
    }
  }));

Deno.test("with a mail server the start logs what receivers will miss: a signature, one click over https", () =>
  inFolder(async (folder) => {
    await copyTemplate(`${folder}/crm.db`);
    const notes = async (env: Record<string, string>) => {
      const server = await startProcess(serve, { ...places(folder), LOG_LEVEL: "info", ...env });
      await server.kill("SIGTERM");
      return notesOnMail(server);
    };
    const mail = { MAIL_URL: "smtp://127.0.0.1:9" };
    assert.deepEqual(await notes({ ...mail, PUBLIC_URL: "http://crm.example.org" }), [
      "mail_not_signed",
      "unsubscribe_without_https",
    ]);
    assert.deepEqual(await notes({ ...mail, PUBLIC_URL: "https://crm.example.org" }), ["mail_not_signed"]);
  }));

Deno.test("a start logs each migration of an older database, and none afterwards or of a new one", () =>
  inFolder(async (folder) => {
    const env = { ...places(folder), LOG_LEVEL: "info" };
    const all = readMigrations(migrationsFolder);
    const db = openFile(`${folder}/crm.db`);
    await migrate(db, all.slice(0, 1));
    await db.close();
    const startMigrated = async (more: Record<string, string> = {}) => {
      const server = await startProcess(serve, { ...env, ...more });
      await server.kill("SIGTERM");
      const lines = server.output().split("\n").filter((line) => line.includes('"migrated"'));
      return lines.map((line) => {
        const { level, name, ms } = JSON.parse(line);
        assert.ok(Number.isInteger(ms), line);
        return [level, name];
      });
    };
    assert.deepEqual(await startMigrated(), all.slice(1).map(({ tag }) => ["info", tag]));
    assert.deepEqual(await startMigrated(), []);
    assert.deepEqual(await startMigrated({ DATABASE_URL: `file:${folder}/new/crm.db` }), []);
  }));

Deno.test("a remote database that does not answer ends the start with a line that names DATABASE_URL", () =>
  inFolder(async (folder) => {
    const far = {
      ...places(folder),
      DATABASE_URL: "http://127.0.0.1:9",
      DATABASE_AUTH_TOKEN: "t0ken",
      SECRETS_KEY: new Uint8Array(32).toBase64(),
    };
    const line = "DATABASE_URL: the database did not answer";
    for (const args of [serve, commandArguments("crm", "company", "list")]) {
      assertRefused(await runCommand(args, far), line);
    }
  }));

Deno.test("a HOST of another machine ends the start with one line that names it", () =>
  inFolder(async (folder) => {
    const line = "HOST 203.0.113.7 is not an address of this machine";
    assertRefused(await runCommand(serve, { ...places(folder), HOST: "203.0.113.7" }), line);
    const host = "no-such-host.invalid";
    await assertRejected(
      listen(() => new Response(), { host, port: 0, maxConnections: 1 }, memoryLog()),
      `HOST ${host} is neither an address nor a name that this machine can resolve`,
    );
  }));

Deno.test("a database that cannot be opened ends every command with one line and the reason", () =>
  inFolder(async (folder) => {
    await Deno.mkdir(`${folder}/folder`);
    await Deno.writeTextFile(`${folder}/text`, "Dear diary, ".repeat(1000));
    await Deno.writeTextFile(`${folder}/short`, "x");
    const other = new DatabaseSync(`${folder}/other`);
    other.exec("create table songs (name text)");
    other.close();
    const composeRefusal = (name: string) => `The database ${folder}/${name} cannot be opened:`;
    const cases: Record<string, string> = {
      folder: `${composeRefusal("folder")} it is a folder`,
      text: `${composeRefusal("text")} it is not a SQLite database`,
      short: `${composeRefusal("short")} it is not a SQLite database`,
      "text/crm.db": `${composeRefusal("text/crm.db")} a part of its path is a file, not a folder`,
      other: `${folder}/other is the database of another program`,
    };
    for (const [name, message] of Object.entries(cases)) {
      await assertRejected(openDatabaseFile(`${folder}/${name}`), message);
    }
    assert.equal(await Deno.readTextFile(`${folder}/short`), "x");
    const env = { ...places(folder), DATABASE_URL: `file:${folder}/text` };
    for (const args of [serve, commandArguments("jobs"), commandArguments("crm", "mail", "list")]) {
      assertRefused(await runCommand(args, env), cases.text!);
    }
  }));

const beforeFirstRelease =
  "The database was made by a version before 0.1.0 and cannot be upgraded: export its records with that version, then move it away to start with an empty one";

Deno.test("a database from before the first release ends every command with one line and stays as it is", () =>
  inFolder(async (folder) => {
    const path = `${folder}/crm.db`;
    const old = new DatabaseSync(path);
    old.exec("create table migrations (tag text primary key not null, applied_at text not null)");
    old.exec("insert into migrations values ('0000_tables', '2026-01-31 10:00:00')");
    old.close();
    await assertRejected(startHere(places(folder)), beforeFirstRelease);
    for (
      const args of [
        ["run", "-q", "-A", "src/cli/dev.ts"],
        commandArguments("jobs"),
        commandArguments("migrate"),
      ]
    ) {
      assertRefused(await runCommand(args, places(folder)), beforeFirstRelease);
    }
    const crm = await runCommand(commandArguments("crm", "company", "list"), places(folder));
    assert.deepEqual([crm.code, crm.stderr], [1, `${beforeFirstRelease}\n`]);
    const kept = new DatabaseSync(path, { readOnly: true });
    assert.equal(kept.prepare("select count(*) as n from sqlite_schema where type = 'table'").get()!.n, 1);
    kept.close();
  }));

Deno.test("a remote database from before the first release ends every command with one line", () =>
  farDatabase(async ({ env }) => {
    const settings = { ...env, STORAGE_URL: "s3://files", ...aws, PORT: "0" };
    await using before = await startApp(env);
    await before.deps.db.write([{ sql: "update migrations set tag = 'older_' || tag", args: [] }]);
    await assertRejected(startHere(settings), beforeFirstRelease);
    for (
      const args of [
        ["run", "-q", "-A", "src/entry/deploy.ts"],
        commandArguments("jobs"),
        commandArguments("migrate"),
      ]
    ) {
      assertRefused(await runCommand(args, settings), beforeFirstRelease);
    }
    const ready = await before.call(null, "GET", "/ready");
    assert.deepEqual([ready.status, ready.body.detail], [503, `${beforeFirstRelease}.`]);
  }));

Deno.test("a read-only data folder ends the start with one line", () =>
  inFolder(async (folder) => {
    const line = (path: string) => `The database ${path} cannot be opened: this user may not write there`;
    const env = places(`${folder}/data`);
    await Deno.mkdir(`${folder}/data/files`, { recursive: true });
    const runAs = (env: Record<string, string>) =>
      runCommand(withoutOverride(serve), env, { command: "setpriv" });
    await Deno.chmod(`${folder}/data`, 0o500);
    assertRefused(await runAs(env), line(`${folder}/data/crm.db`));
    assertRefused(
      await runAs(places(`${folder}/data/deep`)),
      `STORAGE_URL: the folder ${folder}/data/deep/files cannot be used: this user may not write there`,
    );
    await Deno.chmod(`${folder}/data`, 0o700);
    await Deno.chmod(`${folder}/data/files`, 0o500);
    assertRefused(
      await runAs(env),
      `STORAGE_URL: the folder ${folder}/data/files cannot be used: this user may not write there`,
    );
    await Deno.writeTextFile(`${folder}/data/secrets.key`, "");
    await Deno.chmod(`${folder}/data/files`, 0o700);
    assertRefused(await runAs(env), `${folder}/data/secrets.key does not hold a key: 32 bytes in base64`);
  }));

Deno.test("a folder of files that holds the database and its key ends the start with one line", () =>
  inFolder(async (folder) => {
    const at = `${folder}/data`;
    const database = { ...places(at), DATABASE_URL: `file:${at}/deep/crm.db` };
    const line = (path: string) => {
      const example = join(path, "files");
      return `STORAGE_URL: the folder ${path} holds the database; choose one of its own, such as ${example}`;
    };
    assertRefused(await runCommand(serve, { ...database, STORAGE_URL: `file:${at}` }), line(at));
    for (const path of [`${at}/deep`, `${at}/deep/..`]) {
      await assertRejected(startHere({ ...database, STORAGE_URL: `file:${path}` }), line(path));
    }
    assert.throws(() => Deno.statSync(at), Deno.errors.NotFound);
  }));

Deno.test("a wrong key and a missing key file end every command with one line and change nothing", () =>
  inFolder(async (folder) => {
    const key = (byte: number) => new Uint8Array(32).fill(byte).toBase64();
    const env = places(folder);
    const opens = async (env: Record<string, string>) => {
      const box = await openBox(loadConfig(env), { log: memoryLog() });
      await box.close();
    };
    await opens(env);
    const file = `${folder}/secrets.key`;
    const own = await Deno.readTextFile(file);
    await assertRejected(
      startHere({ ...env, SECRETS_KEY: key(1) }),
      "SECRETS_KEY is not the key that the database was sealed with",
    );
    await Deno.writeTextFile(file, key(2));
    const line = `${file} is not the key that the database was sealed with`;
    assertRefused(await runCommand(commandArguments("jobs"), env), line);
    await assertRejected(startHere(env), line);
    await Deno.remove(file);
    await assertRejected(startHere(env), `The key ${file} of the database ${folder}/crm.db is missing`);
    assert.deepEqual([...Deno.readDirSync(folder)].map(({ name }) => name).sort(), ["crm.db", "files"]);
    await opens({ ...env, SECRETS_KEY: own.trim() });
  }));

Deno.test("another key is refused for a remote database", () =>
  farDatabase(async ({ env }) => {
    const served = await openBox(loadConfig({ ...env, STORAGE_URL: "s3://files", ...aws }), {
      log: memoryLog(),
    });
    await served.close();
    const other = loadConfig({
      ...env,
      STORAGE_URL: "s3://files",
      ...aws,
      SECRETS_KEY: new Uint8Array(32).fill(1).toBase64(),
    });
    await assertRejected(
      openBox(other, { log: memoryLog() }),
      "SECRETS_KEY is not the key that the database was sealed with",
    );
  }));

const aws = { AWS_ACCESS_KEY_ID: "id", AWS_SECRET_ACCESS_KEY: "secret" };

Deno.test("a variable with a name close to a setting is reported, and the service starts", () =>
  inFolder(async (folder) => {
    const env = { ...places(folder), MAIL_FORM: "crm@example.com", trust_proxy: "true" };
    const { stdout, stderr, code } = await runCommand(commandArguments("migrate"), env);
    assert.equal(code, 0);
    assert.match(stdout, /is up to date/);
    assert.deepEqual(stderr.trim().split("\n").sort(), [
      "MAIL_FORM is not a setting: did you mean MAIL_FROM?",
      "trust_proxy is not a setting: did you mean TRUST_PROXY?",
    ]);
  }));

Deno.test("deno task start may write only where its settings keep data", async () => {
  const listAllowed = (env: Record<string, string>) =>
    listServiceRights(env).filter((flag) => /^--allow-(?:read|write)/.test(flag));
  assert.deepEqual(listAllowed({}), ["--allow-read=.,data,data/files", "--allow-write=data,data/files"]);
  assert.deepEqual(listAllowed({ DATABASE_URL: "file:/a b/crm.db", STORAGE_URL: "s3://files" }), [
    "--allow-read=.,/a b",
    "--allow-write=/a b",
  ]);
  assert.deepEqual(listAllowed({ DATABASE_URL: "libsql://crm.example.com", STORAGE_URL: "s3://files" }), [
    "--allow-read=.",
  ]);
  await inFolderOnDisk(async (folder) => {
    const server = await startProcess(["task", "-q", "start"], { ...places(folder), LOG_LEVEL: "info" });
    try {
      const flags = servedArguments(server).filter((word) => word.startsWith("--allow-"));
      assert.deepEqual(flags, [
        "--allow-net",
        "--allow-env",
        `--allow-read=.,${folder},${folder}/files`,
        `--allow-write=${folder},${folder}/files`,
        "--allow-sys=hostname",
      ]);
    } finally {
      await server.kill();
    }
  });
});

Deno.test("deno task start passes the number of files that it may open to the service", () =>
  inFolderOnDisk(async (folder) => {
    const limited = ["-c", 'ulimit -n 777; exec "$0" "$@"', Deno.execPath(), "task", "-q", "start"];
    const env = { ...places(folder), LOG_LEVEL: "info" };
    const server = await startProcess(limited, env, { command: "sh" });
    try {
      const words = servedArguments(server);
      const file = words.findIndex((word) => word.endsWith("/deno.js"));
      assert.deepEqual(words.slice(file + 1).filter((word) => word !== ""), ["--open-files=777"]);
    } finally {
      await server.kill();
    }
  }));

Deno.test("a database path with spaces and other odd characters works for the service and for every command", () =>
  inFolderOnDisk(async (folder) => {
    const odd = `${folder}/my $(data) 'x' *`;
    const env = places(odd);
    const server = await startProcess(["task", "-q", "start"], { ...env, LOG_LEVEL: "info" });
    try {
      assert.equal((await fetch(`${server.url}/ready`)).status, 200);
      const run = async (...args: string[]) => {
        const { code, stdout, stderr } = await runCommand(["task", "-q", ...args], env);
        assert.deepEqual([code, stderr], [0, ""], args.join(" "));
        return stdout;
      };
      await run("db:migrate");
      await run(
        ...["crm", "company", "create", "--name", "A $(date) 'x' *", "--email", "ada@example.com"],
        ...["--first-name", "Ada", "--last-name", "Byron", "--country", "GB", "--timezone", "Europe/London"],
        ...["--currency", "GBP"],
      );
      assert.match(await run("crm", "company", "list"), /A \$\(date\) 'x' \*/);
      await run("jobs");
      await run("backup", `${odd}/a backup`);
      assert.ok(Deno.statSync(`${odd}/a backup`).isDirectory);
    } finally {
      assert.equal((await server.kill()).code, 0);
    }
    const restored = await runCommand(["task", "-q", "restore", "--force", `${odd}/a backup`], env);
    assert.equal(restored.code, 0, restored.stderr);
  }));

Deno.test("deno task start serves from folders outside of the project, and returns the memory of its start", () =>
  inFolderOnDisk(async (folder) => {
    const server = await startProcess(["task", "-q", "start"], {
      ...places(`${folder}/box`),
      LOG_LEVEL: "info",
    });
    try {
      assert.equal((await fetch(`${server.url}/ready`)).status, 200);
      const service = servedProcess(server.pid);
      const measureReturned = () => memoryPeak(service) - residentMemory(service);
      for (let tries = 0; tries < 100 && measureReturned() < 10_000_000; tries++) await pause(100);
      assert.ok(measureReturned() >= 10_000_000, `${measureReturned()} bytes less than at its peak`);
    } finally {
      assert.equal((await server.kill()).code, 0);
    }
    assert.match(server.output(), /"event":"stopped"/);
    assert.deepEqual(notesOnMail(server), [], "without a mail server");
    assert.deepEqual([...Deno.readDirSync(`${folder}/box`)].map(({ name }) => name).sort(), [
      "crm.db",
      "files",
      "secrets.key",
    ]);
  }));

Deno.test("deno task start ends with one line for a path that it cannot allow and for an old Deno", () =>
  inFolder(async (folder) => {
    const refusesToLaunch = async (env: Record<string, string>, line: string) =>
      assertRefused(await runCommand([...launcher, "src/entry/launch.ts", "start"], env), line);
    await refusesToLaunch(
      places(`${folder}/a,b`),
      `DATABASE_URL names ${folder}/a,b: deno task start accepts no path with a comma`,
    );
    for (const file of ["crm.db", "dist/crm.db", "dist/data/crm.db"]) {
      await refusesToLaunch(
        { DATABASE_URL: `file:${file}` },
        "DATABASE_URL must name a folder of its own, apart from the sources",
      );
    }
    await Deno.symlink(`${projectRoot}src`, `${folder}/link`);
    for (const place of ["node_modules/x", "drizzle", ".git/hooks", "src/docs", `${folder}/link`]) {
      await refusesToLaunch(
        { ...places(folder), STORAGE_URL: `file:${place}` },
        "STORAGE_URL must name a folder of its own, apart from the sources",
      );
    }
    assertRefused(
      await runCommand(["task", "-q", "start"], { DATABASE_URL: "file://data/crm.db" }),
      fileRule,
    );

    await Deno.writeTextFile(
      `${folder}/old.ts`,
      'Object.defineProperty(Deno, "version", { value: { ...Deno.version, deno: "2.4.0" } });',
    );
    const old = `--preload=${folder}/old.ts`;
    const line = "Deno 2.4.0 is too old: Wayline CRM needs Deno 2.9.6 or later";
    for (const task of ["start", "dev", "build", "crm"]) {
      assertRefused(await runCommand([...launcher, old, "src/entry/launch.ts", task], {}), line);
    }
    assertRefused(await runCommand(["run", "-q", "-A", old, "src/cli/jobs.ts"], places(folder)), line);
  }));

const fileRule = "DATABASE_URL must be file:<path>, or a libsql:, https: or http: address";
