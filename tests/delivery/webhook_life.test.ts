/** After any history of a subscription no event is lost, wrongly sent or changed. */
import assert from "node:assert/strict";
import { deliverDue } from "../../src/delivery/webhooks/deliver.ts";
import { runJobs } from "../../src/jobs.ts";
import { type Actor, type Body, startApp, type TestApp } from "../support/app.ts";
import { startTarget, type Target } from "../support/listener.ts";
import fc from "../support/properties.ts";
import { day, minute, readDeliveryId } from "./webhook_world.ts";

const happening = fc.oneof(
  { weight: 5, arbitrary: fc.record({ what: fc.constant("event" as const) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      what: fc.constant("answer" as const),
      status: fc.constantFrom(200, 200, 500, 503, 302, 410, 410),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ what: fc.constant("later" as const), minutes: fc.constantFrom(1, 5, 60, 600) }),
  },
  { weight: 1, arbitrary: fc.record({ what: fc.constant("days" as const) }) },
  {
    weight: 5,
    arbitrary: fc.record({
      what: fc.constantFrom(
        "pause",
        "pause",
        "resume",
        "rotate",
        "recover",
        "restore",
        "test",
        "jobs" as const,
      ),
    }),
  },
  { weight: 2, arbitrary: fc.record({ what: fc.constant("redeliver" as const), which: fc.nat(30) }) },
);
type Happening = typeof happening extends fc.Arbitrary<infer T> ? T : never;

type State = "live" | "paused" | "gone";

/** One subscription, and everything that was observed of it from outside. */
class Life {
  status = 200;
  rotations = 0;
  left = 20 * day;
  readonly answers: { readonly id: string; readonly status: number }[] = [];
  /** Created teams, with whether the subscription existed at that time. */
  readonly made = new Map<number, boolean>();
  /** How many redeliveries of each delivery were accepted. */
  readonly asked = new Map<string, number>();

  constructor(readonly app: TestApp, readonly admin: Actor, readonly target: Target, readonly path: string) {
    target.answer((received) => {
      this.answers.push({ id: readDeliveryId(received), status: this.status });
      const headers: Record<string, string> = this.status === 503 ? { "Retry-After": "1200" } : {};
      return { status: this.status, headers };
    });
  }

  async state(): Promise<State> {
    const { status, body } = await this.admin.call("GET", this.path);
    return status === 404 ? "gone" : body.paused ? "paused" : "live";
  }

  async step(happening: Happening): Promise<void> {
    const before = await this.state();
    const sent = this.answers.length;
    await this.make(happening, before);
    await this.app.idle();
    const brings = happening.what === "restore" || happening.what === "resume";
    if (before !== "live" && !brings) assert.equal(this.answers.length, sent, `sent while ${before}`);
  }

  async make(happening: Happening, before: State): Promise<void> {
    const { app, admin, path } = this;
    const there = before === "gone" ? 404 : 200;
    if (happening.what === "event") {
      const made = await admin.call("POST", "/v1/teams", { name: "North" });
      this.made.set(made.body.id, before !== "gone");
    } else if (happening.what === "answer") this.status = happening.status;
    else if (happening.what === "later") await this.later(happening.minutes * minute);
    else if (happening.what === "days") await this.later(2 * day);
    else if (happening.what === "jobs") assert.deepEqual(await runJobs(app.deps, app.clock.now()), []);
    else if (happening.what === "redeliver") await this.redeliver(happening.which, before);
    else if (happening.what === "recover" || happening.what === "test") {
      const body = happening.what === "recover" ? { since: "2026-01-01 00:00:00" } : undefined;
      const reply = await admin.call("POST", `${path}/${happening.what}`, body);
      assert.equal(reply.status, there === 200 ? 202 : 404, reply.text);
    } else if (happening.what === "restore") {
      assert.equal((await admin.call("POST", `${path}/restore`)).status, 200);
    } else {
      const change = happening.what === "rotate"
        ? { verification_token: `token ${++this.rotations}` }
        : { paused: happening.what === "pause" };
      assert.equal((await admin.call("PUT", path, change)).status, there);
    }
  }

  /** Moves the clock and sends due deliveries, within the month for which deliveries are kept. */
  async later(milliseconds: number): Promise<void> {
    this.left -= milliseconds;
    if (this.left < 0) return;
    this.app.clock.move(milliseconds);
    await deliverDue(this.app.deps);
  }

  async redeliver(which: number, before: State): Promise<void> {
    const ids = [...new Set(this.answers.map(({ id }) => id))];
    const id = ids[which % ids.length];
    if (id === undefined) return;
    const reply = await this.admin.call("POST", `/v1/webhooks/deliveries/${id}/redeliver`);
    assert.equal(reply.status, before === "gone" ? 404 : 202, reply.text);
    if (reply.status === 202) this.asked.set(id, (this.asked.get(id) ?? 0) + 1);
  }

  /** Repairs everything, so that failed and missed deliveries arrive. */
  async mend(): Promise<void> {
    this.status = 200;
    this.left = 6 * day;
    await this.step({ what: "restore" });
    await this.step({ what: "resume" });
    await this.step({ what: "recover" });
    for (let n = 0; n < 12; n++) await this.step({ what: "later", minutes: 600 });
  }

  async log(): Promise<Body[]> {
    return (await this.admin.call("GET", `${this.path}/deliveries?per_page=100`)).body.data;
  }
}

Deno.test("after any history of a subscription each of its events arrives as often as requested, and no others", async () => {
  await using app = await startApp();
  const lives = Number(Deno.env.get("WEBHOOK_RUNS") ?? 20);
  await fc.assert(
    fc.asyncProperty(fc.array(happening, { minLength: 5, maxLength: 30 }), async (happenings) => {
      const { admin } = await app.company();
      const target = startTarget();
      try {
        const given = {
          target_url: target.url,
          webhook_event: "team_created",
          verification_token: "token 0",
        };
        const { body: { id } } = await admin.call("POST", "/v1/webhooks", given);
        const life = new Life(app, admin, target, `/v1/webhooks/${id}`);
        for (const each of happenings) await life.step(each);
        await life.mend();
        await assertHeld(life);
      } finally {
        await target.close();
      }
    }),
    { numRuns: lives },
  );
  assert.deepEqual(app.log.entries.filter(({ level }) => level === "error"), []);
});

async function assertHeld(life: Life): Promise<void> {
  const { target, answers, made, asked } = life;
  const log = await life.log();
  assert.deepEqual(new Set(log.map(({ status }) => status)), new Set(log.length > 0 ? ["delivered"] : []));
  const events = log.filter(({ event }) => event === "team_created");
  const expected = [...made].filter(([, there]) => there).map(([team]) => String(team));
  assert.deepEqual(events.map(({ entity_id }) => entity_id).sort(), expected.sort());
  for (const [id, requests] of Map.groupBy(target.received, readDeliveryId)) {
    assert.equal(new Set(requests.map(({ text }) => text)).size, 1);
    const entry = log.find((each) => each.id === id);
    assert.ok(entry, `${id} is not in the log`);
    assert.equal(entry.attempts, requests.length);
    const arrived = answers.filter((each) => each.id === id && each.status === 200).length;
    assert.ok(arrived >= 1 && arrived <= 1 + (asked.get(id) ?? 0), `${arrived} times`);
  }
  assert.deepEqual(new Set(log.map(({ id }) => id)), new Set(target.received.map(readDeliveryId)));
}
