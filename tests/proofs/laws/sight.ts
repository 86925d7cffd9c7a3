/**
 * An independent model of visibility: shared records, those of own teams, and those of teams in the same
 * groups.
 */
import type { Body } from "../../support/app.ts";
import type { Kind, Mirror } from "./mirror.ts";
import type { Person } from "./people.ts";

export function seesBody(person: Person, kind: Kind, body: Body | undefined, mirror: Mirror): boolean {
  if (!body) return false;
  if (person.type === "admin") return true;
  switch (kind) {
    case "account":
    case "case":
      return body.team_id === null || isNear(person, body.team_id, mirror);
    case "contact":
      return seesBody(person, "account", mirror.get("account", body.account.id), mirror);
    case "lead":
      return (body.team_id !== null && isNear(person, body.team_id, mirror)) ||
        looksAfter(person, body, mirror);
    case "note":
      return body.case_id === null
        ? seesBody(person, "contact", mirror.get("contact", body.contact_id), mirror)
        : seesBody(person, "case", mirror.get("case", body.case_id), mirror);
    case "task":
    case "activity":
    case "timeline_event":
      return seesBody(person, "case", mirror.get("case", body.case_id), mirror);
    default:
      return true;
  }
}

function isNear(person: Person, team: number, mirror: Mirror): boolean {
  const group = mirror.get("team", team)?.group_id ?? null;
  return listTeams(person, mirror).some(({ id, group_id }) =>
    id === team || (group !== null && group_id === group)
  );
}

/** Returns true for leads of the caller's agency teams and for leads without an agency. */
function looksAfter(person: Person, { agency_team_id }: Body, mirror: Mirror): boolean {
  if (!person.agency) return false;
  return agency_team_id === null || listTeams(person, mirror).some(({ id }) => id === agency_team_id);
}

/** Returns the present state of the user's teams, not their state at the last change of the user. */
function listTeams({ actor }: Person, mirror: Mirror): Body[] {
  return mirror.get("user", actor.id)!.teams.map(({ id }: Body) => mirror.get("team", id)).filter(Boolean);
}
