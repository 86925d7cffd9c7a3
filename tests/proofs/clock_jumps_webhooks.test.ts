/** The clock jumps forwards and back while webhooks are retried: each delivery arrives, once, and none storms. */
import assert from "node:assert/strict";
import { deliverDue } from "../../src/delivery/webhooks/deliver.ts";
import { runJobs } from "../../src/jobs.ts";
import {
  day,
  type Hooks,
  hour,
  ladder,
  minute,
  readDeliveryId,
  withHooks,
} from "../delivery/webhook_world.ts";
import { nameFields } from "../sales/leads_world.ts";

const jumps = [[hour + minute, "an hour"], [2 * day, "two days"]] as const;

async function jobs({ app }: Hooks): Promise<void> {
  assert.deepEqual(await runJobs(app.deps, app.clock.now()), []);
  await app.idle();
}

/** The number of requests by delivery. */
function attempts({ target }: Hooks): Map<string, number> {
  const counts = new Map<string, number>();
  for (const one of target.received) {
    counts.set(readDeliveryId(one), (counts.get(readDeliveryId(one)) ?? 0) + 1);
  }
  return counts;
}

withHooks("a clock that swings by two days uses up no attempts", async (hooks) => {
  const { app, target, subscribe, happens, log } = hooks;
  const { id } = await subscribe();
  target.answer(500);
  await happens("Team");
  for (let swing = 0; swing < 10; swing++) {
    for (const by of [2 * day, -2 * day]) {
      app.clock.swing(by);
      await jobs(hooks);
    }
  }
  // Its waits are those after the first attempt again.
  assert.equal((await log(id))[0].status, "pending");
  target.answer(500, 500, 200);
  for (const wait of [minute, 2 * minute, 4 * minute]) {
    app.clock.move(wait);
    await jobs(hooks);
  }
  assert.equal((await log(id))[0].status, "delivered");
});

for (const [jump, name] of jumps) {
  withHooks(
    `retries go on after a clock that jumped by ${name}, forwards and back, one at a time`,
    async (hooks) => {
      const { app, target, subscribe, happens, log } = hooks;
      const { id } = await subscribe();
      target.answer(500);
      for (let n = 0; n < 5; n++) await happens(`Team ${n}`);
      const most = () => Math.max(...attempts(hooks).values());
      const now = (n: number) => {
        assert.equal(attempts(hooks).size, 5);
        assert.equal(most(), n);
      };
      now(1);
      app.clock.move(jump);
      for (let again = 0; again < 3; again++) await jobs(hooks);
      now(2);
      await happens("Meanwhile");
      app.clock.move(-jump);
      for (let again = 0; again < 3; again++) await jobs(hooks);
      assert.ok(most() <= 3, String(most()));
      const before = most();
      // Back as well: an hour or two days before the first attempt.
      app.clock.move(-jump);
      for (let again = 0; again < 3; again++) await jobs(hooks);
      assert.ok(most() <= before + 1, String(most()));
      app.clock.move(jump);
      target.answer(200);
      app.clock.move(Math.max(hour, ladder[4]!) + jump);
      for (let again = 0; again < 3; again++) await jobs(hooks);
      assert.deepEqual((await log(id)).map(({ status }) => status), Array(6).fill("delivered"));
      const answered = target.received.length;
      for (let again = 0; again < 3; again++) {
        app.clock.move(day);
        await jobs(hooks);
      }
      assert.equal(target.received.length, answered, "what has arrived is not sent again");
    },
  );

  for (const [way, by] of [["forwards", jump], ["back", -jump]] as const) {
    withHooks(`a clock that jumps ${way} by ${name} sends nothing twice that is under way`, async (hooks) => {
      const { app, target, subscribe, call, log } = hooks;
      const { id } = await subscribe();
      const { promise: held, resolve: release } = Promise.withResolvers<void>();
      target.answer(async () => {
        await held;
        return 200;
      });
      for (let n = 0; n < 4; n++) await call(201, "POST", "/v1/teams", { name: `Team ${n}` });
      await target.waitForCount(4);
      const holder = async () =>
        (await app.sql("select holder from leases where name = ?", `webhook:${id}`))[0]!.holder;
      const first = await holder();
      app.clock.move(by);
      // The job of the next minute runs beside what the calls have begun, and takes the target over or finds nothing due.
      let isOver = false;
      const job = deliverDue(app.deps).finally(() => isOver = true);
      while (!isOver && await holder() === first) await new Promise((resolve) => setTimeout(resolve, 5));
      release();
      await job;
      await app.idle();
      assert.deepEqual([...attempts(hooks).values()], [1, 1, 1, 1]);
      assert.deepEqual((await log(id)).map(({ status }) => status), Array(4).fill("delivered"));
    });
  }

  withHooks(`a clock that jumps by ${name} keeps the order of a record's events`, async (hooks) => {
    const { app, target, subscribe, call } = hooks;
    await subscribe({ webhook_event: "*", ordered: true });
    target.answer(500);
    const account = await call(201, "POST", "/v1/accounts", {
      fixed_fields: nameFields({ name: "Ada Ltd" }),
    });
    await app.idle();
    const change = async (n: number) => {
      await call(200, "PUT", `/v1/accounts/${account.id}`, { external_id: `x ${n}` });
      await app.idle();
    };
    app.clock.move(jump);
    await change(2);
    await change(3);
    await jobs(hooks);
    app.clock.move(-jump);
    await change(4);
    await jobs(hooks);
    target.clear();
    target.answer(200);
    for (const wait of [0, jump + 8 * minute, minute]) {
      app.clock.move(wait);
      await jobs(hooks);
    }
    assert.deepEqual(target.received.map(({ headers }) => headers.get("x-service-sequence")), [
      "1",
      "2",
      "3",
      "4",
    ]);
  });
}
