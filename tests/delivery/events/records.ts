/** Records of the dealer, created by its member, from which the causes of events start. */
import type { EventName } from "../../../src/core/events.ts";
import type { Actor, Body } from "../../support/app.ts";
import { nameFields } from "../../sales/leads_world.ts";
import type { Change, EventsWorld } from "./world.ts";

export type Call = [by: Actor, method: string, path: string, body?: unknown];

export function call(
  [by, method, path, body]: Call,
  also: readonly EventName[] = [],
  gone: readonly string[] = [],
): Change {
  return { by, run: () => by.call(method, path, body), also, gone };
}

export const makeFirm = (fields: object = {}) => ({
  fixed_fields: nameFields({ name: "Ada Ltd", city: "Zürich", ...fields }),
});
export const makePerson = (fields: object = {}) => ({
  fixed_fields: nameFields({ last_name: "Byron", ...fields }),
});

export async function createAccount({ make, member, custom }: EventsWorld): Promise<Body> {
  return await make(member, "/v1/accounts", { ...makeFirm(), custom_fields: custom.account });
}

export async function createContact(world: EventsWorld): Promise<Body> {
  const { make, member, custom } = world;
  const { id } = await createAccount(world);
  return await make(member, `/v1/accounts/${id}/contacts`, {
    ...makePerson(),
    custom_fields: custom.contact,
  });
}

/** Creates a case of the dealer, with everything that a case can show. */
export async function createSale(world: EventsWorld): Promise<Body> {
  const { make, member, path: relations_path_id } = world;
  return await make(member, "/v1/cases", { contact_id: (await createContact(world)).id, relations_path_id });
}

export const planned = {
  type: "call",
  start_at: "2027-03-20 09:00:00",
  end_at: "2027-03-20 10:00:00",
  note: "Ask",
};

/** The ids of the milestones of the path: the first is an offer, the second closes. */
export async function listMilestones({ admin, path }: EventsWorld): Promise<string[]> {
  const { body } = await admin.call("GET", `/v1/relations-paths/${path}`);
  return body.activity_types.milestones.map(({ id }: Body) => id);
}

export async function createTask(world: EventsWorld): Promise<Body> {
  const [offer] = await listMilestones(world);
  const { id } = await createSale(world);
  const body = { activity_type_ids: [offer], task: planned };
  return (await world.make(world.member, `/v1/cases/${id}/activities`, body)).task;
}

export async function createNote(world: EventsWorld): Promise<Body> {
  const { id } = await createSale(world);
  return await world.make(world.member, "/v1/notes", { note: "Wants it <b>red</b>", case_id: id });
}
