/** Records of a team beside those of a caller who does not see them. */
import assert from "node:assert/strict";
import { noteOpened } from "../../src/console/recent/note_opened.ts";
import type { Actor } from "../support/app.ts";
import {
  deliveredReport,
  failedExport,
  makeHook,
  makeSchedule,
  makeWaiting,
  nameFields,
  openSession,
  type Place,
  textFile,
  writeStreamEvent,
} from "./place.ts";
import { importFor } from "./samples.ts";

/**
 * Makes what `makeRecords` does not, as a team admin of the team of `far` with every right: records of the team on
 * customers that `own` sees, and what belongs to the team admin alone.
 */
export async function makeBeside(own: Place, far: Place, stranger: Actor): Promise<void> {
  const { ids, make, write, next, world } = own;
  const { company_id } = ids;
  const { team_id } = far.ids;
  const makeOwn = async (path: string, body: unknown) => {
    const reply = await stranger.call("POST", path, body);
    assert.ok(reply.status < 300, `${path}: ${reply.text}`);
    return reply.body;
  };
  await makeOnCustomer(own, team_id, stranger);

  const { account_id } = far.ids;
  const { id: contact_id } = await make(`/v1/accounts/${account_id}/contacts`, {
    fixed_fields: nameFields({ last_name: "Byron", email: "ada@example.org" }),
    custom_fields: nameFields({ birthday: "1815-12-10" }),
  });
  const twin = await make("/v1/accounts", { team_id, fixed_fields: nameFields({ name: "Ada Ltd" }) });
  await makeOwn(`/v1/accounts/${account_id}/merge`, { from_id: twin.id });
  await importFor(own, "false", stranger.token);

  const { id: file } = await makeOwn("/v1/files", textFile("own.txt"));
  await makeOwn("/v1/files", textFile("ours.txt", [{ type: "team", value: team_id }]));
  for (const path of [`/v1/accounts/${account_id}`, `/v1/accounts/${account_id}/contacts/${contact_id}`]) {
    await makeOwn(`${path}/files`, { file_ids: [file] });
  }
  for (const belongs_to of ["team", "user"]) {
    await makeOwn("/v1/filemanager/folders", { name: `Offers ${next()}`, belongs_to });
  }
  await makeOwn("/v1/views", { name: `View ${next()}`, entity: "lead", team_id });
  for (const kind of ["accounts", "contacts"]) {
    await makeOwn(`/v1/${kind}/filters`, { name: "All", filter: [] });
  }
  await makeOwn("/v1/notifications", { message: "Remember", notify: { users: [stranger.id] } });
  const invited = { email: `invited-${next()}@example.org`, team_ids: [team_id] };
  await makeOwn(`/v1/companies/${company_id}/invitations`, invited);
  await makeOwn("/v1/exports", { entity: "products" });
  await makeOwn("/v1/reports/scheduled", makeSchedule(far.ids.indicator_set_id, stranger.id));
  await makeWaiting(stranger, makeHook(next()));

  await deliveredReport(write, { company_id, user_id: stranger.id });
  await failedExport(write, { company_id, user_id: stranger.id });
  const event = await writeStreamEvent(write, { company_id, user_id: stranger.id }, 100 + next());
  await world.admin.call("PUT", `/v1/gamification/stream/${event}/high-five`);
  await openSession(own, stranger.id);
  await write(noteOpened(stranger.id, { type: "contact", id: contact_id }, world.app.clock.now()));
}

/** Makes a lead of the team, and a case with all that cases have, about the customer of the place. */
async function makeOnCustomer(
  { ids, make, world }: Place,
  team_id: number,
  { id: user_id }: Actor,
): Promise<void> {
  const { account_id, contact_id, product_id } = ids;
  const customer = { account: undefined, account_id, contact: undefined, contact_id };
  const ofTeam = { team_id, agency_team_id: team_id };
  await make("/v1/leads", world.body({ ...customer, ...ofTeam, product_ids: [product_id] }));
  const { activity_types } = (await world.admin.call("GET", `/v1/relations-paths/${world.path}`)).body;
  const sale = await make("/v1/cases", { contact_id, relations_path_id: world.path, team_id, user_id });
  await make(`/v1/cases/${sale.id}/activities`, {
    activity_type_ids: [activity_types.milestones[0].id],
    note: "Called",
    product_details: [{ products: [{ id: product_id }] }],
    task: { type: "call", start_at: "2026-03-01 09:00:00", end_at: "2026-03-01 10:00:00", user_id },
  });
  await make(`/v1/cases/${sale.id}/timeline`, { title: "Seen" });
  await make("/v1/notes", { note: "About Ada", case_id: sale.id });
}
