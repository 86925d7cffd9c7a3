/** Readers of events that ask for the same at the same time. */
import assert from "node:assert/strict";
import { startApp } from "../support/app.ts";

/** Reads that end when the test says so. */
function heldReads() {
  const begun: PromiseWithResolvers<string>[] = [];
  const read = () => {
    const one = Promise.withResolvers<string>();
    begun.push(one);
    return one.promise;
  };
  return { begun, read };
}

/** Lets all begin that waits for nothing but promises that are kept. */
const settle = () => new Promise((resolve) => setTimeout(resolve));

Deno.test("a read is shared by those who asked before it began, and never with one who asks later", async () => {
  await using app = await startApp();
  const { eventReaders } = app.deps;
  const { begun, read } = heldReads();
  const first = eventReaders.share("page", read);
  const [second, third] = [eventReaders.share("page", read), eventReaders.share("page", read)];
  const other = eventReaders.share("other page", read);
  await settle();
  assert.equal(begun.length, 2, "that of the first, and that of the other page");
  begun[0]!.resolve("before the commit");
  await settle();
  assert.equal(begun.length, 3, "one for both that came later");
  const fourth = eventReaders.share("page", read);
  begun[2]!.resolve("after the commit");
  await settle();
  begun[1]!.resolve("other");
  begun[3]!.resolve("after the next");
  assert.deepEqual(await Promise.all([first, second, third, other, fourth]), [
    "before the commit",
    "after the commit",
    "after the commit",
    "other",
    "after the next",
  ]);
});

Deno.test("a read that fails fails for those who share it, and the next one is read anew", async () => {
  await using app = await startApp();
  const { eventReaders } = app.deps;
  const { begun, read } = heldReads();
  const first = assert.rejects(eventReaders.share("page", read), /one/);
  const later = [eventReaders.share("page", read), eventReaders.share("page", read)];
  const refused = later.map((each) => assert.rejects(each, /two/));
  begun[0]!.reject(new Error("one"));
  await settle();
  begun[1]!.reject(new Error("two"));
  await Promise.all([first, ...refused]);
  const again = eventReaders.share("page", read);
  begun[2]!.resolve("fine");
  assert.equal(await again, "fine");
});
