import assert from "node:assert/strict";
import { startTarget } from "./listener.ts";

Deno.test("a target keeps what it received and answers in turn, the last for ever", async () => {
  const target = startTarget({
    answers: [500, { status: 410, headers: { "Retry-After": "7" }, body: "gone" }],
  });
  const first = await fetch(`${target.url}?a=1`, { method: "POST", body: "ä", headers: { "X-One": "1" } });
  const second = await fetch(target.url);
  const third = await fetch(target.url);
  assert.deepEqual([first.status, second.status, third.status], [500, 410, 410]);
  assert.equal(second.headers.get("retry-after"), "7");
  await first.body?.cancel();
  assert.equal(await second.text(), "gone");
  await third.text();

  const [one] = await target.waitForCount(3);
  assert.equal(one?.method, "POST");
  assert.equal(one?.path, "/hook?a=1");
  assert.equal(one?.headers.get("x-one"), "1");
  assert.deepEqual([...(one?.body ?? [])], [0xc3, 0xa4]);

  target.answer((received) => ({ status: 302, headers: { location: `${received.path}/there` } }));
  const moved = await fetch(target.url, { redirect: "manual" });
  assert.equal(moved.headers.get("location"), "/hook/there");
  await moved.body?.cancel();
  await target.close();
});

Deno.test("a target can hang, be late, send without end and break off", async () => {
  const target = startTarget();
  target.answer("hang");
  await assert.rejects(fetch(target.url, { signal: AbortSignal.timeout(50) }), { name: "TimeoutError" });
  target.answer({ delayMs: 60, body: "late" });
  const before = performance.now();
  assert.equal(await (await fetch(target.url)).text(), "late");
  assert.ok(performance.now() - before >= 55);
  target.answer({ bytes: 200_000 });
  assert.equal((await (await fetch(target.url)).arrayBuffer()).byteLength, 200_000);
  target.answer({ breakOff: true });
  await assert.rejects(async () => await (await fetch(target.url)).text());
  await target.close();
});

Deno.test("a wait for a request ends with the request or with an error that shows what came", async () => {
  const target = startTarget();
  const waited = target.waitFor((received) => received.text === "second");
  for (const body of ["first", "second"]) await (await fetch(target.url, { method: "POST", body })).text();
  assert.equal((await waited).text, "second");
  await assert.rejects(
    target.waitFor((received) => received.text === "third", 30),
    /received 2:\nPOST \/hook first/,
  );
  await target.close();
});
