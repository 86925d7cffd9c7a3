/** Figures of random histories of cases, against a plain model that is made of the calls alone. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { type Actor, type Body, startApp } from "../support/app.ts";
import { newContact, newPath } from "../sales/parts.ts";

const day = 86_400;
/** The same histories each time; `HISTORIES` asks for that many others. */
const wanted = Deno.env.get("HISTORIES");
const parameters = wanted === undefined ? { numRuns: 2, seed: 7 } : { numRuns: Number(wanted) };
const text = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 19).replace("T", " ");

interface Owner {
  readonly user: number;
  readonly team: number;
}
/** Something that happened, with its owner of then. */
interface Happened extends Owner {
  readonly indicator: string;
  readonly at: number;
  readonly value: number;
}
/** A property of a case, set from a moment on; of two that hold, the one recorded last counts. */
interface Change {
  readonly from: number;
  readonly owner?: Owner;
  readonly open?: boolean;
  readonly value?: number;
}
interface Modelled {
  readonly id: string;
  readonly made: number;
  readonly changes: Change[];
  status: "open" | "closed" | "declined" | "deleted";
  owner: Owner;
  value: number;
  quantity: number;
}

const kinds = [
  "create",
  "Contacted",
  "Offer",
  "Sold",
  "Lost",
  "Reopened",
  "Call",
  "move",
  "delete",
] as const;
const step = fc.record({
  kind: fc.constantFrom(...kinds, "create", "Sold", "move"),
  which: fc.nat(20),
  pick: fc.nat(20),
  wait: fc.integer({ min: 1, max: 5 * day }),
  back: fc.option(fc.integer({ min: 1, max: 60 * day })),
});
const question = fc.record({
  caller: fc.nat(2),
  by: fc.subarray(["user", "team", "group", "company"]),
  start: fc.integer({ min: -40 * day, max: 70 * day }),
  length: fc.integer({ min: 1, max: 100 * day }),
  filter: fc.constantFrom("", "user", "team", "group"),
  pick: fc.nat(2),
});

const counts = ["created", "closed", "declined", "reopened", "closed.value"]
  .map((name) => `cases.${name}`)
  .concat(
    "activities.created",
    "activities.milestones",
    "products.sold",
    "products.revenue",
  );
const levels = ["cases.open", "cases.open.value"];

Deno.test("figures of random histories of cases are what their calls add up to", async () => {
  const histories = fc.asyncProperty(
    fc.array(step, { minLength: 25, maxLength: 40 }),
    fc.array(question, { minLength: 40, maxLength: 40 }),
    check,
  );
  await fc.assert(histories, { ...parameters, endOnFailure: true });
});

type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;
type Question = typeof question extends fc.Arbitrary<infer Q> ? Q : never;

async function check(
  steps: readonly Step[],
  questions: readonly Question[],
): Promise<void> {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const group = await company.group();
  const teams = [
    await company.team({ group_id: group }),
    await company.team({ group_id: group }),
    await company.team(),
  ];
  const members: Actor[] = [];
  for (const team of teams) members.push(await company.user({ teams: [team] }));
  const owners = teams.map((team, n): Owner => ({
    team,
    user: members[n]!.id,
  }));
  const path = await newPath(admin);
  const { contact } = await newContact(admin);
  const product = await admin.call("POST", "/v1/products", {
    fixed_fields: [{ name: "name", value: "Car" }, {
      name: "list_price",
      value: 100,
    }],
  });
  const began = Math.floor(app.clock.now() / 1000);
  const happened: Happened[] = [];
  const cases: Modelled[] = [];
  const expectStatus = (
    reply: { status: number; text: string },
    status: number,
  ) => assert.equal(reply.status, status, reply.text);

  for (const { kind, which, pick, wait, back } of steps) {
    app.clock.move(wait * 1000);
    const now = Math.floor(app.clock.now() / 1000);
    if (kind === "create" || cases.length === 0) {
      const owner = owners[pick % 3]!;
      const at = now - (back ?? 0);
      const reply = await admin.call("POST", "/v1/cases", {
        contact_id: contact.id,
        relations_path_id: path.id,
        team_id: owner.team,
        user_id: owner.user,
        created_at: text(at),
      });
      expectStatus(reply, 201);
      const changes = [{ from: at, owner, open: true, value: 0 }];
      cases.push({
        id: reply.body.id,
        made: at,
        changes,
        status: "open",
        owner,
        value: 0,
        quantity: 0,
      });
      happened.push({ indicator: "cases.created", at, value: 1, ...owner });
      continue;
    }
    const one = cases[which % cases.length]!;
    if (one.status === "deleted") continue;
    if (kind === "move") {
      one.owner = owners[pick % 3]!;
      const { team: team_id, user: user_id } = one.owner;
      expectStatus(
        await admin.call("PUT", `/v1/cases/${one.id}`, { team_id, user_id }),
        200,
      );
      one.changes.push({ from: now, owner: one.owner });
    } else if (kind === "delete") {
      expectStatus(await admin.call("DELETE", `/v1/cases/${one.id}`), 204);
      one.status = "deleted";
      one.changes.push({ from: now, open: false });
    } else {
      if ((kind === "Reopened") === (one.status === "open")) continue;
      const at = kind === "Offer" ? now : Math.max(one.made, now - (back ?? 0));
      const quantity = 1 + pick;
      const reply = await admin.call("POST", `/v1/cases/${one.id}/activities`, {
        activity_type_ids: [path.types[kind]],
        created_at: text(at),
        ...(kind === "Offer"
          ? {
            product_details: [{
              products: [{ id: product.body.id, quantity, discount: 10 }],
            }],
          }
          : {}),
      });
      expectStatus(reply, 201);
      const count = (indicator: string, value = 1, user = one.owner.user) =>
        happened.push({ indicator, at, value, team: one.owner.team, user });
      count("activities.created", 1, admin.id);
      if (kind !== "Call") count("activities.milestones", 1, admin.id);
      if (kind === "Offer") {
        one.quantity = quantity;
        one.value = quantity * 100 - 10;
        one.changes.push({ from: at, value: one.value });
      }
      if (kind === "Sold") {
        count("cases.closed");
        count("cases.closed.value", one.value);
        count("products.sold", one.quantity);
        count("products.revenue", one.value);
      }
      if (kind === "Lost") count("cases.declined");
      if (kind === "Reopened") count("cases.reopened");
      if (["Sold", "Lost", "Reopened"].includes(kind)) {
        one.status = kind === "Sold" ? "closed" : kind === "Lost" ? "declined" : "open";
        one.changes.push({ from: at, open: kind === "Reopened" });
      }
    }
  }

  const callers = [admin, members[0]!, members[2]!];
  const seen = [teams, teams.slice(0, 2), teams.slice(2)];
  const groupOf = (team: number) => (team === teams[2] ? null : group);
  for (const { caller, by, start, length, filter, pick } of questions) {
    const [from, end] = [began + start, began + start + length];
    const at = cases.flatMap(({ changes }): Happened[] => {
      const valid = changes.filter((change) => change.from < end);
      const open = valid.findLast((change) => change.open !== undefined)?.open;
      if (!open) return [];
      const owner = valid.findLast((change) => change.owner)!.owner!;
      const value = valid.findLast((change) => change.value !== undefined)!
        .value!;
      return levels.map((indicator, n) => ({
        indicator,
        at: from,
        value: n === 0 ? 1 : value,
        ...owner,
      }));
    });
    const ids = {
      "": null,
      user: owners[pick]!.user,
      team: teams[pick]!,
      group,
    };
    const properties = (each: Owner) => ({
      user: each.user,
      team: each.team,
      group: groupOf(each.team),
      company: company.id,
    });
    const expected: Record<string, number> = {};
    for (
      const each of [
        ...happened.filter((fact) => fact.at >= from && fact.at < end),
        ...at,
      ]
    ) {
      const of = properties(each);
      if (
        !seen[caller]!.includes(each.team) ||
        (filter !== "" && of[filter] !== ids[filter])
      ) continue;
      const key = [
        each.indicator,
        ...by.map((name) => of[name as keyof typeof of]),
      ].join(" ");
      expected[key] = (expected[key] ?? 0) + each.value;
    }
    const asked =
      `indicators=${[...counts, ...levels]}&group_by=${by}&start_at=${text(from)}&end_at=${text(end)}` +
      (filter === "" ? "" : `&${filter}_ids=${ids[filter]}`);
    const reply = await callers[caller]!.call(
      "GET",
      `/v1/reports/metrics?${asked}`,
    );
    assert.equal(reply.status, 200, reply.text);
    const actual = reply.body.data.map((
      row: Body,
    ) => [
      [row.indicator, ...by.map((name) => row[`${name}_id`])].join(" "),
      row.value,
    ]);
    const whole = (values: Record<string, number>) =>
      Object.fromEntries(
        Object.entries(values).filter(([, value]) => value !== 0).sort(),
      );
    assert.deepEqual(whole(Object.fromEntries(actual)), whole(expected), asked);
  }
}
