import assert from "node:assert/strict";
import { exists, findCurrentBuild, isBuildName, locateBuild } from "../../src/entry/builds.ts";
import { pause } from "../../src/platform/pause.ts";
import { inFolderOnDisk } from "../support/engines.ts";
import {
  projectRoot,
  runCommand,
  runOfTests,
  servedArguments,
  type Server,
  startChild,
  startProcess,
  withoutOverride,
} from "../support/process.ts";
import { serve, serviceFile } from "../support/service.ts";
import { copyTemplate } from "../support/template.ts";
import { makeEnvironment, newDatabase } from "../library/served.ts";

/** Runs a test with a copy of what a start reads, the packages, and an empty database. */
function withProject(test: (folder: string) => Promise<void>): Promise<void> {
  return inFolderOnDisk(async (folder) => {
    const copied = ["src", "drizzle", "deno.json", "deno.lock"].map((name) => projectRoot + name);
    const { code, stderr } = await runCommand(["-r", ...copied, folder], {}, { command: "cp" });
    assert.equal(code, 0, stderr);
    await Deno.symlink(`${projectRoot}node_modules`, `${folder}/node_modules`);
    await Deno.mkdir(`${folder}/data`);
    await copyTemplate(`${folder}/data/crm.db`);
    await test(folder);
  });
}

function start(cwd: string): Promise<Server> {
  return startProcess(["task", "-q", "start"], { PORT: "0", LOG_LEVEL: "info" }, { cwd });
}

/** Returns the file that Deno runs in the process that `deno task start` started. */
function findServedFile(server: Server): string | undefined {
  return servedArguments(server).find((word) => word.endsWith(".js"));
}

/** Returns the lines that are not of the log. */
function listLines(server: Server): string[] {
  return server.output().split("\n").filter((line) => line !== "" && !line.startsWith("{"));
}

async function readVersion({ url }: Server): Promise<string> {
  return (await (await fetch(`${url}/openapi.json`)).json()).info.version;
}

const newer = 'The sources are newer than the build: "deno task build" makes a new one';

function builds(folder: string): string[] {
  return [...Deno.readDirSync(`${folder}/dist`)].map(({ name }) => name);
}

Deno.test("deno task start serves what was built, and says when the sources are newer", () =>
  withProject(async (folder) => {
    const source = `${folder}/src/core/version.ts`;
    const become = async (from: string, to: string) =>
      Deno.writeTextFile(source, (await Deno.readTextFile(source)).replace(from, to));
    await become("0.1.0", "0.1.1-first");
    const built = await runCommand(["task", "-q", "build"], {}, { cwd: folder });
    assert.deepEqual([built.stderr, built.stdout], ["", `Built ${await locateBuild(folder)}\n`]);
    const first = await start(folder);
    try {
      assert.equal(findServedFile(first), `${await locateBuild(folder)}/deno.js`);
      assert.deepEqual(listLines(first), []);
      await become("0.1.1-first", "0.1.1-second");
      const old = await start(folder);
      try {
        assert.equal(await readVersion(old), "0.1.1-first");
        assert.deepEqual(listLines(old), [newer]);
      } finally {
        assert.equal((await old.kill()).code, 0);
      }
      const command = await runCommand(["task", "-q", "crm", "--version"], {}, { cwd: folder });
      assert.deepEqual([command.stderr, command.stdout], [`${newer}\n`, "Wayline CRM 0.1.1-first\n"]);
      assert.equal(builds(folder).filter(isBuildName).length, 1);
      assert.equal((await runCommand(["task", "-q", "build"], {}, { cwd: folder })).code, 0);
      const second = await start(folder);
      try {
        assert.equal(await readVersion(second), "0.1.1-second");
        assert.deepEqual(listLines(second), []);
      } finally {
        assert.equal((await second.kill()).code, 0);
      }
      assert.equal(builds(folder).filter(isBuildName).length, 2);
      assert.equal(
        await readVersion(first),
        "0.1.1-first",
        "it loads what it needs later from its own build",
      );
    } finally {
      assert.equal((await first.kill()).code, 0);
    }
    await Deno.remove(`${folder}/${findCurrentBuild(folder)}/crm.js`);
    const mended = await runCommand(["task", "-q", "crm", "--version"], {}, { cwd: folder });
    assert.deepEqual([mended.stderr, mended.stdout], ["", "Wayline CRM 0.1.1-second\n"]);
    assert.equal(builds(folder).filter(isBuildName).length, 2, "the mended build stays beside the first one");
    const again = await runCommand(["task", "-q", "build"], {}, { cwd: folder });
    assert.equal(again.stdout, `${findCurrentBuild(folder)} is up to date\n`);
    await become("0.1.1-second", "0.1.1-first");
    const back = await runCommand(["task", "-q", "build"], {}, { cwd: folder });
    assert.deepEqual([back.code, findCurrentBuild(folder)], [0, await locateBuild(folder)]);
    const reverted = await runCommand(["task", "-q", "crm", "--version"], {}, { cwd: folder });
    assert.deepEqual([reverted.stderr, reverted.stdout], ["", "Wayline CRM 0.1.1-first\n"]);
  }));

Deno.test("a killed build leaves nothing that starts and goes after an hour; the twenty newest others stay", () =>
  withProject(async (folder) => {
    const build = startChild(["run", "-q", "-A", "src/cli/build.ts"], {}, { cwd: folder });
    while (!exists(`${folder}/dist`) || builds(folder).length === 0) await pause(1);
    await build.kill("SIGKILL");
    const [left, ...others] = builds(folder);
    assert.deepEqual([isBuildName(left!), others], [false, []]);
    const hourAgo = Date.now() / 1000 - 3_700;
    await Deno.utime(`${folder}/dist/${left}`, hourAgo, hourAgo);
    const other = (n: number) => String(n).padStart(16, "0");
    for (let n = 0; n < 22; n++) {
      await Deno.mkdir(`${folder}/dist/${other(n)}`);
      await Deno.utime(`${folder}/dist/${other(n)}`, 1_700_000_000 + n, 1_700_000_000 + n);
    }
    // An entry that is not a build does not matter.
    await Deno.symlink("/nowhere", `${folder}/dist/stray`);
    const server = await start(folder);
    const own = await locateBuild(folder);
    try {
      assert.equal(findServedFile(server), `${own}/deno.js`);
    } finally {
      await server.kill();
    }
    const kept = Array.from({ length: 20 }, (_, n) => `dist/${other(n + 2)}`);
    assert.deepEqual(
      builds(folder).map((name) => `dist/${name}`).sort(),
      [...kept, own, "dist/current", "dist/stray"].sort(),
    );
  }));

Deno.test("a start that is stopped during its build ends, and does not serve from the sources", () =>
  withProject(async (folder) => {
    const args = ["run", "-q", "-A", "--no-config", "--no-lock", "src/entry/launch.ts", "start"];
    const starting = startChild(args, { PORT: "0" }, { cwd: folder });
    while (!exists(`${folder}/dist`) || builds(folder).length === 0) await pause(1);
    const { code } = await starting.kill("SIGTERM");
    assert.deepEqual([code, starting.output()], [143, ""]);
    assert.equal(findCurrentBuild(folder), null);
  }));

Deno.test("a task whose launch fails ends with an error, and runs nothing of its input and arguments", () =>
  withProject(async (folder) => {
    const script = `${folder}/script.ts`;
    await Deno.writeTextFile(script, 'console.log("it ran");');
    const tryBackup = async () => {
      const args = withoutOverride(["task", "-q", "backup", script]);
      const { code, stdout } = await runCommand(args, {}, { command: "setpriv", cwd: folder });
      assert.deepEqual([code, stdout], [1, ""]);
      const piped = [
        "-c",
        `echo 'console.log("it ran")' | setpriv ${withoutOverride(["task", "-q", "crm"]).join(" ")}`,
      ];
      const answer = await runCommand(piped, {}, { command: "sh", cwd: folder });
      assert.deepEqual([answer.code, answer.stdout], [1, ""]);
      return answer.stderr;
    };
    await Deno.chmod(`${folder}/src/sales`, 0o000);
    try {
      assert.match(await tryBackup(), /^Permission denied/);
    } finally {
      await Deno.chmod(`${folder}/src/sales`, 0o700);
    }
    await Deno.writeTextFile(`${folder}/src/entry/launch.ts`, "Deno.exit(1);");
    await tryBackup();
  }));

Deno.test("a start that may not write a build serves from the sources and says so", () =>
  withProject(async (folder) => {
    await Deno.chmod(folder, 0o500);
    try {
      const args = withoutOverride(["task", "-q", "start"]);
      const server = await startProcess(args, { PORT: "0" }, { command: "setpriv", cwd: folder });
      assert.equal((await fetch(`${server.url}/ready`)).status, 200);
      assert.equal((await server.kill()).code, 0);
      const [why, ...rest] = server.output().split("\n").filter((line) => !line.startsWith("{"));
      assert.match(why!, /^The service could not be built: Permission denied/);
      assert.deepEqual(rest, [
        'Starting from the sources: slower, and in more memory than after "deno task build"',
      ]);
    } finally {
      await Deno.chmod(folder, 0o700);
    }
  }));

Deno.test("the built service loads no package when it starts, and every part of it loads", async () => {
  const { code, stdout, stderr } = await runCommand([
    ...runOfTests,
    "tests/structure/fixtures/loaded_packages.ts",
    serviceFile,
  ], {});
  assert.equal(code, 0, stderr);
  assert.deepEqual(JSON.parse(stdout).start, []);
  const folder = serviceFile.slice(0, serviceFile.lastIndexOf("/"));
  const parts = [...Deno.readDirSync(folder)].map(({ name }) => name).filter((name) =>
    !name.endsWith("_worker.js")
  );
  assert.ok(parts.length > 30);
  await Promise.all(parts.map((name) => import(`${folder}/${name}`)));
});

Deno.test("the built service prints documents and reads mail in threads of its own", () =>
  inFolderOnDisk(async (folder) => {
    const token = await newDatabase(folder);
    const secret = "a secret of the mail server";
    const server = await startProcess(serve, {
      ...makeEnvironment(folder),
      INBOUND_MAIL_DOMAIN: "in.example.org",
      INBOUND_MAIL_SECRET: secret.replaceAll(" ", "-"),
    });
    try {
      const headers = { Authorization: `Bearer ${token}` };
      const report = await fetch(`${server.url}/v1/reports/performance/export/pdf`, { headers });
      const document = await fetch((await report.json()).url);
      assert.match(await document.text(), /^%PDF-/);
      const mail = await fetch(`${server.url}/v1/mail/inbound`, {
        method: "POST",
        headers: {
          Authorization: `Bearer ${secret.replaceAll(" ", "-")}`,
          "Content-Type": "message/rfc822",
        },
        body: "From: grace@example.org\r\nTo: nobody@in.example.org\r\nSubject: Hello\r\n\r\nHello.\r\n",
      });
      assert.equal(mail.status, 202, await mail.text());
    } finally {
      assert.equal((await server.kill()).code, 0);
    }
  }));
