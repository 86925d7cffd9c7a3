/** The lists of agency users: waiting leads, and dealers. */
import type { Body } from "../../support/app.ts";
import { lead } from "./sales.ts";
import { deleteAt, type Id, type Kind, postRecord, put, withDirections, type World } from "./world.ts";

type State = "assignable" | "rejected" | "escalated" | "called" | "revoked";

/** The leads of one state. */
function waiting(state: State): Kind {
  return {
    ...lead,
    name: `${state} leads`,
    path: `/v1/leads/${state}`,
    fallback: "updated_at",
    sorts: withDirections(["created_at", "updated_at", "external_weight"]),
    admins: true,
    list: () => `/v1/leads/${state}`,
    async make(world, seed) {
      const id = await lead.make(world, { ...seed, team: "own" });
      await bring(world, id, state);
      return id;
    },
    async happen(world, id, what, seed) {
      if (what !== "move" || state === "escalated" || state === "called") {
        return await lead.happen(world, id, what, seed);
      }
      const assigned = await world.admin.call("PUT", `/v1/leads/${id}/assign`, {
        team_id: world.teams.other,
      });
      if (assigned.status !== 201) throw new Error(assigned.text);
      return "left";
    },
  };
}

/**
 * Brings a lead into a state by SQL, because waiting for the end of countdowns would move the clock too far.
 */
async function bring({ admin, app }: World, id: Id, state: State): Promise<void> {
  if (state === "rejected") {
    return await put(admin, `/v1/leads/${id}/reject`, { rejection_reason: "Too far" });
  }
  const team = state === "assignable" ? ", team_id = null" : "";
  await app.deps.db.write([
    { sql: `update leads set state = ?, status = ?${team} where id = ?`, args: [state, state, id] },
  ]);
}

const dealer: Kind = {
  name: "dealers",
  path: "/v1/agency/dealers",
  sorts: withDirections(["created_at", "updated_at", "external_weight"]),
  fallback: "created_at",
  parameter: "sort",
  shared: true,
  admins: true,
  list: () => "/v1/agency/dealers",
  make: ({ admin }, { name }) =>
    postRecord(admin, "/v1/teams", { name: `Team ${name}`, team_type: "dealer" }),
  async happen({ admin }, id, what, { name }) {
    if (what === "remove") {
      await deleteAt(admin, `/v1/teams/${id}`);
      return "left";
    }
    const change = what === "move" ? { team_type: null } : { name: `Team ${name}`, city: `Town ${name}` };
    await put(admin, `/v1/teams/${id}`, change);
    return what === "move" ? "left" : ["updated_at"];
  },
  key: (record: Body, sort) => sort === "external_weight" ? record.id : record[sort],
};

const states = ["assignable", "rejected", "escalated", "called", "revoked"] as const;

export const agency: readonly Kind[] = [...states.map(waiting), dealer];
