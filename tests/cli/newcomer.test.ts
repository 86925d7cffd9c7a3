import assert from "node:assert/strict";
import { copyProject } from "../support/clone.ts";
import { inFolderOnDisk } from "../support/engines.ts";
import { type Child, projectRoot, runCommand, startChild, startProcess } from "../support/process.ts";

async function startDev(folder: string): Promise<{ child: Child; curl: string; url: string }> {
  const child = startChild(["task", "dev"], { PORT: "0" }, { cwd: folder });
  try {
    const curl = await child.line((line) => line.startsWith("curl ") ? line : null, 120_000);
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(curl)![0];
    return { child, curl, url };
  } catch (error) {
    await end(child);
    throw error;
  }
}

/** Like Ctrl-C, which also ends the watcher. */
async function end(child: Child): Promise<void> {
  await child.kill("SIGINT");
}

async function bash(script: string, folder: string) {
  const finished = await runCommand(["-c", script], {}, { command: "bash", cwd: folder, timeoutMs: 60_000 });
  assert.equal(finished.code, 0, finished.stderr);
  return finished.stdout;
}

/** The blocks of the README below a mark, which a reader pastes. */
async function readBlocks(folder: string, mark: string): Promise<string[]> {
  const text = await Deno.readTextFile(`${folder}/README.md`);
  const blocks = [...text.matchAll(new RegExp(`<!-- ${mark} -->\\s+\`\`\`bash\\n([^]*?)\`\`\``, "g"))];
  return blocks.map(([, block]) => block!);
}

Deno.test("in an empty clone the service starts, and the printed and written commands work", () =>
  inFolderOnDisk(async (temporary) => {
    const folder = `${temporary}/clone`;
    await copyProject(projectRoot.slice(0, -1), folder);
    await using stack = new AsyncDisposableStack();
    const received: string[] = [];
    const escalated: string[] = [];
    const closed = Promise.withResolvers<void>();
    const created = Promise.withResolvers<void>();
    const listener = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, async (request) => {
      const event = request.headers.get("x-service-event") ?? "";
      const body = await request.text();
      received.push(event);
      if (event === "lead_escalated") escalated.push(body);
      if (event === "team_created") created.resolve();
      if (event === "case_updated" && body.includes('"status":"closed"')) closed.resolve();
      return new Response();
    });
    stack.defer(() => listener.shutdown());

    const first = await startDev(folder);
    const ended = { done: false };
    stack.defer(async () => {
      if (!ended.done) await end(first.child);
    });
    const printed = first.child.output().split("\n");
    const named = printed.findIndex((line) => line.startsWith("Wayline CRM with a demo company"));
    const before = printed.slice(0, named).filter((line) => line !== "" && !line.startsWith("Task dev "));
    assert.deepEqual(before, ["Fetching packages; this happens once …"]);
    const me = JSON.parse(await bash(first.curl, folder));
    assert.equal(me.email, "admin@demo.example");
    assert.equal((await Deno.stat(`${folder}/data/demo.json`)).mode! & 0o777, 0o600);

    const shown = first.curl.replace("/v1/me", "/v1/filemanager?belongs_to=company");
    const { data: { folders } } = JSON.parse(await bash(shown, folder));
    assert.deepEqual(folders.map(({ name }: { name: string }) => name), ["Brochures"]);

    const pasteBlocks = (blocks: readonly string[]) =>
      bash(
        blocks.join("\n")
          .replace("http://127.0.0.1:8000", first.url)
          .replace("http://127.0.0.1:9000", `http://127.0.0.1:${listener.addr.port}`),
        folder,
      );
    const calls = await readBlocks(folder, "first calls");
    assert.ok(calls.length >= 4);
    const output = await pasteBlocks(calls);
    const said = () => `${output}\n\n${first.child.output()}`;
    assert.equal(output.trim().split("\n").at(-1), "closed", said());
    await closed.promise;
    for (
      const event of ["lead_created", "lead_accepted", "account_created", "contact_created", "case_created"]
    ) {
      assert.ok(received.includes(event), `${event} in ${received}`);
    }

    const type = calls.join("\n").split("\n").filter((line) => line.startsWith("type="));
    const ahead = await pasteBlocks([calls[0]!, ...type, ...await readBlocks(folder, "look ahead")]);
    assert.match(
      ahead,
      /As if it were 2030-01-01 00:00:00 UTC, in file:\.\/data\/crm\.db: [1-9]\d* leads? to /,
    );
    assert.ok(received.includes("lead_escalated"), `the listener received it, among ${received}`);
    assert.ok(
      escalated.some((body) => body.includes("Babbage Ltd")),
      `also the one just created: ${ahead}`,
    );
    const team = `curl -s $crm/v1/teams -H "Authorization: Bearer $token" -d '{"name":"New"}' ` +
      "-H 'Content-Type: application/json'";
    const waits = performance.now();
    await pasteBlocks([calls[0]!, team]);
    await created.promise;
    assert.ok(
      performance.now() - waits < 10_000,
      "the event is sent immediately, not by a job a minute later",
    );

    await end(first.child);
    ended.done = true;
    await assert.rejects(fetch(`${first.url}/health`), "the service has stopped");

    const second = await startDev(folder);
    const secrets = (line: string) => line.replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, "");
    try {
      assert.equal(secrets(second.curl), secrets(first.curl), "a second start prints the same secrets");
      assert.equal(JSON.parse(await bash(second.curl, folder)).email, "admin@demo.example");
    } finally {
      await end(second.child);
    }

    // The same folder as an operator serves it, with few permissions.
    const server = await startProcess(["task", "start"], { PORT: "0" }, { cwd: folder, timeoutMs: 60_000 });
    try {
      for (const path of ["/ready", "/docs", "/openapi.json"]) {
        const answer = await fetch(server.url + path);
        await answer.body?.cancel();
        assert.equal(answer.status, 200, path);
      }
      const again = first.curl.replaceAll(first.url, server.url);
      assert.equal(JSON.parse(await bash(again, folder)).email, "admin@demo.example");
    } finally {
      const status = await server.kill("SIGTERM");
      assert.equal(status.code, 0, server.output());
    }
  }));
