/**
 * The commands that the README and the guides show for operators, run as they stand, in the order of a reader
 * who installs the service, backs it up, loses its data and upgrades. Programs that would change this machine,
 * or that it does not have, are replaced by the smallest one that does their part inside a folder.
 */
import assert from "node:assert/strict";
import { findBlocks } from "../docs/blocks.ts";
import { copyProject } from "../support/clone.ts";
import { inFolderOnDisk } from "../support/engines.ts";
import { projectRoot, runCommand, startChild, startProcess } from "../support/process.ts";

/** First lines of the blocks that do not run here, with the reason. */
const exceptions: Readonly<Record<string, string>> = {
  "npx openapi-typescript $crm/openapi.json -o crm.d.ts":
    "npx fetches the program: tests/http/generators.test.ts runs the installed one",
  "npx @openapitools/openapi-generator-cli generate -g python -o crm-client \\":
    "the program needs Java, which this machine does not have",
  "deno task dev": "tests/cli/newcomer.test.ts runs it in an empty clone",
};

/** None runs a program with a name from this list: it would find itself. */
const stubs: Readonly<Record<string, string>> = {
  git: `[ "$1" = clone ] || exit 0; cp -r "$SOURCE" "$3"`,
  install: `mkdir -p -m 700 "\${!#}"`,
  docker: [
    `case "$1" in`,
    `  build | stop | start) ;;`,
    `  cp) cp -r "\${2#wayline:}" "$3" ;;`,
    `  run | exec) while [ $# -gt 0 ] && [ "$1" != deno ]; do shift; done; "$@" ;;`,
    `  *) exit 64 ;;`,
    `esac`,
  ].join("\n"),
  ...Object.fromEntries(
    ["useradd", "chown", "chgrp", "systemctl", "journalctl"].map((name) => [name, "exit 0"]),
  ),
};

async function shellBlocks(): Promise<Map<string, string[]>> {
  const guides = `${projectRoot}src/docs/guides`;
  const names = [...Deno.readDirSync(guides)].map(({ name }) => name).filter((name) => name.endsWith(".md"));
  const paths = [`${projectRoot}README.md`, ...names.sort().map((name) => `${guides}/${name}`)];
  return new Map(
    await Promise.all(paths.map(async (path): Promise<[string, string[]]> => {
      const blocks = findBlocks(await Deno.readTextFile(path)).filter(({ language }) => language === "sh");
      return [path.split("/").at(-1)!, blocks.map(({ text }) => text)];
    })),
  );
}

Deno.test("commands for operators run as the README and the guides show them, or have a reason", () =>
  inFolderOnDisk(async (folder) => {
    const pages = await shellBlocks();
    const waiting = new Set([...pages.values()].flat());
    const place = `${folder}/wayline`;
    await Deno.mkdir(`${folder}/bin`);
    for (const [name, body] of Object.entries(stubs)) {
      await Deno.writeTextFile(`${folder}/bin/${name}`, `#!/bin/bash\n${body}\n`, { mode: 0o755 });
    }
    await Deno.symlink(Deno.execPath(), `${folder}/bin/deno`);
    await copyProject(projectRoot.slice(0, -1), `${folder}/source`);
    const env = { PATH: `${folder}/bin:${Deno.env.get("PATH")}`, SOURCE: `${folder}/source`, PORT: "0" };

    /** Takes the block of the page that begins with this text, written for this folder. */
    const take = (page: string, beginning: string): string => {
      const block = pages.get(page)!.find((text) => text.startsWith(beginning) && waiting.has(text));
      assert.ok(block, `${page} has a block that begins with ${beginning}`);
      waiting.delete(block);
      return block.replaceAll("<this repository>", "repository").replaceAll("/srv/wayline", place)
        .replaceAll("/var/backups/wayline", `${folder}/backups`)
        .replaceAll("2026-03-02", new Date().toISOString().slice(0, 10))
        .replace("company restore 7", "company restore 1");
    };
    const run = async (script: string, cwd = place): Promise<string> => {
      const options = { command: "bash", cwd, timeoutMs: 400_000 };
      const ran = await runCommand(["-euc", script], env, options);
      assert.equal(ran.code, 0, `${script}\n${ran.stdout}${ran.stderr}`);
      return ran.stdout;
    };
    const paste = (page: string, beginning: string) => run(take(page, beginning));

    await run(take("operations.md", "useradd"), folder);
    await paste("operations.md", "systemctl daemon-reload");
    const first = take("README.md", "deno task crm company create").split("\n").slice(0, -1);
    assert.equal(first.pop(), "deno task start");
    const made = await run(first.join("\n"));
    const [client_id, client_secret] = ["client_id", "client_secret"].map((name) =>
      new RegExp(`${name}\\W+(\\S+)`).exec(made)![1]!
    );

    const telemetry = take("operations.md", "OTEL_DENO=true");
    const secret = "A_secret_of_at_least_32_characters";
    const inbound = { INBOUND_MAIL_DOMAIN: "in.example.com", INBOUND_MAIL_SECRET: secret };
    const server = await startProcess(["-euc", telemetry], { ...env, ...inbound }, {
      command: "bash",
      cwd: place,
      timeoutMs: 120_000,
    });
    try {
      const mail = take("mail.md", "curl -sf --data-binary @-").replace(
        "https://crm.example.com",
        server.url,
      );
      await run(`INBOUND_MAIL_SECRET=${secret}\nprintf 'To: x@in.example.com\\r\\n\\r\\nHi' | ${mail}`);
      const asked = await fetch(`${server.url}/auth/token`, {
        method: "POST",
        body: new URLSearchParams(
          { grant_type: "client_credentials", client_id, client_secret } as Record<string, string>,
        ),
      });
      const { access_token } = await asked.json();
      const deleted = await fetch(`${server.url}/v1/companies/1`, {
        method: "DELETE",
        headers: { authorization: `Bearer ${access_token}` },
      });
      assert.equal(deleted.status, 204);
    } finally {
      await server.kill();
    }

    await paste("operations.md", "deno task backup");
    await paste("operations.md", "systemctl enable --now wayline-backup.timer");
    await paste("operations.md", "systemctl stop wayline\ndeno task restore");
    await paste("operations.md", "deno task crm held");
    await paste("operations.md", "deno task crm hold campaigns");
    await paste("operations.md", "deno task crm files check");
    assert.match(await paste("operations.md", "deno task crm company list"), /Ada Motors is back/);
    await paste("operations.md", "deno task crm gamification rebuild");
    await paste("mail.md", "deno task crm mail list");
    await paste("operations.md", "systemctl stop wayline\ngit pull");
    await paste("containers.md", "docker build");
    await paste("containers.md", "docker exec");
    await paste("containers.md", "docker stop");

    const target = startChild(["-euc", take("README.md", "deno eval").replace("9000", "0")], env, {
      command: "bash",
      cwd: place,
    });
    try {
      const url = await target.line((line) => /http:\/\/\S+/.exec(line)?.[0] ?? null, 30_000);
      const reply = await fetch(url, {
        method: "POST",
        body: "hello",
        headers: { "x-service-event": "account_created" },
      });
      assert.equal(reply.status, 200);
      await target.line((line) => line === "hello" ? line : null, 30_000);
    } finally {
      await target.kill();
    }
    const beginnings = [...waiting].map((text) => text.split("\n")[0]);
    assert.deepEqual(beginnings.sort(), Object.keys(exceptions).sort(), "blocks that nothing runs");
  }));
