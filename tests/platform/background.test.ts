import assert from "node:assert/strict";
import { awaitAtMost, background } from "../../src/platform/background.ts";
import { makeClockAhead, makeFixedClock, systemClock } from "../../src/platform/clock.ts";
import { memoryLog, movableClock } from "../support/ports.ts";

Deno.test("idle waits for all tasks, including those that tasks start", async () => {
  const log = memoryLog();
  const work = background(log);
  const done: string[] = [];
  const gate = Promise.withResolvers<void>();
  work.run(async () => {
    await gate.promise;
    work.run(async () => {
      await Promise.resolve();
      done.push("second");
    });
    done.push("first");
  });
  work.run(Promise.resolve());
  let idle = false;
  const waiting = work.idle().then(() => idle = true);
  await new Promise((resolve) => setTimeout(resolve, 0));
  assert.equal(idle, false);
  gate.resolve();
  await waiting;
  assert.deepEqual(done, ["first", "second"]);
  await work.idle();
});

Deno.test("what takes longer than its time goes on in the background", async () => {
  const log = memoryLog();
  const work = background(log);
  const { promise, reject } = Promise.withResolvers<void>();
  await awaitAtMost(work, 1, promise);
  await awaitAtMost(work, 60_000, Promise.resolve());
  await assert.rejects(awaitAtMost(work, 60_000, Promise.reject(new Error("at once"))), /at once/);
  reject(new Error("late"));
  await work.idle();
  assert.deepEqual(log.entries.map(({ event, error }) => [event, error]), [[
    "background_failed",
    "Error: late",
  ]]);
});

Deno.test("a failure is logged and stops nothing", async () => {
  const log = memoryLog();
  const work = background(log);
  work.run(() => {
    throw new Error("at once");
  });
  work.run(Promise.reject(new Error("later")));
  let ran = false;
  work.run(() => Promise.resolve(ran = true));
  await work.idle();
  assert.equal(ran, true);
  assert.deepEqual(log.entries.map((entry) => entry.error), ["Error: at once", "Error: later"]);
});

Deno.test("the runtime receives each task, never a failed one", async () => {
  const reported: Promise<unknown>[] = [];
  const work = background(memoryLog(), (task) => reported.push(task));
  work.run(() => Promise.reject(new Error("x")));
  work.run(() => Promise.resolve());
  assert.equal((await Promise.allSettled(reported)).filter(({ status }) => status === "fulfilled").length, 2);
});

Deno.test("clocks show the system's time, a fixed time, a moved time, or one ahead", () => {
  const before = Date.now();
  assert.ok(systemClock.now() >= before && systemClock.now() <= Date.now());
  assert.equal(makeFixedClock(5).now(), 5);
  const clock = movableClock(1000);
  clock.move(500);
  assert.equal(clock.now(), 1500);
  clock.move(-1000);
  assert.equal(clock.now(), 500);
  clock.set(7);
  assert.equal(clock.now(), 7);
  const [ahead, late] = [makeClockAhead(10, clock), makeClockAhead(5, clock)];
  clock.move(1);
  assert.deepEqual([ahead.now(), late.now()], [11, 8]);
});
