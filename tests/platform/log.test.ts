import assert from "node:assert/strict";
import { describeError, makeConsoleLog, makeLineLog } from "../../src/platform/log.ts";
import { openBufferedLog } from "../../src/platform/log_buffered.ts";
import { memoryLog } from "../support/ports.ts";

Deno.test("an entry is one line of JSON with time and level", () => {
  const lines: [string, boolean][] = [];
  const log = makeLineLog((line, urgent) => lines.push([line, urgent]), { level: "info", now: () => 0 });
  log.info({ message: "two\nlines", status: 200 });
  log.error({ message: "broken" });
  assert.deepEqual(lines, [
    ['{"time":"1970-01-01T00:00:00.000Z","level":"info","message":"two\\nlines","status":200}\n', false],
    ['{"time":"1970-01-01T00:00:00.000Z","level":"error","message":"broken"}\n', true],
  ]);
});

Deno.test("the level selects the entries", () => {
  for (const [level, expected] of [["info", "ie"], ["error", "e"], ["off", ""]] as const) {
    let written = "";
    const log = makeLineLog((line) => written += JSON.parse(line).message, { level, now: () => 0 });
    log.info({ message: "i" });
    log.error({ message: "e" });
    assert.equal(written, expected, level);
  }
});

Deno.test("secrets are removed by the name of their field and by their form in texts", () => {
  const log = memoryLog();
  log.info({
    message: "request with Authorization: Bearer SECRET1 and basic U0VDUkVUMg==",
    url: "https://user:SECRET3@example.com/a?x=1&access_token=SECRET4&code=SECRET5#f",
    token: "SECRET6",
    verification_token: "SECRET6",
    newPassword: "SECRET7",
    client_secret: "SECRET8",
    headers: { authorization: "SECRET9", Cookie: "SECRET10", "x-api-key": "SECRET11", accept: "*/*" },
    tokens: ["SECRET12"],
    nested: { deep: [{ private_key: "SECRET13" }] },
    error: new Error("failed at smtp://u:SECRET14@host"),
    key: "SECRET15",
    count: 3,
  });
  const [entry] = log.entries;
  assert.doesNotMatch(JSON.stringify(entry), /SECRET|U0VDUkVU/);
  assert.equal(
    entry?.url,
    "https://user:[redacted]@example.com/a?x=1&access_token=[redacted]&code=[redacted]",
  );
  assert.equal(entry?.count, 3);
});

Deno.test("an error is written with its message and cause", () => {
  const fields = describeError(new TypeError("a", { cause: new Error("b") }));
  assert.equal(fields.error, "TypeError: a (b)");
  assert.match(fields.stack ?? "", /log\.test/);
  assert.deepEqual(describeError("text"), { error: "text" });
});

Deno.test("a log on the console writes errors as errors", () => {
  const kept = { log: console.log, error: console.error };
  const seen: string[] = [];
  console.log = (line: string) => seen.push(`log ${line}`);
  console.error = (line: string) => seen.push(`error ${line}`);
  try {
    const log = makeConsoleLog("info", () => 0);
    log.info({ message: "a" });
    log.error({ message: "b" });
  } finally {
    Object.assign(console, kept);
  }
  assert.match(seen[0] ?? "", /^log \{.*"a"\}$/);
  assert.match(seen[1] ?? "", /^error \{.*"b"\}$/);
});

Deno.test("a buffered log writes the first line and errors immediately, gathers other lines, and keeps their order", async () => {
  const path = await Deno.makeTempFile();
  const file = await Deno.open(path, { write: true });
  const { openSync, closeSync } = await import("node:fs");
  const descriptor = openSync(path, "w");
  const messages = () =>
    Deno.readTextFileSync(path).split("\n").filter(Boolean).map((line) => JSON.parse(line).message);
  try {
    const log = openBufferedLog({ level: "info", now: () => 0, descriptor });
    log.info({ message: "1" });
    assert.deepEqual(messages(), ["1"]);
    log.info({ message: "2" });
    assert.deepEqual(messages(), ["1"]);
    log.error({ message: "3" });
    assert.deepEqual(messages(), ["1", "2", "3"]);
    log.info({ message: "4" });
    assert.deepEqual(messages().length, 3);
    log.flush();
    assert.deepEqual(messages(), ["1", "2", "3", "4"]);
    for (let n = 0; n < 70; n++) log.info({ message: "x".repeat(1000) });
    assert.ok(messages().length >= 60, "64 KiB are not held back");
    log.flush();
    assert.equal(messages().length, 74);
    log.info({ message: "75" });
    log.info({ message: "76" });
    assert.equal(messages().at(-1), "75");
    while (messages().length < 76) await new Promise((resolve) => setTimeout(resolve, 5));
    log.info({ message: "77" });
    assert.equal(messages().length, 76, "lines are gathered for as long as they follow each other");
    log.flush();
  } finally {
    file.close();
    closeSync(descriptor);
    await Deno.remove(path);
  }
});

async function runs(script: string): Promise<string> {
  const at = import.meta.resolve("../../src/platform/log_buffered.ts");
  const code =
    `import { openBufferedLog } from "${at}"; const log = openBufferedLog({ level: "info", now: () => 0 }); ${script}`;
  const command = new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-prompt", "-"],
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  });
  const child = command.spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(code));
  await writer.close();
  return new TextDecoder().decode((await child.output()).stdout);
}

Deno.test("a buffered log writes soon and at the end of the process", async () => {
  assert.match(await runs(`log.info({ message: "left" });`), /"left"/);
  assert.match(await runs(`log.info({ message: "left" }); Deno.exit(3);`), /"left"/);
  assert.match(await runs(`log.info({ message: "left" }); throw new Error();`), /"left"/);
});

Deno.test("errors name no e-mail address; packages and the recipient of a mail without a server stay", () => {
  const lines: string[] = [];
  const log = makeLineLog((line) => lines.push(line), { level: "info", now: () => 0 });
  const logAndRead = (entry: Record<string, unknown>) => {
    log.error(entry);
    const { time: _, level: __, ...rest } = JSON.parse(lines.at(-1)!);
    return rest;
  };
  const cases: [string, string][] = [
    ["550 <ada.byron+x@mail.example.org>: unknown", "550 <[address]>: unknown"],
    ["to ADA@EXAMPLE.ORG, grace@пример.рф;", "to [address], [address];"],
    [
      "at send (node_modules/.deno/hono@4.13.19/dist/a.js:1:2)",
      "at send (node_modules/.deno/hono@4.13.19/dist/a.js:1:2)",
    ],
    ["npm:/@scope/name@1.0.0-beta.2", "npm:/@scope/name@1.0.0-beta.2"],
    ["connect smtp://me:secret@mail.example.org:25", "connect smtp://me:[redacted]@mail.example.org:25"],
  ];
  for (const [error, expected] of cases) {
    assert.deepEqual(logAndRead({ error }), { error: expected });
    assert.deepEqual(logAndRead({ cause: { stack: error } }), { cause: { stack: expected } });
  }
  assert.deepEqual(logAndRead({ to: "ada@example.org" }), { to: "ada@example.org" });
});
