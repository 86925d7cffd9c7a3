/** What causes the events of accounts and contacts. */
import type { EventName } from "../../../src/core/events.ts";
import {
  call,
  createAccount,
  createContact,
  createSale,
  listMilestones,
  makeFirm,
  makePerson,
  planned,
} from "./records.ts";
import type { Causes } from "./world.ts";

export const customers = {
  account_created: {
    "an account is made": ({ member, custom }) =>
      call([member, "POST", "/v1/accounts", { ...makeFirm(), custom_fields: custom.account }]),
    "an account of nobody's is made": ({ admin, custom }) =>
      call([admin, "POST", "/v1/accounts", { team_id: null, ...makeFirm(), custom_fields: custom.account }]),
    "an account is put under an external id": ({ member }) =>
      call([member, "PUT", "/v1/accounts/by-external-id/erp-1", makeFirm()]),
  },
  account_updated: {
    "an account changes": async (world) =>
      call([
        world.admin,
        "PUT",
        `/v1/accounts/${(await createAccount(world)).id}`,
        makeFirm({ name: "Grace Ltd" }),
      ]),
    "an account goes to another team": async (world) =>
      call([world.admin, "PUT", `/v1/accounts/${(await createAccount(world)).id}`, { team_id: world.far }]),
    "an account is put again": async (world) => {
      await world.member.call("PUT", "/v1/accounts/by-external-id/erp-2", makeFirm());
      return call([world.member, "PUT", "/v1/accounts/by-external-id/erp-2", makeFirm({ city: "Bern" })]);
    },
  },
  account_deleted: {
    "an account goes with all that hangs on it": async (world) => {
      const [offer] = await listMilestones(world);
      const { id: case_id, account: { id }, contact: { id: contact_id } } = await createSale(world);
      const made = await world.make(world.member, `/v1/cases/${case_id}/activities`, {
        activity_type_ids: [offer],
        task: planned,
      });
      const remark = await world.make(world.member, "/v1/notes", { note: "Rich", case_id });
      return call([world.admin, "DELETE", `/v1/accounts/${id}`], [
        "contact_deleted",
        "case_deleted",
        "task_deleted",
        "note_deleted",
      ], [
        `/v1/accounts/${id}`,
        `/v1/accounts/${id}/contacts/${contact_id}`,
        `/v1/cases/${case_id}`,
        `/v1/tasks/${made.task.id}`,
        `/v1/notes/${remark.id}`,
      ]);
    },
  },
  contact_created: {
    "a contact is made": async (world) => {
      const path = `/v1/accounts/${(await createAccount(world)).id}/contacts`;
      return call([world.member, "POST", path, { ...makePerson(), custom_fields: world.custom.contact }]);
    },
    "a contact is put under an external id": async (world) => {
      const path = `/v1/accounts/${(await createAccount(world)).id}/contacts/by-external-id/crm-1`;
      return call([world.member, "PUT", path, makePerson()]);
    },
  },
  contact_updated: {
    "a contact changes": async (world) => {
      const { id, account } = await createContact(world);
      return call([
        world.admin,
        "PUT",
        `/v1/accounts/${account.id}/contacts/${id}`,
        makePerson({ title: "Dr." }),
      ]);
    },
    "a consumer, whose account goes by the name of its contact, is renamed": async (
      { make, member, admin },
    ) => {
      const { id: account_id } = await make(member, "/v1/accounts", { b2c: true, fixed_fields: [] });
      const { id } = await make(member, `/v1/accounts/${account_id}/contacts`, makePerson());
      const path = `/v1/accounts/${account_id}/contacts/${id}`;
      return call([admin, "PUT", path, makePerson({ last_name: "Lovelace" })], ["account_updated"]);
    },
    "a contact goes to another account": async (world) => {
      const { id, account } = await createContact(world);
      const { id: account_id } = await world.make(world.admin, "/v1/accounts", {
        team_id: world.far,
        ...makeFirm(),
      });
      return call([world.admin, "PUT", `/v1/accounts/${account.id}/contacts/${id}`, { account_id }]);
    },
  },
  contact_deleted: {
    "a contact is deleted": async (world) => {
      const { id, account } = await createContact(world);
      const path = `/v1/accounts/${account.id}/contacts/${id}`;
      return call([world.admin, "DELETE", path], [], [path]);
    },
  },
} satisfies Partial<Record<EventName, Causes>>;
