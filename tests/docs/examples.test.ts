/** Pastes every page of the guides as its reader would, against one running service. */
import assert from "node:assert/strict";
import { exampleHead } from "../../src/docs/example_head.ts";
import { guides } from "../../src/docs/guides.ts";
import { type Body, startApp } from "../support/app.ts";
import { inFolderOnDisk } from "../support/engines.ts";
import { newClient } from "../support/oauth.ts";
import { ofTests, projectRoot, runCommand, startProcess } from "../support/process.ts";
import { type Block, findBlocks, findDifference } from "./blocks.ts";

const separator = "----- end of a block -----";

/** Whether a reader pastes the block into a shell. */
const isPasted = ({ language, mark }: Block) => language === "bash" && mark !== null;

async function pages(): Promise<{ slug: string; blocks: Block[] }[]> {
  return await Promise.all(
    guides.map(async ({ slug, load }) => ({ slug, blocks: findBlocks((await load()).default) })),
  );
}

/** Returns the pages in an order that follows from the seed. */
function shuffle<T>(all: readonly T[], seed: number): T[] {
  let state = seed;
  const keyed = all.map((each) => {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9 | 0;
    return { each, key: state };
  });
  return keyed.sort((one, other) => one.key - other.key).map(({ each }) => each);
}

Deno.test("blocks for bash are pasted, and those that take a token begin with the one head", async () => {
  for (const { slug, blocks } of await pages()) {
    const bash = blocks.filter(({ language }) => language === "bash");
    assert.deepEqual(bash.filter((block) => !isPasted(block)), [], slug);
    if (!bash.some(({ text }) => text.includes("$token"))) continue;
    assert.equal(bash[0]!.mark, "head", `${slug} shows its head first`);
    // A new company has a client of its own.
    if (slug !== "set-up") assert.equal(bash[0]!.text, exampleHead, slug);
  }
});

Deno.test("the head reads the first value of a long answer, and shows an answer without it", async () => {
  const functions = exampleHead.split("\n").filter((line) => line.includes("() {"));
  assert.equal(functions.length, 2);
  // More matches than a pipe holds: a reader that leaves after the first fails their writer.
  const script = [
    ...functions,
    `printf '{"id":%d,"name":"a"},' {1..40000} | value id`,
    `echo '{"id":null}' | value id`,
  ].join("\n");
  const ran = await runCommand(["-uc", script], {}, { command: "bash" });
  assert.deepEqual(ran, { code: 0, stdout: "1\n", stderr: '{"id":null}\n' });
});

Deno.test("each page runs as its reader pastes it, alone and in any order, and prints what it shows", async (t) => {
  // Another order each time; GUIDE_SEED repeats one.
  const seed = Number(Deno.env.get("GUIDE_SEED") ?? Math.floor(Math.random() * 2 ** 31));
  // A page can be pasted again: `deno task test:long` does.
  const rounds = Number(Deno.env.get("GUIDE_ROUNDS") ?? 1);
  console.log(`The order of the pages: GUIDE_SEED=${seed}`);
  const examples = (await pages()).filter(({ blocks }) => blocks.some(isPasted));
  assert.ok(examples.length > 15);
  await inFolderOnDisk(async (folder) => {
    const env = {
      DATABASE_URL: `file:${folder}/data/crm.db`,
      STORAGE_URL: `file:${folder}/data/files`,
      PORT: "0",
      WEBHOOK_ALLOW_PRIVATE: "true",
      METRICS_TOKEN: "operations",
    };
    await Deno.mkdir(`${folder}/data`);
    const service = await startProcess(["run", "-q", "-A", ...ofTests, "src/cli/dev.ts"], env, {
      timeoutMs: 60_000,
    });
    try {
      await makeCommands(folder, env);
      for (let round = 1; round <= rounds; round++) {
        for (const page of shuffle(examples, seed + round)) {
          await t.step(`${page.slug}, round ${round}`, () => paste(page.blocks, folder, service.url));
        }
      }
    } finally {
      await service.kill("SIGINT");
    }
  });
});

/** Makes `deno` work in the folder as in that of the service: on its database. */
async function makeCommands(folder: string, { DATABASE_URL, STORAGE_URL }: Record<string, string>) {
  await Deno.mkdir(`${folder}/bin`);
  const lines = [
    "#!/bin/sh",
    `cd '${projectRoot}'`,
    `DATABASE_URL='${DATABASE_URL}' STORAGE_URL='${STORAGE_URL}' exec '${Deno.execPath()}' "$@"`,
  ];
  await Deno.writeTextFile(`${folder}/bin/deno`, `${lines.join("\n")}\n`, { mode: 0o755 });
}

/** Runs the blocks of a page in a shell of its own, in which nothing is set. */
async function paste(blocks: readonly Block[], folder: string, url: string): Promise<void> {
  const pasted = blocks.filter(isPasted);
  const script = pasted.flatMap(({ text }) => [
    text.replaceAll("http://127.0.0.1:8000", url),
    `echo; echo '${separator}'`,
  ]);
  const env = { PATH: `${folder}/bin:${Deno.env.get("PATH")}`, HOME: folder, TMPDIR: folder };
  const ran = await runCommand(["-uc", script.join("\n")], env, {
    command: "bash",
    cwd: folder,
    timeoutMs: 60_000,
  });
  assert.deepEqual([ran.code, ran.stderr], [0, ""], ran.stdout);
  const outputs = ran.stdout.split(`${separator}\n`);
  for (const [index, { text, prints }] of pasted.entries()) {
    if (prints === null) continue;
    const output = outputs[index]!.trim();
    if (prints.language === "json") {
      const got: Body = JSON.parse(output);
      assert.equal(findDifference(got, JSON.parse(prints.text)), null, `${text}\nprints ${output}`);
    } else assert.equal(output, prints.text.trim(), text);
  }
}

Deno.test("the snippets for OAuth libraries get a token and use it", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const { client_id, client_secret } = await newClient(app, false, admin);
  const { body: me } = await admin.call("GET", "/v1/me");
  const guide = guides.find(({ slug }) => slug === "authentication")!;
  const snippets = findBlocks((await guide.load()).default).filter(({ mark }) => mark?.startsWith("run: "));
  assert.deepEqual(snippets.map(({ mark }) => mark), [
    "run: oauth4webapi",
    "run: @badgateway/oauth2-client",
    "run: openid-client",
  ]);
  await Promise.all(snippets.map(async ({ mark, text }, index) => {
    const file = new URL(`../snippet_${Deno.pid}_${index}.ts`, import.meta.url);
    try {
      await Deno.writeTextFile(file, text);
      const ran = await runCommand([
        "run",
        "-q",
        "--no-check",
        "-A",
        file.pathname,
        app.url,
        client_id,
        client_secret,
      ], {});
      assert.equal(ran.code, 0, `${mark}: ${ran.stderr}`);
      assert.equal(ran.stdout.trim(), me.email, mark!);
    } finally {
      await Deno.remove(file);
    }
  }));
});
