/** A company with one record of each kind that can be removed beside what acts later. */
import { type Actor, type Body, start } from "../../support/app.ts";
import { formatTimestamp } from "../../../src/core/time.ts";
import { createCampaign, createConsumer, everybody, postRecord } from "../../messages/campaign_world.ts";
import { newPath, type Path } from "../../sales/parts.ts";
import { makeHook, textFile } from "../../sweep/place.ts";

export interface Scene {
  readonly admin: Actor;
  readonly choice: Body;
  readonly vip: Body;
  readonly other: Body;
  readonly size: Body;
  /** A field without values, whose type can change. */
  readonly depth: Body;
  readonly path: Path;
  /** The activity type that stays. */
  readonly kept: string;
  readonly task: Body;
  readonly webhook: Body;
  readonly folder: Body;
  readonly draft: Body;
  readonly unused: Body;
}

export interface Removed {
  readonly remove: (scene: Scene) => Promise<void>;
  readonly stops: readonly string[];
}

/** Fills the company: contacts with and without values, a case with an activity and a task. */
export async function fillScene(admin: Actor): Promise<Scene> {
  const choice = await postRecord(admin, "/v1/fields/contact", { label: "Status", type: "single_choice" });
  const options = `/v1/fields/contact/${choice.id}/options`;
  const vip = await postRecord(admin, options, { value: "VIP" });
  const other = await postRecord(admin, options, { value: "Other" });
  const size = await postRecord(admin, "/v1/fields/contact", { label: "Size", type: "numeric" });
  const depth = await postRecord(admin, "/v1/fields/contact", { label: "Depth", type: "numeric" });
  const made: Body[] = [];
  for (
    const [name, custom_fields] of [
      ["vip", [{ id: choice.id, value: vip.id }, { id: size.id, value: 4 }]],
      ["other", [{ id: choice.id, value: other.id }]],
      ["none", []],
    ] as const
  ) {
    const values = { first_name: name, email: `${name}@example.org` };
    made.push(await createConsumer(admin, values, { custom_fields: [...custom_fields] }));
  }
  const path = await newPath(admin);
  const sale = await postRecord(admin, "/v1/cases", { contact_id: made[0]!.id, relations_path_id: path.id });
  const done = await postRecord(admin, `/v1/cases/${sale.id}/activities`, {
    activity_type_ids: [path.types.Offer],
    task: { type: "call", start_at: "2026-03-20 09:00:00", end_at: "2026-03-20 10:00:00" },
  });
  const folder = await postRecord(admin, "/v1/filemanager/folders", {
    name: "Offers",
    belongs_to: "company",
  });
  await postRecord(admin, "/v1/files", { ...textFile("offer.txt"), folder_id: folder.id });
  await admin.call("POST", "/v1/notifications/devices/phone", { type: "iOS" });
  return {
    admin,
    choice,
    vip,
    other,
    size,
    depth,
    path,
    kept: path.types.Sold!,
    task: done.task,
    webhook: await postRecord(admin, "/v1/webhooks", makeHook(1)),
    folder,
    draft: await createCampaign(admin, { ...everybody, execute_now: false, name: "Draft", send_at: later }),
    unused: await postRecord(admin, "/v1/contacts/filters", { name: "Unused", filter: [] }),
  };
}

/** Conditions by name; each matches somebody. */
export function makeConditions({ vip, other, path, choice, size }: Scene): Record<string, object> {
  const field = "contact.custom_fields.status";
  const number = "contact.custom_fields.size";
  return {
    "option eq": { field, operator: "eq", value: vip.id },
    "option nin": { field, operator: "nin", value: [vip.id] },
    "option exists": { field: `contact.custom_fields.id.${choice.id}`, operator: "exists", value: false },
    "option neq inside": { or: [{ and: [{ field, operator: "neq", value: vip.id }] }] },
    "other option": { field, operator: "eq", value: other.id },
    "number exists": { field: number, operator: "exists", value: false },
    "number lt": { field: `contact.custom_fields.id.${size.id}`, operator: "lt", value: 5 },
    "empty exists": { field: "contact.custom_fields.depth", operator: "exists", value: false },
    "activity type eq": { field: "case.milestones.id", operator: "eq", value: path.types.Offer! },
    "activity type nin": { field: "case.milestones.id", operator: "nin", value: [path.types.Offer!] },
  };
}

const later = formatTimestamp(start + 3 * 86_400_000);

/** A saved filter and an approved campaign with the condition; the campaign's subject is the name. */
export async function storedFor(admin: Actor, name: string, node: object) {
  const filter = [node];
  return {
    saved: await postRecord(admin, "/v1/contacts/filters", { name, filter }),
    campaign: await createCampaign(admin, {
      ...everybody,
      execute_now: false,
      send_at: later,
      name,
      message: { ...everybody.message, subject: name },
      filter,
    }),
  };
}
