import assert from "node:assert/strict";
import { isWatch, MemoryWatch, type Thoroughness } from "../../src/entry/give_back.ts";

const mebibyte = 1024 * 1024;

interface Collected {
  readonly how: Thoroughness;
  /** Milliseconds. */
  readonly at: number;
}

/** A process whose collections take 100 ms of processor time. */
class Process {
  now = 0;
  /** Bytes that no collection gives back. */
  used = 100 * mebibyte;
  heap = this.used;
  /** Bytes of the database that threads map. */
  mapped = 0;
  /** Milliseconds that calls wait for a collection. */
  pause = 300;
  /** Whether regular collections give nothing back. */
  isFragmented = false;
  released = 0;
  readonly collected: Collected[] = [];
  readonly watch = new MemoryWatch({
    now: () => this.now,
    readResident: () => this.heap + this.mapped,
    readHeap: () => this.heap,
    collect: (how) => {
      this.collected.push({ how, at: this.now });
      this.now += this.pause;
      if (how === "last-resort" || !this.isFragmented) this.heap = this.used;
      return 100;
    },
    release: () => void this.released++,
  });

  /** Lets seconds pass; in each there are calls that take this many MiB. */
  serve(seconds: number, taken: number): void {
    for (let second = 0; second < seconds; second++) {
      this.now += 1_000;
      this.watch.noteCall();
      this.heap += taken * mebibyte;
      this.watch.check();
    }
  }

  /** Lets seconds without a call pass. */
  wait(seconds: number): void {
    for (let second = 0; second < seconds; second++) {
      this.now += 1_000;
      this.watch.check();
    }
  }

  takeCollected(): Thoroughness[] {
    return this.collected.splice(0).map(({ how }) => how);
  }
}

Deno.test("garbage is collected once after the start, and once in each quiet time after calls", () => {
  const process = new Process();
  process.wait(60);
  assert.deepEqual(process.takeCollected(), ["last-resort"]);
  assert.equal(process.released, 1);
  process.serve(60, 1);
  process.wait(15);
  assert.deepEqual(process.takeCollected(), []);
  process.wait(60);
  assert.deepEqual(process.takeCollected(), ["last-resort"]);
  assert.equal(process.released, 2);
});

Deno.test("only health, readiness and figures for Prometheus are no calls, however others end", () => {
  const watching = ["/health", "/ready", "/metrics", "/metrics?format=text"];
  const others = ["/v1/reports/metrics", "/v1/contacts?search=/health", "/app/leads?search=/ready", "/"];
  const take = (path: string) => isWatch(`http://crm.test:8000${path}`);
  assert.deepEqual(watching.map(take), watching.map(() => true));
  assert.deepEqual(others.map(take), others.map(() => false));
});

Deno.test("garbage is collected when calls have taken much, and later in quiet too", () => {
  const process = new Process();
  process.wait(60);
  process.takeCollected();
  process.serve(5, 21);
  assert.deepEqual(process.takeCollected(), []);
  process.serve(4, 21);
  assert.deepEqual(process.takeCollected(), ["regular"]);
  // The threads of the database go on.
  assert.equal(process.released, 1);
  process.wait(60);
  assert.deepEqual(process.takeCollected(), ["last-resort"]);
});

Deno.test("a collection that gives too little back is followed by a thorough one, with caches and idle threads", () => {
  const process = new Process();
  process.wait(60);
  process.takeCollected();
  process.isFragmented = true;
  process.serve(18, 21);
  assert.deepEqual(process.takeCollected(), ["regular", "last-resort"]);
  assert.equal(process.released, 2);
  process.isFragmented = false;
  process.serve(60, 21);
  assert.deepEqual(new Set(process.takeCollected()), new Set(["regular"]));
});

Deno.test("memory that stays in use is collected twice, and no more", () => {
  const process = new Process();
  process.serve(2, 0);
  process.used = process.heap = 500 * mebibyte;
  process.serve(600, 0);
  assert.deepEqual(process.takeCollected(), ["regular", "last-resort"]);
});

Deno.test("what a collection found in use and is free again is no measure for the next", () => {
  const process = new Process();
  process.serve(2, 0);
  process.used = process.heap = 500 * mebibyte;
  process.serve(60, 0);
  process.takeCollected();
  // V8 has let it go by itself, while the calls go on.
  process.used = process.heap = 100 * mebibyte;
  process.serve(5, 21);
  assert.deepEqual(process.takeCollected(), []);
  process.serve(4, 21);
  assert.deepEqual(process.takeCollected(), ["regular"]);
});

Deno.test("pages of the database that threads map are no reason to collect garbage", () => {
  const process = new Process();
  process.wait(60);
  process.takeCollected();
  process.mapped = 800 * mebibyte;
  process.serve(60, 0);
  assert.deepEqual(process.takeCollected(), []);
  process.serve(4, 21);
  assert.deepEqual(process.takeCollected(), ["regular"]);
});

Deno.test("however much the calls take, collections under load take a hundredth of the processor", () => {
  const process = new Process();
  process.serve(1_000, 200);
  const moments = process.collected.map(({ at }) => at);
  assert.ok(moments.length > 90, `${moments.length} collections`);
  for (const [index, moment] of moments.slice(1).entries()) {
    assert.ok(moment - moments[index]! >= 10_000, `at ${moments[index]} and ${moment}`);
  }
  process.collected.splice(0);
  process.pause = 2_000;
  process.serve(1_000, 200);
  assert.ok(process.collected.length <= 22, `${process.collected.length} collections of two seconds`);
  assert.ok(process.collected.length >= 15, `${process.collected.length} collections of two seconds`);
});
