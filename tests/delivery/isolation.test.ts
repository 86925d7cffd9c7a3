import assert from "node:assert/strict";
import { deliverDue, startDelivery } from "../../src/delivery/webhooks/deliver.ts";
import { makeNodeFetcher } from "../../src/platform/fetcher_node.ts";
import { Traffic } from "../../src/platform/background.ts";
import { type Answer, type Answers, startTarget, type Target } from "../support/listener.ts";
import type { Company } from "./company.ts";
import { withTarget } from "./target.ts";

class Busy extends Traffic {
  override isBusy(): boolean {
    return true;
  }
}

function many(count: number) {
  return Array.from({ length: count }, () => ({}));
}

/** Subscribes this many hosts that never answer. All of their names lead to one listener. */
async function hanging(company: Company, count: number): Promise<Target> {
  const target = startTarget({ answers: ["hang"] });
  for (let n = 0; n < count; n++) {
    await company.subscribe(target.url.replace("127.0.0.1", `${n}.example.org`));
  }
  return target;
}

/** Returns a fetcher that resolves every name to this machine. */
function fetcherHere() {
  return makeNodeFetcher({ allowPrivate: true, resolve: () => Promise.resolve(["127.0.0.1"]) });
}

withTarget(
  "sixty hanging targets with ten requests each delay no other",
  async (company, target) => {
    const dead = await hanging(company, 60);
    const fetcher = fetcherHere();
    const delivery = startDelivery({ ...company.deps, fetcher });
    company.wakes(delivery);
    try {
      await company.subscribe(target.url);
      await company.happens(...many(12));
      await dead.waitForCount(600, 5_000);
      await company.happens(...many(8));
      await target.waitForCount(20, 2_000);
      assert.deepEqual([dead.received.length, dead.mostAtOnce()], [600, 600]);
    } finally {
      await dead.close();
      await delivery.stop();
      fetcher.close();
    }
  },
);

withTarget("during a busy API a hanging target delays no other", async (company, target) => {
  const dead = await hanging(company, 3);
  const fetcher = fetcherHere();
  let run: Promise<number> | null = null;
  try {
    await company.subscribe(target.url);
    await company.happens(...many(40));
    run = deliverDue({ ...company.deps, fetcher, traffic: new Busy() });
    await target.waitForCount(40, 3_000);
  } finally {
    await dead.close();
    await run;
    fetcher.close();
  }
});

withTarget("a hanging path delays no other of the same host", async (company, target) => {
  const answers: Answers = ({ path }) => path.startsWith("/dead/") ? "hang" : 200;
  target.answer(answers);
  for (let n = 0; n < 5; n++) await company.subscribe(target.url.replace("/hook", `/dead/${n}`));
  await company.subscribe(target.url);
  await company.happens(...many(40));
  const run = deliverDue(company.deps);
  const well = () => target.received.filter(({ path }) => path === "/hook").length;
  try {
    await target.waitFor(() => well() === 40, 2_000);
  } finally {
    await target.close();
    await run;
  }
});

withTarget(
  "slow, missing, endless, broken and refusing targets do not delay another",
  async (company, target) => {
    const bad: Readonly<Record<string, Answer>> = {
      "/slow": { delayMs: 4_000 },
      "/huge": { bytes: 2 ** 40 },
      "/broken": { breakOff: true },
      "/refusing": 500,
      "/redirecting": { status: 302, headers: { location: "/hook" } },
    };
    target.answer(({ path }) => bad[path] ?? 200);
    const gone = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    gone.close();
    await company.subscribe(`http://127.0.0.1:${gone.addr.port}/`);
    for (const path of Object.keys(bad)) await company.subscribe(target.url.replace("/hook", path));
    await company.subscribe(target.url);
    await company.happens(...many(60));
    const run = deliverDue(company.deps);
    const came = (path: string) => target.received.filter((one) => one.path === path).length;
    try {
      await target.waitFor(() => came("/hook") === 60, 3_000);
      // None of them has been answered yet.
      assert.equal(came("/slow"), 10);
    } finally {
      await target.close();
      await run;
    }
  },
);

withTarget("during a busy API targets take turns", async (company, target) => {
  for (const path of ["/one", "/two", "/three"]) await company.subscribe(target.url.replace("/hook", path));
  await company.happens(...many(40));
  target.answer({ delayMs: 5 });
  await deliverDue({ ...company.deps, traffic: new Busy() });
  const first = Map.groupBy(target.received.slice(0, 30), ({ path }) => path);
  assert.deepEqual([...first.keys()].sort(), ["/one", "/three", "/two"]);
  for (const [path, { length }] of first) assert.ok(length >= 7, `${length} of the first thirty to ${path}`);
});
