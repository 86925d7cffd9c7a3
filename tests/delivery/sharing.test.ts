import assert from "node:assert/strict";
import { claimStatements } from "../../src/delivery/webhooks/claim.ts";
import { deliverDue, startDelivery } from "../../src/delivery/webhooks/deliver.ts";
import { startTarget } from "../support/listener.ts";
import { type Company, minute, monday } from "./company.ts";
import { withTarget } from "./target.ts";

function many(count: number) {
  return Array.from({ length: count }, () => ({}));
}

function perDelivery(received: readonly { headers: Headers }[]): number[] {
  const counts = new Map<string, number>();
  for (const { headers } of received) {
    const id = headers.get("x-service-delivery")!;
    counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return [...counts.values()];
}

async function count(company: Company, status: string): Promise<number> {
  const [row] = await company.rows("select count(*) as n from deliveries where status = ?", status);
  return Number(row!.n);
}

withTarget("a target gets at most ten requests at once, and ten when many wait", async (company, target) => {
  await company.subscribe(target.url);
  await company.happens(...many(60));
  target.answer({ delayMs: 30 });
  assert.equal(await deliverDue(company.deps), 60);
  assert.equal(target.mostAtOnce(), 10);
});

withTarget(
  "two senders on one file send each delivery once, and ten at once between them",
  async (company, target) => {
    await company.subscribe(target.url);
    await company.happens(...many(200));
    target.answer({ delayMs: 2 });
    const there = company.elsewhere();
    const sent = await Promise.all([deliverDue(company.deps), deliverDue(there), deliverDue(there)]);
    assert.equal(sent.reduce((sum, one) => sum + one), 200);
    assert.deepEqual(perDelivery(target.received), Array(200).fill(1));
    assert.ok(target.mostAtOnce() <= 10);
    assert.equal(await count(company, "delivered"), 200);
    assert.equal((await company.rows("select * from leases")).length, 0);
  },
);

withTarget(
  "a job of a process that stops begins no more deliveries, and gives its target back",
  async (company, target) => {
    await company.subscribe(target.url);
    await company.happens(...many(200));
    const stopping = new AbortController();
    target.answer((_received, index) => {
      if (index === 0) stopping.abort();
      return { delayMs: 30 };
    });
    const attempts = await deliverDue({ ...company.deps, stopping: stopping.signal });
    assert.ok(attempts <= 10, `${attempts} attempts`);
    assert.equal(await count(company, "delivered"), attempts);
    assert.equal((await company.rows("select * from leases")).length, 0);
  },
);

withTarget("two senders share a failed attempt's retry too", async (company, target) => {
  await company.subscribe(target.url);
  await company.happens(...many(9));
  target.answer(500);
  const there = company.elsewhere();
  await Promise.all([deliverDue(company.deps), deliverDue(there)]);
  company.clock.move(minute);
  await Promise.all([deliverDue(company.deps), deliverDue(there)]);
  assert.deepEqual(perDelivery(target.received), Array(9).fill(2));
  const [{ n } = {}] = await company.rows("select count(*) as n from delivery_attempts");
  assert.equal(n, 18);
});

withTarget("a dead sender is taken over when its lease ends", async (company, target) => {
  const id = await company.subscribe(target.url);
  await company.happens({});
  // The first step of a sender, which then dies.
  const claim = { groups: [], turns: [id], held: [], taken: [] };
  const dead = claimStatements({ holder: "dead", now: monday, ...claim });
  const [, taken] = await company.deps.db.write(dead);
  assert.equal(taken!.rows.length, 1);
  company.clock.move(9_000);
  const run = deliverDue(company.deps);
  await new Promise((resolve) => setTimeout(resolve, 600));
  assert.equal(target.received.length, 0);
  company.clock.move(1_000);
  assert.equal(await run, 1);
  assert.equal(target.received.length, 1);
});

withTarget(
  "the lease of a target counts from its claim, however old the time of the job is",
  async (company, target) => {
    await company.subscribe(target.url);
    await company.happens({});
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    target.answer(async () => {
      await answered;
      return 200;
    });
    const asked = company.clock.now();
    company.clock.move(9_000);
    const first = deliverDue(company.deps, asked);
    await target.waitForCount(1);
    company.clock.move(2_000);
    const second = deliverDue(company.elsewhere());
    await new Promise((resolve) => setTimeout(resolve, 600));
    answer();
    await Promise.all([first, second]);
    assert.equal(target.received.length, 1);
  },
);

withTarget("the late answer of a replaced sender counts once", async (company, target) => {
  await company.subscribe(target.url);
  await company.happens({});
  const { promise: both, resolve: arrived } = Promise.withResolvers<void>();
  target.answer(async (_, index) => {
    if (index === 1) arrived();
    await both;
    return 500;
  });
  const first = deliverDue(company.deps);
  await target.waitForCount(1);
  company.clock.move(11_000);
  await Promise.all([first, deliverDue(company.elsewhere())]);
  assert.equal(target.received.length, 2);
  assert.deepEqual(await company.rows("select status, attempts from deliveries"), [{
    status: "pending",
    attempts: 1,
  }]);
  assert.equal((await company.rows("select * from delivery_attempts")).length, 1);
});

withTarget("hanging targets delay no other", async (company, target) => {
  const hanging = Array.from({ length: 5 }, () => startTarget({ answers: ["hang"] }));
  try {
    for (const { url } of hanging) await company.subscribe(url);
    await company.subscribe(target.url);
    await company.happens(...many(30));
    const run = deliverDue(company.deps);
    await target.waitForCount(30, 20_000);
    assert.ok(hanging.every((one) => one.received.length === 10 && one.mostAtOnce() === 10));
    for (const one of hanging) one.answer(500);
    for (const one of hanging) await one.close();
    await run;
  } finally {
    for (const one of hanging) await one.close();
  }
});

withTarget(
  "a failing target is tried slowly, and at full speed once it answers",
  async (company, target) => {
    await company.subscribe(target.url);
    await company.happens(...many(300));
    target.answer((_, index) => (index < 15 ? 500 : 200));
    const started = performance.now();
    await deliverDue(company.deps);
    assert.ok(performance.now() - started < 3_000);
    assert.equal(await count(company, "delivered"), 285);
  },
);

withTarget("a commit starts the delivery, and commits meanwhile join it", async (company, target) => {
  await company.subscribe(target.url);
  const delivery = startDelivery(company.deps);
  company.wakes(delivery);
  await company.happens({});
  await target.waitForCount(1, 20_000);
  await Promise.all(many(50).map(() => company.happens({})));
  await target.waitForCount(51, 20_000);
  await delivery.idle();
  await company.deps.background.idle();
  assert.equal(await count(company, "delivered"), 51);
  assert.ok(target.mostAtOnce() <= 10);
});

withTarget("an event during the end of a sender is sent without another commit", async (company, target) => {
  await company.subscribe(target.url);
  const delivery = startDelivery(company.deps);
  company.wakes(delivery);
  for (let n = 1; n <= 100; n++) {
    await company.happens({});
    // Waits 0 to 11 turns, so that commits come at every point of the sender's last rounds.
    for (let turn = 0; turn < n % 12; turn++) await new Promise((resolve) => setTimeout(resolve, 0));
  }
  await target.waitForCount(100, 20_000);
  await delivery.idle();
  assert.deepEqual(perDelivery(target.received), Array(100).fill(1));
});

withTarget(
  "a subscription deleted with many waiting deliveries receives nothing more",
  async (company, target) => {
    const id = await company.subscribe(target.url);
    const delivery = startDelivery(company.deps);
    company.wakes(delivery);
    target.answer({ delayMs: 5 });
    await company.happens(...many(500));
    await target.waitForCount(30);
    await company.change("update webhooks set deleted_at = '2026-03-02 09:00:00' where id = ?", id);
    delivery.wake([company.id]);
    await delivery.idle();
    const sent = target.received.length;
    assert.ok(sent < 150, `${sent} were sent`);
    await company.happens({});
    await delivery.idle();
    assert.equal(target.received.length, sent);
  },
);

withTarget(
  "a stop waits for running requests, records them and releases the leases",
  async (company, target) => {
    await company.subscribe(target.url);
    const delivery = startDelivery(company.deps);
    company.wakes(delivery);
    target.answer({ delayMs: 100 });
    await company.happens(...many(40));
    await target.waitForCount(10);
    await delivery.stop();
    assert.equal(target.received.length, 10);
    assert.equal(await count(company, "delivered"), 10);
    assert.equal((await company.rows("select * from leases")).length, 0);
    await company.happens({});
    assert.equal(await deliverDue(company.elsewhere()), 31);
  },
);
