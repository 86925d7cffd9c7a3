/** A company over HTTP with a webhook target on loopback, and what the tests of the operations share. */
import assert from "node:assert/strict";
import { deliverDue } from "../../src/delivery/webhooks/deliver.ts";
import {
  type Actor,
  type Body,
  type Reply,
  startApp,
  type TestApp,
  type TestCompany,
} from "../support/app.ts";
import { type Received, startTarget, type Target } from "../support/listener.ts";

export const minute = 60_000;
export const hour = 60 * minute;
export const day = 24 * hour;

export interface Hooks {
  readonly app: TestApp;
  readonly company: TestCompany;
  readonly admin: Actor;
  readonly target: Target;
  /** Subscribes the target to created teams. Returns the subscription. */
  subscribe(body?: object, by?: Actor): Promise<Body>;
  /** Causes an event by making a team; the team's id. */
  happens(name?: string): Promise<number>;
  /** Moves the clock and sends due deliveries. Returns the number of attempts. */
  later(milliseconds: number): Promise<number>;
  /** The log of a subscription, newest first. */
  log(webhookId: number, query?: string): Promise<Body[]>;
  delivery(id: string): Promise<Body>;
  call(status: number, method: string, path: string, body?: unknown): Promise<Body>;
}

export function withHooks(name: string, test: (hooks: Hooks) => Promise<void>): void {
  Deno.test(name, async () => {
    await using app = await startApp();
    const target = startTarget();
    const company = await app.company();
    const { admin } = company;
    const call: Hooks["call"] = async (status, method, path, body) => {
      const reply = await admin.call(method, path, body);
      assert.equal(reply.status, status, `${method} ${path}: ${reply.text}`);
      return reply.body;
    };
    try {
      await test({
        app,
        company,
        admin,
        target,
        call,
        async subscribe(body = {}, by = admin) {
          const given = { target_url: target.url, webhook_event: "team_created", ...body };
          const reply = await by.call("POST", "/v1/webhooks", given);
          assert.equal(reply.status, 201, reply.text);
          return reply.body;
        },
        async happens(name = "North") {
          const { id } = await call(201, "POST", "/v1/teams", { name });
          await app.idle();
          return id;
        },
        async later(milliseconds) {
          app.clock.move(milliseconds);
          return await deliverDue(app.deps);
        },
        log: async (id, query = "") =>
          (await call(200, "GET", `/v1/webhooks/${id}/deliveries?${query}`)).data,
        delivery: (id) => call(200, "GET", `/v1/webhooks/deliveries/${id}`),
      });
    } finally {
      await target.close();
    }
  });
}

/** The codes of a refusal, by field. */
export function readCodes(reply: Reply): string[] {
  assert.equal(reply.status, 422, reply.text);
  return reply.body.errors.map(({ path, code }: { path: string; code: string }) => `${path} ${code}`);
}

export const readDeliveryId = ({ headers }: Received): string => headers.get("x-service-delivery")!;

/** The wait before each attempt of a ladder, in milliseconds. */
export const ladder = [0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512].map((minutes) => minutes * minute);

export function standardHeaders({ headers }: Received): Record<string, string> {
  return Object.fromEntries(
    ["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) => [name, headers.get(name) ?? ""]),
  );
}

/** Inserts failed deliveries, without making their attempts. */
export async function insertManyFailed(
  { app, company }: Pick<Hooks, "app" | "company">,
  webhook: number,
  count: number,
): Promise<void> {
  await app.deps.db.write([{
    sql:
      "insert into deliveries (id, company_id, webhook_id, event_id, status, attempts, due_at, created_at) " +
      "with recursive n(i) as (select 1 union all select i + 1 from n where i < ?) " +
      "select printf('f-%06d', i), ?, ?, (select id from outbox limit 1), 'failed', 11, 1, " +
      // Many of them are created at one moment, the others at a few moments.
      "iif(i % 3 = 0, '2026-02-20 10:00:00', printf('2026-02-2%d 10:00:00', i % 7)) from n",
    args: [count, company.id, webhook],
  }]);
}
