/** What causes the events of leads: calls, and timers. */
import type { EventName } from "../../../src/core/events.ts";
import { escalateDue } from "../../../src/sales/leads/escalate.ts";
import { hour, runOut, ways } from "../../sales/leads_states.ts";
import type { Call } from "./records.ts";
import { call, createContact } from "./records.ts";
import type { Cause, Causes, EventsWorld } from "./world.ts";

/** A lead of the dealer that a call moves. */
const lead =
  (state: string, who: "admin" | "member" | "agent", method: string, verb = "", body: object = {}) =>
  async (world: EventsWorld): Promise<Call> => [
    world[who],
    method,
    `/v1/leads/${await ways[state]!(world)}${verb}`,
    method === "DELETE" ? undefined : body,
  ];

/** A timer that moves leads that have waited for three hours. */
const timer = (from: string, also: readonly EventName[] = []): Cause => async (world) => {
  await runOut(world, "called"); // Moves the leads that other lines have left, so that only one is due.
  await ways[from]!(world);
  world.app.clock.move(3 * hour);
  return { by: null, run: () => escalateDue(world.app.deps, world.app.clock.now()), also, gone: [] };
};

export const leads = {
  lead_accepted: {
    "a lead of a new customer is accepted": async (world) =>
      call(await lead("assigned", "member", "PUT", "/accept")(world), [
        "account_created",
        "contact_created",
        "case_created",
      ]),
    "a consumer's lead is accepted": async (world) => {
      const { id } = await world.lead({ b2c: true });
      return call([world.member, "PUT", `/v1/leads/${id}/accept`, {}], [
        "account_created",
        "contact_created",
        "case_created",
      ]);
    },
    "a lead of a known customer is accepted": async (world) => {
      const { id: contact_id, account } = await createContact(world);
      const known = { account: undefined, account_id: account.id, contact: undefined, contact_id };
      const { id } = await world.lead(known);
      return call([world.member, "PUT", `/v1/leads/${id}/accept`, {}], [
        "account_updated",
        "contact_updated",
        "case_created",
      ]);
    },
  },
  lead_assigned: {
    "a lead is assigned to a team": async (world) =>
      call(await lead("assignable", "agent", "PUT", `/assign/${world.dealer}`)(world)),
    "a rejected lead is assigned again": async (world) =>
      call(await lead("rejected", "agent", "PUT", "/assign", { team_id: world.dealer })(world)),
    "a lead is made for a team": (world) =>
      call([world.admin, "POST", "/v1/leads", world.body()], ["lead_created"]),
  },
  lead_created: {
    "a lead is made for no team yet": (world) =>
      call([world.agent, "POST", "/v1/leads", world.body({ team_id: null })]),
  },
  lead_deleted: {
    "a lead is deleted": async (world) => {
      const [by, method, path] = await lead("assigned", "admin", "DELETE")(world);
      return call([by, method, path], [], [path]);
    },
  },
  lead_rejected: {
    "a lead is rejected": async (world) =>
      call(await lead("assigned", "member", "PUT", "/reject", { rejection_reason: "Too far" })(world)),
  },
  lead_updated: {
    "a lead changes": async (world) =>
      call(await lead("assigned", "admin", "PUT", "", { interest: "A red van" })(world)),
    "a dealer is called about a lead": async (world) =>
      call(await lead("escalated", "agent", "PUT", "/call")(world)),
    "a lead is revoked": timer("called"),
  },
  lead_escalated: {
    "nobody accepts a lead in time": timer("assigned"),
    "nobody acts on an accepted lead in time": timer("accepted", ["case_updated"]),
  },
} satisfies Partial<Record<EventName, Causes>>;
