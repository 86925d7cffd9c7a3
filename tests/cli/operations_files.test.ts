/** The files below `docs/operations` and the Dockerfile, as the guides show them, checked by their tools. */
import assert from "node:assert/strict";
import { inFolder, inFolderOnDisk } from "../support/engines.ts";
import { projectRoot, runCommand, startProcess } from "../support/process.ts";

const operations = `${projectRoot}src/docs/operations/`;
const read = (name: string) =>
  Deno.readTextFile(name === "Dockerfile" ? projectRoot + name : operations + name);

const shown: Readonly<Record<string, string>> = {
  Dockerfile: "dockerfile",
  "compose.yaml": "yaml",
  "nginx.conf": "nginx",
  Caddyfile: "text",
  "wayline.service": "ini",
  "wayline-backup.service": "ini",
  "wayline-backup.timer": "ini",
  "grafana.json": "json",
};

Deno.test("the guides show each file as it is", async () => {
  const guides = ["operations", "containers", "metrics"].map((name) =>
    `${projectRoot}src/docs/guides/${name}.md`
  );
  const guide = (await Promise.all(guides.map((path) => Deno.readTextFile(path)))).join("");
  const names = [...Deno.readDirSync(operations)].map(({ name }) => name);
  assert.deepEqual([...names, "Dockerfile"].sort(), Object.keys(shown).sort());
  for (const [name, language] of Object.entries(shown)) {
    assert.ok(guide.includes("```" + language + "\n" + await read(name) + "```\n"), name);
  }
});

/** Instructions of a Dockerfile, of which a line may go on after a backslash. */
async function instructions(): Promise<readonly (readonly [name: string, text: string])[]> {
  const lines = (await read("Dockerfile")).replaceAll(/\\\n\s*/g, "").split("\n").filter((line) =>
    /^[A-Z]/.test(line)
  );
  return lines.map((line) => [line.split(" ")[0]!, line.slice(line.indexOf(" ") + 1)] as const);
}

/** Copies what `COPY . .` copies: the last line of `.dockerignore` that matches a path decides. */
async function copyContext(from: string, to: string): Promise<void> {
  const lines = (await Deno.readTextFile(`${projectRoot}.dockerignore`)).split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"));
  const rules = lines.map((line) => {
    const pattern = line.replace(/^!/, "").replaceAll(".", "\\.").replaceAll("**/", "(?:.*/)?")
      .replaceAll(/\*(?!\/)/g, "[^/]*").replaceAll("(?:.[^/]*/)?", "(?:.*/)?");
    return { keeps: line.startsWith("!"), matches: new RegExp(`^${pattern}(?:/|$)`) };
  });
  const copy = async (path: string): Promise<void> => {
    for await (const { name, isDirectory } of Deno.readDir(`${from}/${path}`)) {
      const inner = path === "" ? name : `${path}/${name}`;
      if (rules.findLast(({ matches }) => matches.test(inner))?.keeps === false) continue;
      if (isDirectory) {
        await Deno.mkdir(`${to}/${inner}`);
        await copy(inner);
      } else await Deno.copyFile(`${from}/${inner}`, `${to}/${inner}`);
    }
  };
  await copy("");
}

Deno.test("the image has neither data nor secrets nor history, and its steps make a service that is healthy", () =>
  inFolderOnDisk(async (folder) => {
    const [source, image] = [`${folder}/source`, `${folder}/image`];
    await Deno.mkdir(source);
    await Deno.mkdir(image);
    const copied = ["src", "drizzle", "deno.json", "deno.lock", "LICENSE"].map((name) => projectRoot + name);
    assert.equal((await runCommand(["-r", ...copied, source], {}, { command: "cp" })).code, 0);
    const secrets = [
      ".env",
      ".git/config",
      "data/crm.db",
      "data/secrets.key",
      "src/.env",
      "src/cli/.env.local",
      "drizzle/crm.db-wal",
      "dist/old.js",
      "node_modules/x.js",
      "backup/secrets.key",
    ];
    for (const path of secrets) {
      await Deno.mkdir(`${source}/${path.split("/").slice(0, -1).join("/")}`, { recursive: true });
      await Deno.writeTextFile(`${source}/${path}`, "secret");
    }
    await copyContext(source, image);
    for (const path of secrets) {
      await assert.rejects(Deno.stat(`${image}/${path}`), Deno.errors.NotFound, path);
    }
    const steps = await instructions();
    assert.equal(steps.filter(([name]) => name === "COPY").map(([, text]) => text).join(), ". .");
    assert.match(steps[0]![1], new RegExp(`^denoland/deno:${Deno.version.deno.replaceAll(".", "\\.")}$`));
    for (const [, step] of steps.filter(([name]) => name === "RUN")) {
      // The user of the image is not on this machine.
      const done = await runCommand(["-c", step.replaceAll(/ -[og] deno/g, "")], {}, {
        command: "sh",
        cwd: image,
      });
      assert.equal(done.code, 0, done.stderr);
    }
    const command = JSON.parse(steps.find(([name]) => name === "CMD")![1]) as string[];
    const check = steps.find(([name]) => name === "HEALTHCHECK")![1];
    const healthy = JSON.parse(check.slice(check.indexOf("["))) as string[];
    const server = await startProcess(command.slice(1), { PORT: "0" }, { cwd: image });
    try {
      const portNumber = new URL(server.url).port;
      const health = (port: string) => runCommand(healthy.slice(1), { PORT: port }, { cwd: image });
      assert.equal((await health(portNumber)).code, 0);
      assert.notEqual((await health("1")).code, 0);
      const run = (...args: string[]) => runCommand(["task", "-q", ...args], {}, { cwd: image });
      const listed = await run("crm", "company", "list");
      assert.equal(listed.code, 0, listed.stderr);
      const backup = await run("backup", `${image}/backups/one`);
      assert.equal(backup.code, 0, backup.stderr);
    } finally {
      assert.equal((await server.kill()).code, 0);
    }
    const restored = await runCommand(["task", "-q", "restore", "--force", "backups/one"], {}, {
      cwd: image,
    });
    assert.equal(restored.code, 0, restored.stderr);
  }));

Deno.test("the units of systemd hold", () =>
  inFolder(async (folder) => {
    const units = Object.keys(shown).filter((name) => /\.(?:service|timer)$/.test(name));
    for (const name of units) {
      const text = (await read(name)).replaceAll("/usr/local/bin/deno", Deno.execPath());
      await Deno.writeTextFile(`${folder}/${name}`, text);
    }
    const found = await runCommand(["-c", "command -v systemd-analyze"], {}, { command: "sh" });
    // A container may have no systemd.
    if (found.code !== 0) return;
    const paths = units.map((name) => `${folder}/${name}`);
    const verified = await runCommand(["verify", ...paths], {}, { command: "systemd-analyze" });
    assert.deepEqual([verified.code, verified.stderr], [0, ""]);
  }));

Deno.test("compose runs the image with data in volumes, behind loopback, and stops it with patience", async () => {
  const text = await read("compose.yaml");
  for (
    const line of [
      "127.0.0.1:8000:8000",
      "data:/srv/wayline/data",
      "stop_grace_period: 20s",
      "build: ../../..",
    ]
  ) {
    assert.ok(text.includes(line), line);
  }
  assert.doesNotMatch(text, /env_file|\.env/);
});
