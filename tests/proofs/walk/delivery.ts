/** The deliveries of a subscription, and of all. */
import assert from "node:assert/strict";
import { type Kind, type World } from "./world.ts";

const delivery: Kind = {
  name: "deliveries",
  path: "/v1/webhooks/:webhook_id/deliveries",
  sorts: [],
  fallback: "created_at",
  parameter: "sort",
  shared: true,
  admins: true,
  list: ({ webhook }) => `/v1/webhooks/${webhook}/deliveries`,
  async make({ admin, webhook }) {
    const tried = await admin.call("POST", `/v1/webhooks/${webhook}/test`);
    assert.equal(tried.status, 202, tried.text);
    return tried.body.id;
  },
  async happen(world, id, what) {
    if (what === "touch") {
      const again = await world.admin.call("POST", `/v1/webhooks/deliveries/${id}/redeliver`);
      assert.equal(again.status, 202, again.text);
    } else await become(world, id, what === "act" ? "delivered" : "failed");
    return [];
  },
  key: (record) => record.created_at,
};

const waiting: Kind = {
  ...delivery,
  name: "deliveries that wait",
  list: ({ webhook }) => `/v1/webhooks/${webhook}/deliveries?status=pending`,
  async happen(world, id, what, seed) {
    await delivery.happen(world, id, what, seed);
    return what === "touch" ? [] : "left";
  },
};

const ofAll: Kind = {
  ...delivery,
  name: "deliveries of all subscriptions",
  path: "/v1/webhooks/deliveries",
  list: () => "/v1/webhooks/deliveries",
};

async function become({ app }: World, id: string | number, status: string): Promise<void> {
  await app.deps.db.write([{ sql: "update deliveries set status = ? where id = ?", args: [status, id] }]);
}

export const deliveries: readonly Kind[] = [delivery, waiting, ofAll];
