import assert from "node:assert/strict";
import { FairQueue, QueueFull } from "../../src/platform/fair_queue.ts";

/** Tasks that end on command, with their results. */
function world(limits: { atOnce: number; perOrigin?: number; waiting: number }) {
  const queue = new FairQueue(limits);
  const begun: string[] = [];
  const refused: string[] = [];
  const ends: (() => void)[] = [];
  let most = 0;
  let running = 0;
  return {
    begun,
    refused,
    most: () => most,
    ask(name: string) {
      const task = () => {
        begun.push(name);
        most = Math.max(most, ++running);
        return new Promise<void>((resolve) =>
          ends.push(() => {
            running--;
            resolve();
          })
        );
      };
      queue.run(name[0]!, task).catch((error) => {
        assert.ok(error instanceof QueueFull);
        refused.push(name);
      });
    },
    async settle() {
      for (let n = 0; n < 10; n++) await Promise.resolve();
    },
    async end() {
      ends.shift()!();
      await this.settle();
    },
    async endAll() {
      await this.settle();
      while (ends.length > 0) await this.end();
    },
  };
}

Deno.test("a limited number of tasks run simultaneously, and each waiting one gets its turn", async () => {
  const queue = world({ atOnce: 2, waiting: 10 });
  for (let n = 0; n < 12; n++) queue.ask(`a${n}`);
  await queue.settle();
  assert.deepEqual(queue.begun, ["a0", "a1"]);
  await queue.endAll();
  assert.deepEqual(queue.begun, Array.from({ length: 12 }, (_, n) => `a${n}`));
  assert.equal(queue.most(), 2);
  assert.deepEqual(queue.refused, []);
});

Deno.test("origins take turns, independent of their number of tasks", async () => {
  const queue = world({ atOnce: 1, waiting: 10 });
  for (const name of ["a0", "a1", "a2", "a3", "b1", "b2", "c1"]) queue.ask(name);
  await queue.endAll();
  assert.deepEqual(queue.begun, ["a0", "a1", "b1", "c1", "a2", "b2", "a3"]);
});

Deno.test("when the queue is full, the origin with the most tasks loses its newest", async () => {
  const queue = world({ atOnce: 1, waiting: 4 });
  for (let n = 0; n < 20; n++) queue.ask(`a${n}`);
  await queue.settle();
  assert.deepEqual(queue.refused, Array.from({ length: 15 }, (_, n) => `a${n + 5}`));
  queue.refused.length = 0;
  for (const name of ["b1", "b2", "b3", "c1", "d1"]) queue.ask(name);
  await queue.settle();
  assert.deepEqual(queue.refused.toSorted(), ["a2", "a3", "a4", "b2", "b3"]);
  await queue.endAll();
  assert.deepEqual(queue.begun, ["a0", "a1", "b1", "c1", "d1"]);
});

Deno.test("a task that fails gives its place to the next", async () => {
  const queue = new FairQueue({ atOnce: 1, waiting: 2 });
  const failed = queue.run("a", () => Promise.reject(new Error("broken")));
  const next = queue.run("a", () => Promise.resolve("done"));
  await assert.rejects(failed, /broken/);
  assert.equal(await next, "done");
  assert.equal(await queue.run("b", () => Promise.resolve("free again")), "free again");
});

Deno.test("an origin with its share of running tasks leaves the other places to others", async () => {
  const queue = world({ atOnce: 2, perOrigin: 1, waiting: 10 });
  for (const name of ["a0", "a1", "a2"]) queue.ask(name);
  await queue.settle();
  assert.deepEqual(queue.begun, ["a0"]);
  for (const name of ["b0", "b1", "c0"]) queue.ask(name);
  await queue.settle();
  assert.deepEqual(queue.begun, ["a0", "b0"]);
  await queue.end();
  assert.deepEqual(queue.begun, ["a0", "b0", "a1"]);
  await queue.endAll();
  assert.deepEqual(queue.begun, ["a0", "b0", "a1", "b1", "c0", "a2"]);
  assert.equal(queue.most(), 2);
});

Deno.test("a task that waits for too long fails, and those behind it keep their turns", async () => {
  const queue = new FairQueue({ atOnce: 1, waiting: 3 });
  const end = Promise.withResolvers<void>();
  const first = queue.run("a", () => end.promise, 1);
  const patient = queue.run("a", () => Promise.resolve("its turn"));
  const other = queue.run("b", () => Promise.resolve("its turn"));
  let begun = false;
  await assert.rejects(queue.run("a", () => Promise.resolve(begun = true), 1), QueueFull);
  // Its place is free again.
  const next = queue.run("b", () => Promise.resolve("its turn"));
  end.resolve();
  assert.deepEqual(await Promise.all([first, patient, other, next]), [
    undefined,
    ...Array(3).fill("its turn"),
  ]);
  assert.equal(begun, false);
});
