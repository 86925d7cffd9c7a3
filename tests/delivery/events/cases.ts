/** What causes the events of cases, and of what is recorded on them. */
import type { EventName } from "../../../src/core/events.ts";
import { returnToken } from "../../../src/messages/return_address.ts";
import { receive } from "../../../src/messages/inbound/receive.ts";
import { act, ways } from "../../sales/leads_states.ts";
import {
  call,
  createContact,
  createNote,
  createSale,
  createTask,
  listMilestones,
  planned,
} from "./records.ts";
import type { Causes } from "./world.ts";

export const cases = {
  activity_created: {
    "an activity that moves the case is recorded": async (world) => {
      const [offer] = await listMilestones(world);
      const path = `/v1/cases/${(await createSale(world)).id}/activities`;
      return call([world.member, "POST", path, { activity_type_ids: [offer] }], ["case_updated"]);
    },
    "an activity completes a task": async (world) => {
      const [offer] = await listMilestones(world);
      const { id, case_id } = await createTask(world);
      const body = { activity_type_ids: [offer], completed_task_id: id };
      return call([world.member, "POST", `/v1/cases/${case_id}/activities`, body], [
        "case_updated",
        "task_updated",
      ]);
    },
    "an activity closes the case": async (world) => {
      const [, order] = await listMilestones(world);
      const path = `/v1/cases/${(await createSale(world)).id}/activities`;
      return call([world.member, "POST", path, { activity_type_ids: [order] }], [
        "case_updated",
        "contact_updated",
      ]);
    },
    "an activity is the first on a lead's case": async (world) => {
      const id = await ways.accepted!(world);
      return { by: world.admin, run: () => act(world, id), also: ["case_updated", "lead_updated"], gone: [] };
    },
  },
  case_created: {
    "a case is opened": async (world) => {
      const body = { contact_id: (await createContact(world)).id, relations_path_id: world.path };
      return call([world.member, "POST", "/v1/cases", body], ["contact_updated"]);
    },
  },
  case_updated: {
    "a case goes to another user": async (world) =>
      call([world.admin, "PUT", `/v1/cases/${(await createSale(world)).id}`, {
        user_id: (await world.company.user({ teams: [world.dealer] })).id,
      }]),
    "a case goes to another team": async (world) =>
      call([world.admin, "PUT", `/v1/cases/${(await createSale(world)).id}`, {
        team_id: world.far,
        user_id: world.stranger.id,
      }]),
    "a case's chance changes": async (world) =>
      call([world.member, "PUT", `/v1/cases/${(await createSale(world)).id}/chance_of_success`, {
        chance_of_success: 7,
      }]),
    "a case's date changes": async (world) =>
      call([world.member, "PUT", `/v1/cases/${(await createSale(world)).id}/estimated_close_date`, {
        date: "2027-06-30",
      }]),
  },
  case_deleted: {
    "a case is deleted": async (world) => {
      const { id } = await createSale(world);
      return call([world.admin, "DELETE", `/v1/cases/${id}`], [], [`/v1/cases/${id}`]);
    },
    "a case goes with its task and note": async (world) => {
      const { id, case_id } = await createTask(world);
      const remark = await world.make(world.member, "/v1/notes", { note: "Rich", case_id });
      return call([world.admin, "DELETE", `/v1/cases/${case_id}`], ["task_deleted", "note_deleted"], [
        `/v1/cases/${case_id}`,
        `/v1/tasks/${id}`,
        `/v1/notes/${remark.id}`,
      ]);
    },
  },
  case_declined: {
    "a case is declined": async (world) =>
      call([world.member, "PUT", `/v1/cases/${(await createSale(world)).id}/decline`, {
        reason: "Elsewhere",
      }]),
  },
  note_created: {
    "a note on a case is made": async (world) =>
      call([world.member, "POST", "/v1/notes", {
        note: "<b>Red</b>",
        case_id: (await createSale(world)).id,
      }]),
    "a note on a contact is made": async (world) => {
      const { id: contact_id, account } = await createContact(world);
      return call([world.member, "POST", "/v1/notes", { note: "Red", contact_id, account_id: account.id }]);
    },
  },
  note_updated: {
    "a note changes": async (world) =>
      call([world.member, "PUT", `/v1/notes/${(await createNote(world)).id}`, { note: "Blue" }]),
  },
  note_deleted: {
    "a note is deleted": async (world) => {
      const path = `/v1/notes/${(await createNote(world)).id}`;
      return call([world.member, "DELETE", path], [], [path]);
    },
  },
  task_created: {
    "an activity plans a task": async (world) => {
      const [offer] = await listMilestones(world);
      const path = `/v1/cases/${(await createSale(world)).id}/activities`;
      return call([world.member, "POST", path, { activity_type_ids: [offer], task: planned }], [
        "activity_created",
        "case_updated",
      ]);
    },
  },
  task_updated: {
    "a task is completed": async (world) =>
      call([world.member, "PUT", `/v1/tasks/${(await createTask(world)).id}`, { completed: true }], [
        "case_updated",
      ]),
  },
  task_deleted: {
    "a task is deleted": async (world) => {
      const path = `/v1/tasks/${(await createTask(world)).id}`;
      return call([world.member, "DELETE", path], ["case_updated"], [path]);
    },
  },
  correspondence_received: {
    "an answer to an e-mail arrives": async (world) => {
      const { id } = await createSale(world);
      const { deps } = world.app;
      const arrived = {
        key: `answer ${id}`,
        from: { name: "Grace Hopper", address: "grace@example.org" },
        subject: "Re: Offer",
        content: "<p>Yes, please.</p>",
        words: "Yes, please.",
        files: [],
        tokens: [returnToken(deps.secretsKey, { kind: "case", id })],
        thread: null,
        isAutomatic: false,
        failure: null,
      };
      const run = () => receive(deps, arrived).then(() => 1);
      return { by: null, run, also: ["timeline_event_created"], gone: [] };
    },
  },
  timeline_event_created: {
    "an event is put on a timeline": async (world) => {
      const body = { type: "visit", title: "Looked at the van", content: "<b>Twice</b>" };
      return call([world.member, "POST", `/v1/cases/${(await createSale(world)).id}/timeline`, body]);
    },
  },
} satisfies Partial<Record<EventName, Causes>>;
