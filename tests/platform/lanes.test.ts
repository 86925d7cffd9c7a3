import assert from "node:assert/strict";
import { QueueFull } from "../../src/platform/fair_queue.ts";
import { Lanes } from "../../src/platform/lanes.ts";

/** Tasks that become slow and end on command, with their results. */
function world() {
  const limits = { atOnce: 2, perOrigin: 1, waiting: 100, waitingPerOrigin: 10 };
  const lanes = new Lanes(limits, limits);
  const running = new Map<string, { becomeSlow(): void; end(): void }>();
  const done: string[] = [];
  let most = 0;
  return {
    done,
    most: () => most,
    running: () => [...running.keys()].sort(),
    /** Asks for a task, whose origin is its first letter. */
    ask(name: string) {
      const asked = lanes.run(name[0]!, () => {
        const [result, slow] = [Promise.withResolvers<void>(), Promise.withResolvers<boolean>()];
        const end = () => {
          running.delete(name);
          slow.resolve(false);
        };
        running.set(name, {
          becomeSlow: () => slow.resolve(true),
          end() {
            end();
            result.resolve();
          },
        });
        most = Math.max(most, running.size);
        return {
          result: result.promise,
          isSlow: slow.promise,
          stop() {
            end();
            result.reject(new Error("stopped"));
          },
        };
      });
      void asked.then(() => done.push(name));
    },
    async becomeSlow(...names: string[]) {
      for (const name of names) running.get(name)!.becomeSlow();
      await settle();
    },
    async end(...names: string[]) {
      for (const name of names) running.get(name)!.end();
      await settle();
    },
  };
}

const settle = () => new Promise((resolve) => setTimeout(resolve));

Deno.test("a quick task waits only for the first tasks of slow origins, however many they are", async () => {
  const { ask, running, becomeSlow, end, done, most } = world();
  for (const name of ["a0", "b0", "c0", "d0", "e0", "a1", "b1", "c1"]) ask(name);
  await settle();
  assert.deepEqual(running(), ["a0", "b0"]);
  await becomeSlow("a0", "b0");
  // They go on in the slow lane, and others have the quick one.
  assert.deepEqual(running(), ["a0", "b0", "c0", "d0"]);
  await becomeSlow("c0", "d0");
  // The slow lane is full, so these two wait for it, as do the further tasks of slow origins.
  assert.deepEqual(running(), ["a0", "b0", "e0"]);
  await becomeSlow("e0");
  assert.deepEqual(running(), ["a0", "b0"]);
  for (const name of ["a2", "c2", "e2"]) ask(name);
  ask("q0");
  await settle();
  assert.deepEqual(running(), ["a0", "b0", "q0"]);
  await end("q0");
  assert.deepEqual(done, ["q0"]);
  while (running().length > 0) await end(...running());
  assert.deepEqual(done.toSorted(), ["a0", "a1", "a2", "b0", "b1", "c0", "c1", "c2", "d0", "e0", "e2", "q0"]);
  assert.equal(most(), 4);
});

Deno.test("an origin whose task is quick again is quick again", async () => {
  const { ask, running, becomeSlow, end } = world();
  for (const name of ["a0", "b0", "c0"]) {
    ask(name);
    await becomeSlow(name);
  }
  ask("c1");
  await settle();
  // c0 began again when it had left the quick lane, and waits.
  assert.deepEqual(running(), ["a0", "b0"]);
  await end("a0");
  assert.deepEqual(running(), ["b0", "c0"]);
  await end("c0");
  assert.deepEqual(running(), ["b0", "c1"]);
  await end("c1");
  for (const name of ["a2", "c2", "d2"]) ask(name);
  await settle();
  // Of a, only slow tasks are known.
  assert.deepEqual(running(), ["a2", "b0", "c2", "d2"]);
  ask("e2");
  ask("a3");
  await settle();
  assert.deepEqual(running(), ["a2", "b0", "c2", "d2"]);
  await end("c2");
  assert.deepEqual(running(), ["a2", "b0", "d2", "e2"]);
  while (running().length > 0) await end(...running());
});

Deno.test("a task that fails gives its place to the next, in either lane", async () => {
  const limits = { atOnce: 1, waiting: 10 };
  const lanes = new Lanes(limits, limits);
  const failing = (isSlow: boolean) => () => {
    const { promise, reject } = Promise.withResolvers<never>();
    setTimeout(() => reject(new Error("broken")), 5);
    return { result: promise, isSlow: Promise.resolve(isSlow), stop() {} };
  };
  const good = () => ({
    result: Promise.resolve("done"),
    isSlow: Promise.resolve(false),
    stop() {},
  });
  await assert.rejects(lanes.run("a", failing(false)), /broken/);
  await assert.rejects(lanes.run("a", failing(true)), /broken/);
  await assert.rejects(lanes.run("a", failing(true)), /broken/);
  assert.equal(await lanes.run("a", good), "done");
  assert.equal(await lanes.run("b", good), "done");
});

Deno.test("a task that waits for too long in both lanes fails, and does not begin", async () => {
  const limits = { atOnce: 1, waiting: 10 };
  const lanes = new Lanes(limits, limits);
  const end = Promise.withResolvers<string>();
  const slow = () => ({ result: end.promise, isSlow: Promise.resolve(true), stop() {} });
  const first = lanes.run("a", slow);
  await settle();
  let begun = false;
  const second = () => {
    begun = true;
    return slow();
  };
  await assert.rejects(lanes.run("a", second, 1), QueueFull);
  end.resolve("done");
  assert.deepEqual([await first, begun], ["done", false]);
});
