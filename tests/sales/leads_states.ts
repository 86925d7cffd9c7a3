/** Brings leads into each of their states, over the API and by the timers. */
import assert from "node:assert/strict";
import { escalateDue } from "../../src/sales/leads/escalate.ts";
import type { Reply } from "../support/app.ts";
import type { World } from "./leads_world.ts";

export const hour = 3_600_000;

/** Runs the timers at the present time and returns the number of changed leads. */
export const tick = ({ app }: World) => escalateDue(app.deps, app.clock.now());

/** Calls `PUT /v1/leads/:id` with a suffix, such as `/accept`. */
export const put = (
  world: World,
  who: "admin" | "member" | "agent",
  id: string,
  verb: string,
  body: unknown = {},
) => world[who].call("PUT", `/v1/leads/${id}${verb}`, body);

/** Each returns the id of a new lead in the state. */
export const ways: Readonly<Record<string, (world: World) => Promise<string>>> = {
  assignable: async (world) => (await world.lead({ team_id: null })).id,
  assigned: async (world) => (await world.lead()).id,
  rejected: async (world) => {
    const id = await ways.assigned!(world);
    await done(put(world, "member", id, "/reject", { rejection_reason: "Too far" }));
    return id;
  },
  accepted: async (world) => {
    const id = await ways.assigned!(world);
    await done(put(world, "member", id, "/accept"));
    return id;
  },
  accepted_final: async (world) => {
    const id = await ways.accepted!(world);
    await done(act(world, id));
    return id;
  },
  escalated: (world) => runOut(world, "assigned"),
  escalated_after_acceptance: (world) => runOut(world, "accepted"),
  called: async (world) => {
    const id = await ways.escalated!(world);
    await done(put(world, "agent", id, "/call"));
    return id;
  },
  called_after_acceptance: async (world) => {
    const id = await ways.escalated_after_acceptance!(world);
    await done(put(world, "agent", id, "/call"));
    return id;
  },
  revoked: (world) => runOut(world, "called"),
};

/** A lead whose countdown in the state has run out. Other due leads change too. */
export async function runOut(world: World, from: string): Promise<string> {
  const id = await ways[from]!(world);
  world.app.clock.move(3 * hour);
  assert.ok(await tick(world) > 0);
  return id;
}

/** An activity on the case of the lead. */
export async function act(world: World, id: string): Promise<Reply> {
  const { body: { case_id } } = await world.admin.call("GET", `/v1/leads/${id}`);
  const { body: { milestones } } = await world.admin.call("GET", `/v1/cases/${case_id}`);
  return await world.admin.call("POST", `/v1/cases/${case_id}/activities`, {
    activity_type_ids: [milestones[0].id],
  });
}

async function done(reply: Promise<Reply>): Promise<void> {
  const { status, text } = await reply;
  assert.ok(status < 300, text);
}
