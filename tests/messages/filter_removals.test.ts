/**
 * Each removal × each stored filter that names what is removed × approved campaign and saved filter: neither ever
 * matches more than before. Either it means the same, or it is stopped, says why, and its user is notified.
 */
import assert from "node:assert/strict";
import { type Actor, type Body, startApp, type TestApp, type TestCompany } from "../support/app.ts";
import { newCase, newContact, newPath } from "../sales/parts.ts";
import { createCampaign, createConsumer, everybody, postRecord, sendingCompany } from "./campaign_world.ts";

interface World {
  readonly app: TestApp;
  readonly company: TestCompany;
  readonly admin: Actor;
}

/** What is removed, and the filters that name it. */
interface Scene {
  /** Each with the outcome: whether it is stopped, or keeps its meaning. */
  readonly filters: readonly (readonly [node: object, outcome: "stopped" | "same"])[];
  readonly remove: () => Promise<unknown>;
}

const later = { execute_now: false, send_at: "2026-03-05 09:00:00" };
const choiceField = "contact.custom_fields.status";

async function withChoice({ admin }: World) {
  const field = await postRecord(admin, "/v1/fields/contact", { label: "Status", type: "single_choice" });
  const path = `/v1/fields/contact/${field.id}`;
  const [vip, other] = [
    await postRecord(admin, `${path}/options`, { value: "VIP" }),
    await postRecord(admin, `${path}/options`, { value: "Other" }),
  ];
  for (const option of [vip, other]) {
    await createConsumer(admin, { first_name: "Ada" }, {
      custom_fields: [{ id: field.id, value: option.id }],
    });
  }
  await newContact(admin);
  return { field, path, vip, other };
}

async function removeAt(by: Actor, path: string): Promise<void> {
  const { status, text } = await by.call("DELETE", path);
  assert.ok(status < 300, text);
}

const scenes: Readonly<Record<string, (world: World) => Promise<Scene>>> = {
  async "an option"(world) {
    const { path, vip, other } = await withChoice(world);
    return {
      filters: [
        [{ field: choiceField, operator: "eq", value: vip.id }, "stopped"],
        [{ field: choiceField, operator: "nin", value: [vip.id] }, "stopped"],
        [{ field: choiceField, operator: "exists", value: false }, "stopped"],
        [{ or: [{ and: [{ field: choiceField, operator: "neq", value: vip.id }] }] }, "stopped"],
        [{ field: choiceField, operator: "eq", value: other.id }, "same"],
      ],
      remove: () => removeAt(world.admin, `${path}/options/${vip.id}`),
    };
  },
  async "a field"(world) {
    const { field, path, vip } = await withChoice(world);
    return {
      filters: [
        [{ field: choiceField, operator: "nin", value: [vip.id] }, "stopped"],
        [{ field: `contact.custom_fields.id.${field.id}`, operator: "exists", value: false }, "stopped"],
      ],
      remove: () => removeAt(world.admin, path),
    };
  },
  async "the type of a field"({ admin }) {
    const field = await postRecord(admin, "/v1/fields/contact", { label: "Size", type: "numeric" });
    return {
      filters: [[{ field: "contact.custom_fields.size", operator: "exists", value: false }, "stopped"]],
      remove: async () => {
        const change = { label: "Size", type: "date" };
        const { status, text } = await admin.call("PUT", `/v1/fields/contact/${field.id}`, change);
        assert.equal(status, 200, text);
      },
    };
  },
  async "a user with a successor"({ admin, company }) {
    const [user, heir] = [await company.user(), await company.user()];
    await withTask(admin, user.id);
    return {
      filters: [
        [{ field: "case.tasks.user_id", operator: "nin", value: [user.id] }, "stopped"],
        [{ field: "case.tasks.user_id", operator: "eq", value: user.id }, "stopped"],
      ],
      remove: () => removeAt(admin, `/v1/companies/${company.id}/users/${user.id}?assign_to=${heir.id}`),
    };
  },
  async "a user without a successor"({ admin, company }) {
    const user = await company.user();
    await withTask(admin, user.id);
    return {
      filters: [[{ field: "case.tasks.user_id", operator: "nin", value: [user.id] }, "same"]],
      remove: () => removeAt(admin, `/v1/companies/${company.id}/users/${user.id}`),
    };
  },
  async "a team with a successor"({ admin, company }) {
    const [team, heir] = [await company.team(), await company.team()];
    for (const team_id of [team, heir]) await newContact(admin, {}, { team_id });
    return {
      filters: [
        [{ field: "contact.team_id", operator: "nin", value: [team] }, "stopped"],
        [{ field: "contact.team_id", operator: "eq", value: team }, "stopped"],
      ],
      remove: () => removeAt(admin, `/v1/teams/${team}?assign_to=${heir}`),
    };
  },
  async "a category of products"(world) {
    const { category, other } = await withCategory(world);
    const field = "product_detail.product.category";
    return {
      filters: [
        [{ field, operator: "nin", value: [category.id] }, "stopped"],
        [{ field, operator: "exists", value: false }, "stopped"],
        [{ field, operator: "eq", value: other.id }, "same"],
      ],
      remove: () => removeAt(world.admin, `/v1/products/categories/${category.id}`),
    };
  },
  async "a product"(world) {
    const { category, product } = await withCategory(world);
    const field = "product_detail.product.category";
    return {
      filters: [
        [{ field, operator: "nin", value: [category.id] }, "stopped"],
        [{ field: "product_detail.product.name", operator: "nct", value: "van" }, "same"],
      ],
      remove: () => removeAt(world.admin, `/v1/products/${product.id}`),
    };
  },
  async "a milestone of a path"({ admin }) {
    const path = await newPath(admin);
    const made = await newCase(admin, path);
    const [first, second] = Object.values(path.types) as string[];
    await postRecord(admin, `/v1/cases/${made.id}/activities`, { activity_type_ids: [first!] });
    return {
      filters: [[{ field: "case.milestones.id", operator: "nin", value: [first!] }, "same"]],
      remove: async () => {
        const change = { activity_types: { milestones: [{ id: second!, name: "Kept" }] } };
        const { status, text } = await admin.call("PUT", `/v1/relations-paths/${path.id}`, change);
        assert.equal(status, 200, text);
      },
    };
  },
  async "a lead type"({ admin }) {
    const path = await newPath(admin);
    const type = await postRecord(admin, "/v1/lead-types", { name: "Web", relations_path_ids: [path.id] });
    await newContact(admin);
    return {
      filters: [
        [{ field: "lead.lead_type_id", operator: "nin", value: [type.id] }, "same"],
        [{ field: "lead.lead_type", operator: "eq", value: "Web" }, "same"],
      ],
      remove: () => removeAt(admin, `/v1/lead-types/${type.id}`),
    };
  },
};

async function withTask(admin: Actor, user_id: number): Promise<void> {
  const path = await newPath(admin);
  const made = await newCase(admin, path);
  await postRecord(admin, `/v1/cases/${made.id}/activities`, {
    activity_type_ids: [path.types.Call],
    task: { type: "call", user_id, start_at: "2026-03-03 09:00:00", end_at: "2026-03-03 10:00:00" },
  });
}

async function withCategory({ admin }: World) {
  const [category, other] = [
    await postRecord(admin, "/v1/products/categories", { name: "Vans" }),
    await postRecord(admin, "/v1/products/categories", { name: "Cars" }),
  ];
  const product = await postRecord(admin, "/v1/products", {
    fixed_fields: [{ name: "name", value: "Van" }],
    category: { id: [category.id] },
  });
  const path = await newPath(admin);
  const made = await newCase(admin, path);
  await postRecord(admin, `/v1/cases/${made.id}/activities`, {
    activity_type_ids: [Object.values(path.types)[0]],
    product_details: [{ products: [{ id: product.id, quantity: 1 }] }],
  });
  await newContact(admin);
  return { category, other, product };
}

/** The contacts of a saved filter, or why it does not run. */
async function readMatches(admin: Actor, id: string): Promise<string[] | string> {
  const { status, body } = await admin.call("GET", `/v1/contacts?filter_id=${id}&per_page=100`);
  if (status === 200) return body.data.map((contact: Body) => contact.id).toSorted();
  assert.equal(status, 422);
  return body.errors[0].message;
}

for (const [what, setUp] of Object.entries(scenes)) {
  Deno.test(`removing ${what} stops the campaigns and saved filters that would match others, and no other`, async () => {
    await using app = await startApp({ MAIL_RATE: "0" });
    const company = await sendingCompany(app);
    const { admin } = company;
    const { filters, remove } = await setUp({ app, company, admin });
    const stored = [];
    for (const [index, [node, outcome]] of filters.entries()) {
      const filter = [node];
      const saved = await postRecord(admin, "/v1/contacts/filters", { name: `Saved ${index}`, filter });
      const campaign = await createCampaign(admin, { ...everybody, ...later, name: `Sent ${index}`, filter });
      stored.push({ saved, campaign, outcome, node, before: await readMatches(admin, saved.id) });
    }
    await remove();
    await app.idle();
    const texts: string[] = (await admin.call("GET", "/v1/notifications?per_page=100")).body.data
      .map(({ message }: Body) => message.plain ?? message);
    for (const { saved, campaign, outcome, node, before } of stored) {
      const about = JSON.stringify(node);
      const after = await readMatches(admin, saved.id);
      const shown = (await admin.call("GET", `/v1/contacts/filters/${saved.id}`)).body;
      const sent = (await admin.call("GET", `/v1/campaigns/${campaign.id}`)).body;
      if (outcome === "same") {
        assert.deepEqual(after, before, about);
        assert.deepEqual(
          [shown.stopped_reason, sent.status, sent.stopped_reason],
          [null, "pending", null],
          about,
        );
        continue;
      }
      assert.equal(after, shown.stopped_reason, about);
      assert.match(shown.stopped_reason, /^It no longer runs, because /, about);
      assert.deepEqual([sent.status, sent.approved], ["draft", false], about);
      assert.match(sent.stopped_reason, /^It waits for approval again, because /, about);
      for (const { name } of [saved, campaign]) assert.ok(texts.some((text) => text.includes(name)), name);

      // Both can be used again: with another filter, and with another approval.
      const path = `/v1/contacts/filters/${saved.id}`;
      assert.equal((await admin.call("PUT", path, { name: saved.name })).body.stopped_reason !== null, true);
      assert.equal((await admin.call("PUT", path, { filter: [] })).body.stopped_reason, null);
      assert.equal(typeof (await readMatches(admin, saved.id)), "object");
      const again = await admin.call("PUT", `/v1/campaigns/${campaign.id}`, { approved: true, filter: [] });
      assert.deepEqual([again.status, again.body.stopped_reason], [200, null], again.text);
    }
  });
}
