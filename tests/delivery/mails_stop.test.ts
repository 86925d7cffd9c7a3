/** A process that ends while the mail server is silent. */
import assert from "node:assert/strict";
import { sendDueMails } from "../../src/delivery/mails/send.ts";
import { day, minute, withMail } from "./mail_world.ts";

withMail("an ending process waits three seconds for the mail server and loses nothing", async (world) => {
  const { smtp, write, box, clock, elsewhere } = world;
  const { promise: later, resolve: goOn } = Promise.withResolvers<void>();
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  smtp.onRecipient = async () => {
    begin();
    await later;
  };
  await write("ann@example.com");
  await begun;
  const started = performance.now();
  await box.close();
  const took = performance.now() - started;
  // The mail server never answers. A busy machine may notice the three seconds late.
  assert.ok(took > 2_500 && took < 30_000, `${took} ms`);
  goOn();
  const next = await elsewhere();
  assert.equal(await sendDueMails(next.deps, clock.now() + minute), 1);
  assert.equal(smtp.mails.length, 1);
});

withMail(
  "an ending process waits for the answer to a mail that the server has, and sends it once",
  async (world) => {
    const { smtp, write, box, clock, elsewhere } = world;
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    const { promise: had, resolve: have } = Promise.withResolvers<void>();
    smtp.onMail = () => {
      have();
      return answered;
    };
    await write("ann@example.com");
    await had;
    const late = setTimeout(answer, 4_000);
    await box.close();
    clearTimeout(late);
    answer();
    const next = await elsewhere();
    assert.equal(await sendDueMails(next.deps, clock.now() + day), 0);
    assert.equal(smtp.mails.length, 1);
  },
);
