import assert from "node:assert/strict";
import { runCommand, startProcess } from "./process.ts";

const server = `
  Deno.serve({
    hostname: "127.0.0.1",
    port: 0,
    onListen: ({ port }) => {
      console.log("starting");
      console.log(JSON.stringify({ event: "listening", url: "http://127.0.0.1:" + port + "/" }));
    },
  }, () => new Response(Deno.env.get("WORD") + Deno.env.get("USER")));
`;

Deno.test("a server is ready when it announces its address, and ends by signal", async () => {
  const child = await startProcess(["eval", server], { WORD: "yes" });
  assert.equal(await (await fetch(child.url)).text(), "yesundefined");
  assert.equal(child.stdout()[0], "starting");
  const status = await child.kill("SIGKILL");
  assert.equal(status.signal, "SIGKILL");
  assert.deepEqual(await child.kill(), status);
});

Deno.test("a server that ends or says nothing is an error with its output", async () => {
  await assert.rejects(
    startProcess(["eval", `console.error("no port"); Deno.exit(3)`], {}),
    /ended with code 3 before it was ready; it printed:\nno port/,
  );
  await assert.rejects(
    startProcess(["eval", `console.log("waiting"); setInterval(() => {}, 1000)`], {}, { timeoutMs: 700 }),
    /did not get ready within 700 ms; it printed:\nwaiting/,
  );
});

Deno.test("a command answers its code and outputs, and may not run too long", async () => {
  const finished = await runCommand(["eval", `console.log("out"); console.error("err"); Deno.exit(2)`], {});
  assert.deepEqual(finished, { code: 2, stdout: "out\n", stderr: "err\n" });
  await assert.rejects(
    runCommand(["eval", `console.log("on"); setInterval(() => {}, 1000)`], {}, { timeoutMs: 700 }),
    /did not end within 700 ms; it printed:\non/,
  );
});
