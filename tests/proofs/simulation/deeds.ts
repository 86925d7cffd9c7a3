/** Turns a trial into an action on an existing record. */
import type { Try } from "./histories.ts";
import { type Deed, type Lead, type State, type Who } from "./model.ts";

const mostLeads = 4;

/** Returns null when there is no record. `fresh` is the number of the lead that the action may create. */
export function makeDeed(
  state: State,
  tried: Try,
  now: number,
  fresh: number,
): Exclude<Deed, { do: "due" }> | null {
  const { what, team } = tried;
  if (what === "zone") return { do: "zone", team, zone: tried.zone };
  if (what === "retype") return { do: "retype", type: tried.type, to: tried.plan };
  if (state.leads.size === 0 || (what === "create" && fresh < mostLeads)) {
    return {
      do: "create",
      by: tried.by === "right" ? "admin" : tried.by,
      lead: fresh,
      team: tried.flag && what === "create" ? null : team,
      agency: tried.type,
      type: tried.type,
      expires: tried.expires === null ? null : now + tried.expires * 1000,
      known: tried.flag,
    };
  }
  const lead = tried.lead % state.leads.size;
  const its = state.leads.get(lead)!;
  const verb = what === "onward" || what === "create" ? onward(its, tried) : what;
  const agent: Who = `agent${its.agency}`;
  const member: Who = its.team === null ? "admin" : `member${its.team}`;
  const by = (right: Who): Who => tried.by === "right" ? right : tried.by;
  switch (verb) {
    case "assign":
      return {
        do: "assign",
        by: by(agent),
        lead,
        team,
        to: tried.milestone === "Offer"
          ? null
          : tried.milestone === "Again"
          ? "agent1"
          : `member${tried.flag ? team : 1 - team}`,
        deprecated: tried.type === 1,
      };
    case "accept": {
      const who = by(member);
      return {
        do: "accept",
        by: who,
        lead,
        user: who === "admin" && its.team !== null && tried.flag ? member : null,
      };
    }
    case "reject":
      return { do: "reject", by: by(member), lead };
    case "call":
      return { do: "call", by: by(agent), lead };
    case "delete":
      return tried.flag ? { do: "delete", by: by("admin"), lead } : null;
    case "update":
      return { do: "update", by: by(member), lead, type: tried.flag ? tried.type : null };
    case "decline":
      if (its.case === null || !tried.flag) return null;
      return { do: "decline", by: by(`member${state.cases.get(its.case)!.team}`), case: its.case };
    case "act":
      if (its.case === null) return null;
      return {
        do: "act",
        by: by(`member${state.cases.get(its.case)!.team}`),
        lead,
        case: its.case,
        what: tried.milestone,
      };
  }
}

/** Chooses one of the lead's possible moves. */
function onward(
  { status, accepted, final }: Lead,
  { flag, type }: Try,
): "assign" | "accept" | "reject" | "call" | "act" | "update" {
  if (["assignable", "rejected", "revoked"].includes(status)) return "assign";
  if (status === "escalated") return flag || accepted ? "call" : "accept";
  if (status === "called" && type === 0) return "update";
  if (accepted) return final || flag ? "act" : "update";
  return flag ? "accept" : "reject";
}

/** True when the action and the end of the lead's countdown may coincide. */
export function meet(deed: Deed, index: number, { case: its }: Lead): boolean {
  return deed.do === "act" ? deed.case === its : "lead" in deed && deed.lead === index;
}
