/** Creates leads in every state. At the end, some expire and some are deleted. */
import assert from "node:assert/strict";
import { hideExpired } from "../../../src/sales/leads/expire.ts";
import type { Body } from "../../support/app.ts";
import { nameValues } from "../../customers/fields_world.ts";
import { type Facts, formatStamp, type Scalar } from "./evaluator.ts";
import type { Customer, Hanging, Process } from "./sales.ts";
import { listSome, readAnswer } from "./world.ts";

/** The time at which filters are evaluated. Some earlier months do not have this day. */
export const asked = Date.UTC(2026, 2, 31, 12);
/** The time at which the job last marked expired leads. */
const marked = Date.UTC(2026, 2, 30, 12);

/** Expiries that are past when filters are evaluated, including the exact moment. */
const past = ["2026-03-30 10:00:00", "2026-03-31 10:00:00", "2026-03-31 12:00:00"];
const ahead = ["2026-03-31 12:00:01", "2030-01-31 10:00:00"];

/**
 * Creates a lead of the customer, or of the customer's account only, and moves it through some of its states.
 */
export async function newLead(process: Process, of: Customer): Promise<Body> {
  const { app, admin, random, dealers, types, paths } = process;
  if (random.chance(0.5)) app.clock.move(1000);
  const dealer = random.of(dealers);
  const alone = random.chance(0.2);
  const lead = await readAnswer(admin, "POST", "/v1/leads", {
    b2c: of.b2c,
    lead_source: random.of(["website", "Website", "fair & more"]),
    lead_type_id: random.of(types).id,
    account_id: of.account,
    ...(alone
      ? { contact: { fixed_fields: nameValues({ last_name: "Byron" }) } }
      : { contact_id: of.contact }),
    agency_team_id: dealers[0]!.team,
    team_id: random.chance(0.2) ? null : dealer.team,
    interest: random.of([null, "", "Boats", "boats and MORE"]),
    expires_at: random.of([null, null, null, ...past, ...ahead]),
  }, 201);
  if (lead.status !== "assigned" || alone) return lead;
  const at = `/v1/leads/${lead.id}`;
  const move = random.below(4);
  if (move === 0) {
    const acceptance = { relations_path_id: paths[0].id };
    return await readAnswer(dealer.member, "PUT", `${at}/accept`, acceptance, 200);
  }
  if (move > 1) return lead;
  const rejected = await readAnswer(dealer.member, "PUT", `${at}/reject`, { rejection_reason: "Far" }, 200);
  return random.chance(0.5)
    ? rejected
    : await readAnswer(admin, "PUT", `${at}/assign`, { team_id: random.of(dealers).team }, 201);
}

/** Deletes some leads and lets others expire. Returns the facts of all leads at the time of the filters. */
export async function leadsInTheEnd(process: Process, ids: readonly string[]): Promise<Hanging[]> {
  const { app, admin, random } = process;
  assert.ok(app.clock.now() < marked, "leads have expired before they were read");
  const leads: Body[] = [];
  for (const id of ids) leads.push(await readAnswer(admin, "GET", `/v1/leads/${id}`, undefined, 200));
  const deleted = new Map<string, string>();
  for (const { id } of leads) {
    if (!random.chance(0.2)) continue;
    if (random.chance(0.5)) app.clock.move(1000);
    await readAnswer(admin, "DELETE", `/v1/leads/${id}`, undefined, 204);
    deleted.set(id, formatStamp(app.clock.now()));
  }
  app.clock.set(marked);
  await hideExpired(app.deps, marked);
  app.clock.set(asked);
  return leads.map((body) => ({
    root: "lead",
    facts: leadFacts(body, deleted.get(body.id) ?? null),
    account: body.account_id,
    contact: body.contact_id,
    team: body.team_id,
  }));
}

function leadFacts(body: Body, deleted_at: string | null): Facts {
  const one = ["team_id", "account_id", "case_id", "contact_id", "lead_type_id", "interest", "lead_source"];
  const rest = ["status", "created_at", "expires_at", "updated_at"];
  const teams = (list: readonly { team_id: Scalar }[]) => list.map(({ team_id }) => team_id);
  return {
    id: body.id,
    values: {
      ...Object.fromEntries([...one, ...rest].map((key) => [key, listSome(body[key])])),
      // A deletion is the last change of a lead.
      ...(deleted_at !== null && { deleted_at: [deleted_at], updated_at: [deleted_at] }),
      lead_type: [body.lead_type.name],
      "acceptions.team_id": teams(body.acceptions),
      "assignments.team_id": teams(body.assignments),
      "rejections.team_id": teams(body.rejections),
    },
    below: {},
    ...(past.includes(body.expires_at)
      ? { hidden: "expired" }
      : deleted_at !== null
      ? { hidden: "deleted" }
      : {}),
  };
}
