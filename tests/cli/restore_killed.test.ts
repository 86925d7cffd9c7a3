import assert from "node:assert/strict";
import { ConfigError, loadConfig } from "../../src/config.ts";
import { restore } from "../../src/cli/restore.ts";
import { openDatabaseFile } from "../../src/entry/open_database.ts";
import { canTrace } from "../proofs/traced.ts";
import { inFolder } from "../support/engines.ts";
import { runCommand } from "../support/process.ts";
import { commandArguments, serve } from "../support/service.ts";
import { copyTemplate } from "../support/template.ts";
import { sharedFolder } from "../support/temporary.ts";

const isCi = Deno.env.get("CI") === "true";
const traces = await canTrace();
if (!traces) console.log("strace is missing, so no restore is killed");

/** A box whose company, key and file carry `name`. */
async function box(folder: string, name: string) {
  await Deno.mkdir(folder, { recursive: true });
  await copyTemplate(`${folder}/crm.db`);
  const db = await openDatabaseFile(`${folder}/crm.db`);
  await db.write([{
    sql: "insert into companies (name, timezone, locale, language, currency, created_at, updated_at) " +
      "values (?, 'UTC', 'en-GB', 'en', 'EUR', 'x', 'x')",
    args: [name],
  }]);
  await db.close();
  await Deno.mkdir(`${folder}/files`);
  await Deno.writeTextFile(`${folder}/files/name.txt`, name);
  await Deno.writeTextFile(`${folder}/secrets.key`, makeKey(name));
}

const makeKey = (name: string) => new Uint8Array(32).fill(name.length).toBase64();

function makeEnv(folder: string): Record<string, string> {
  return { DATABASE_URL: `file:${folder}/crm.db`, STORAGE_URL: `file:${folder}/files` };
}

/** Runs a restore that is killed as it enters its `n`th call of `syscall` that touches the places. */
async function runKilled(folder: string, backup: string, syscall: string, n: number): Promise<boolean> {
  const names = ["crm.db", "files", "secrets.key"].flatMap((name) => [name, `${name}.incoming`]);
  const paths = [...names, "crm.db.restoring", "crm.db.restoring.incoming"].flatMap((name) => [
    "-P",
    `${folder}/${name}`,
  ]);
  const injected = ["-e", `trace=${syscall}`, "-e", `inject=${syscall}:signal=SIGKILL:when=${n}`];
  const { code } = await runCommand(
    [
      ...["-f", "-o", "/dev/null", ...paths, ...injected, Deno.execPath()],
      ...commandArguments("restore", "--force", backup),
    ],
    makeEnv(folder),
    { command: "strace" },
  );
  return code !== 0;
}

/** Returns the company, file and key that a service would use, or its refusal to open. */
async function readState(folder: string, ending = ""): Promise<string> {
  let db;
  try {
    db = await openDatabaseFile(`${folder}/crm.db${ending}`);
  } catch (error) {
    assert.ok(error instanceof ConfigError, String(error));
    return error.message;
  }
  const [found] = await db.read([{ sql: "select group_concat(name) as name from companies", args: [] }]);
  await db.close();
  const file = await Deno.readTextFile(`${folder}/files${ending}/name.txt`);
  const key = await Deno.readTextFile(`${folder}/secrets.key${ending}`);
  const { name } = found!.rows[0]!;
  assert.deepEqual([file, key.trim()], [name, makeKey(String(name))], "all three are of one box");
  return String(name);
}

async function runRestore(folder: string, backup: string, force: boolean): Promise<void> {
  await restore(loadConfig(makeEnv(folder)), backup, { force, release: false, report: () => {} });
}

/** Checks a finished restore: the backup is served, the old data is kept, and no other file is left. */
async function assertRestored(folder: string): Promise<void> {
  assert.equal(await readState(folder), "New");
  const names = [...Deno.readDirSync(folder)].map(({ name }) => name);
  const ending = /\.before-.*$/.exec(names.find((name) => name.startsWith("crm.db.before-"))!)![0];
  assert.deepEqual(
    names.sort(),
    ["crm.db", "files", "secrets.key"].flatMap((name) => [name, name + ending]).sort(),
  );
  assert.equal(await readState(folder, ending), "Before");
}

const refusal = (folder: string) =>
  `A restore to ${folder}/crm.db was interrupted: run deno task restore again`;

/** A folder with the box `Before`, and `backup` of the box `New`; made once, and only read. */
let originals: Promise<string> | undefined;

async function makeOriginals(): Promise<string> {
  const folder = sharedFolder("wayline-restore-");
  for (const name of ["New", "Before"]) await box(`${folder}/${name}`, name);
  const made = await runCommand(commandArguments("backup", `${folder}/backup`), makeEnv(`${folder}/New`));
  assert.equal(made.code, 0, made.stderr);
  return folder;
}

async function withBoxes(use: (copy: (name: string) => Promise<string>, backup: string) => Promise<void>) {
  const from = await (originals ??= makeOriginals());
  await inFolder(async (folder) => {
    const copy = async (name: string) => {
      await Deno.mkdir(`${folder}/${name}/files`, { recursive: true });
      for (const file of ["crm.db", "files/name.txt", "secrets.key"]) {
        await Deno.copyFile(`${from}/Before/${file}`, `${folder}/${name}/${file}`);
      }
      return `${folder}/${name}`;
    };
    await use(copy, `${from}/backup`);
  });
}

Deno.test({
  name: "a restore killed at any step leaves the old data or a refusal to start",
  ignore: !traces && !isCi,
  fn: () =>
    withBoxes(async (copy, backup) => {
      assert.ok(traces, "strace must be there where CI=true");
      // Write the marker, move three files aside, move three files in, remove the marker.
      const steps = [
        ...Array.from({ length: 7 }, (_, i) => ["rename", i + 1] as const),
        ["unlink", 1] as const,
      ];
      const at = async ([syscall, n]: readonly [string, number]) => {
        const folder = await copy(`${syscall}${n}`);
        assert.ok(await runKilled(folder, backup, syscall, n), `it has no ${syscall} ${n}`);
        const isBegun = syscall !== "rename" || n > 1;
        assert.equal(await readState(folder), isBegun ? refusal(folder) : "Before", `${syscall} ${n}`);
        await runRestore(folder, backup, !isBegun);
        await assertRestored(folder);
      };
      while (steps.length > 0) await Promise.all(steps.splice(0, 3).map(at));
      assert.equal(
        await runKilled(await copy("whole"), backup, "rename", 8),
        false,
        "there are no more steps",
      );
    }),
});

Deno.test({
  name: "a restore killed several times keeps the oldest data and finishes",
  ignore: !traces && !isCi,
  fn: () =>
    withBoxes(async (copy, backup) => {
      assert.ok(traces, "strace must be there where CI=true");
      const folder = await copy("again");
      for (const n of [7, 3, 2, 1]) {
        assert.ok(await runKilled(folder, backup, "rename", n));
        assert.equal(await readState(folder), refusal(folder));
      }
      await runRestore(folder, backup, false);
      await assertRestored(folder);
    }),
});

Deno.test("after an interrupted restore only restore opens the database", () =>
  inFolder(async (folder) => {
    await box(folder, "Before");
    await Deno.writeTextFile(`${folder}/crm.db.restoring`, '{"stamp":"1","taken":[]}');
    for (
      const args of [
        serve,
        commandArguments("jobs"),
        commandArguments("crm", "mail", "list"),
        commandArguments("backup", `${folder}/b`),
      ]
    ) {
      const { code, stderr } = await runCommand(args, makeEnv(folder));
      assert.deepEqual([code, stderr], [1, `${refusal(folder)}\n`], args.join(" "));
    }
  }));
