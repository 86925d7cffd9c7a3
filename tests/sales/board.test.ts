/** The board and the orders of lists of cases, by a model over single cases. */
import assert from "node:assert/strict";
import { type Actor, type Body, startApp, type TestApp } from "../support/app.ts";
import { newCase, newPath } from "./parts.ts";

/** Cases of three teams and of none along a path, in each column, with offers. */
async function fillWorld(app: TestApp) {
  const company = await app.company();
  const { admin } = company;
  const group = await company.group();
  const own = await company.team();
  const near = await company.team({ group_id: group });
  const far = await company.team();
  const member = await company.user({ teams: [own] });
  const neighbour = await company.user({
    teams: [await company.team({ group_id: group })],
    type: "team_admin",
  });
  const seller = await company.user({ teams: [own, near, far] });
  const path = await newPath(admin);
  const other = await newPath(admin, { team_id: far });
  const product = await admin.call("POST", "/v1/products", {
    fixed_fields: [{ name: "name", value: "Estate" }, { name: "list_price", value: 100 }],
  });
  assert.equal(product.status, 201, product.text);
  const made: { id: string; value: number }[] = [];
  for (let n = 0; n < 18; n++) {
    const one = await newCase(admin, path, {
      team_id: [own, near, far, null][n % 4],
      user_id: n % 4 === 0 ? member.id : seller.id,
    });
    app.clock.move(60_000);
    const act = async (types: string[], more: object = {}) => {
      const answer = await admin.call("POST", `/v1/cases/${one.id}/activities`, {
        activity_type_ids: types.map((type) => path.types[type]),
        ...more,
      });
      assert.equal(answer.status, 201, answer.text);
      app.clock.move(60_000);
    };
    let value = 0;
    if (n % 3 > 0) await act([["Contacted"], ["Offer"]][n % 2]!);
    if (n % 2 > 0) {
      value = 3 * (10.1 + n) - 0.3;
      const line = { id: product.body.id, quantity: 3, price: 10.1 + n, discount: 0.3 };
      await act(["Call"], { product_details: [{ products: [{ ...line, quantity: 9 }] }] });
      await act(["Call"], { product_details: [{ products: [line] }] });
    }
    if (n % 5 === 0) {
      await admin.call("PUT", `/v1/cases/${one.id}/estimated_close_date`, { date: `2026-05-${20 - n}` });
    }
    if (n === 7) await act(["Sold"]);
    if (n === 8) await admin.call("PUT", `/v1/cases/${one.id}/decline`, { reason: "Too dear" });
    if (n === 10) await admin.call("DELETE", `/v1/cases/${one.id}`);
    made.push({ id: one.id, value: Number(value.toFixed(2)) });
  }
  await newCase(admin, other, { team_id: far, user_id: seller.id });
  const callers: [Actor, readonly (number | null)[], readonly number[]][] = [
    [admin, [own, near, far, null], []],
    [member, [own, null], [own]],
    [neighbour, [near, null], []],
  ];
  return { company, admin, member, path, other, own, near, made, callers };
}

type Filled = Awaited<ReturnType<typeof fillWorld>>;

/** The open cases that the caller sees, with their values, as single records. */
async function seenBy({ made }: Filled, actor: Actor): Promise<Body[]> {
  const answers = await Promise.all(made.map(async ({ id, value }) => ({
    answer: await actor.call("GET", `/v1/cases/${id}`),
    value,
  })));
  for (const { answer, value } of answers) if (answer.status === 200) assert.equal(answer.body.value, value);
  return answers.filter(({ answer }) => answer.status === 200).map(({ answer, value }) => ({
    ...answer.body,
    value,
  }));
}

/** The names of the done milestones of each case, the highest last. */
const highest = (one: Body): string | null =>
  one.milestones.filter(({ done }: Body) => done).map(({ id }: Body) => id).at(-1) ?? null;

const byText = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);
const important = (one: Body, other: Body) =>
  byText(one.latest_activity_at ?? "", other.latest_activity_at ?? "") ||
  byText(one.created_at, other.created_at) || byText(one.id, other.id);

const money = (amounts: number[]) => Number(amounts.reduce((sum, amount) => sum + amount, 0).toFixed(2));

Deno.test("the board counts and sums all open cases of each column that the caller sees, and shows the first", async (t) => {
  await using app = await startApp();
  const place = await fillWorld(app);
  const { admin, member, company, path, other, own, near, callers } = place;
  const address = `/v1/cases/board?relations_path_id=${path.id}`;
  const { milestones } = (await admin.call("GET", `/v1/relations-paths/${path.id}`)).body.activity_types;
  let different = 0;
  for (const [actor, , teams] of callers) {
    const seen = (await seenBy(place, actor)).filter(({ status }) => status === "open");
    const queries: [string, (one: Body) => boolean][] = [
      ["", () => true],
      ["&show=mine", (one) => one.user?.id === actor.id],
      ["&show=team", (one) => teams.includes(one.team_id)],
      [`&teams=${own},${near}`, (one) => [own, near].includes(one.team_id)],
      [`&users=${member.id}&search=hop`, (one) => one.user?.id === member.id],
      ["&search=nobody", () => false],
      ["&created_from_lead=true", () => false],
      [
        "&start_at=2026-03-02 09:12:00",
        (one) => one.created_at >= "2026-03-02 09:12:00",
      ],
    ];
    for (const [query, holds] of queries) {
      for (const most of query === "" ? [0, 2, 20] : [2]) {
        const { status, text, body } = await actor.call("GET", `${address}&per_column=${most}${query}`);
        assert.equal(status, 200, text);
        const cases = seen.filter(holds);
        assert.deepEqual(body.relations_path, { id: path.id, name: "New cars" });
        assert.equal(body.currency, "EUR");
        assert.deepEqual(body.columns.map(({ milestone }: Body) => milestone), [
          null,
          ...milestones.map(({ id, name, sort_order, set_status, chance_of_success }: Body) => (
            { id, name, sort_order, set_status, chance_of_success }
          )),
        ]);
        for (const column of body.columns) {
          const all = cases.filter((one) => highest(one) === (column.milestone?.id ?? null)).toSorted(
            important,
          );
          const at = `${actor.id} ${query} ${column.milestone?.name}`;
          assert.equal(column.count, all.length, at);
          assert.equal(column.sum, money(all.map(({ value }) => value)), at);
          assert.equal(
            column.weighted_sum,
            money(all.map(({ value, chance_of_success }) => value * chance_of_success / 100)),
            at,
          );
          assert.deepEqual(column.data.map(({ id }: Body) => id), all.slice(0, most).map(({ id }) => id), at);
          assert.deepEqual(
            column.data.map(({ value }: Body) => value),
            all.slice(0, most).map(({ value }) => value),
          );
          assert.equal(column.next === null, all.length <= most, at);
          if (column.next === null) continue;
          different++;
          const list = await actor.call("GET", column.next.replace(app.url, ""));
          assert.deepEqual(list.body.data.map(({ id }: Body) => id), all.map(({ id }) => id), column.next);
        }
      }
    }
  }
  assert.ok(different > 15, `${different} columns are longer than the board`);

  await t.step("paths that the caller does not see and wrong parameters are refused", async () => {
    const refused: [string, string][] = [
      [`relations_path_id=${other.id}`, "query.relations_path_id exists"],
      [`relations_path_id=${place.made[0]!.id}`, "query.relations_path_id exists"],
      ["relations_path_id=1", "query.relations_path_id type"],
      ["", "query.relations_path_id required"],
      [`relations_path_id=${path.id}&per_column=51`, "query.per_column max"],
      [
        `relations_path_id=${path.id}&lead_types=${path.id}&created_from_lead=true`,
        "query.lead_types excluded",
      ],
      [`relations_path_id=${path.id}&show=all`, "query.show enum"],
    ];
    for (const [query, expected] of refused) {
      const { status, body } = await member.call("GET", `/v1/cases/board?${query}`);
      assert.equal(`${status} ${body.errors?.[0].path} ${body.errors?.[0].code}`, `422 ${expected}`);
    }
    assert.equal((await admin.call("GET", `/v1/cases/board?relations_path_id=${other.id}`)).status, 200);
  });

  await t.step("lists sort by each field, and select cases without a milestone", async () => {
    const keys: Record<string, (one: Body) => string | number> = {
      created_at: (one) => one.created_at,
      updated_at: (one) => one.updated_at,
      latest_activity_at: (one) => one.latest_activity_at ?? `0 ${one.created_at}`,
      estimated_close_date: (one) => one.estimated_close_date ?? "9",
      value: (one) => one.value,
    };
    for (const [actor] of callers) {
      const seen = await seenBy(place, actor);
      for (const [sort, key] of Object.entries(keys)) {
        const inOrder = seen.toSorted((one, two) =>
          key(one) < key(two) ? -1 : key(one) > key(two) ? 1 : byText(one.id, two.id)
        ).map(({ id }) => id);
        for (const [sign, expected] of [["", inOrder], ["-", inOrder.toReversed()]] as const) {
          const ids: string[] = [];
          let next: string | null = `/v1/cases?per_page=5&relations_paths=${path.id}&sort=${sign}${sort}`;
          while (next !== null) {
            const { body }: { body: Body } = await actor.call("GET", next);
            ids.push(...body.data.map(({ id }: Body) => id));
            next = body.pagination.urls.next?.replace(app.url, "") ?? null;
          }
          assert.deepEqual(ids, expected, `${actor.id} ${sign}${sort}`);
        }
      }
      for (
        const [given, wanted] of [["none", [null]], [`${path.types.Offer},none`, [
          null,
          path.types.Offer,
        ]]] as const
      ) {
        const { body } = await actor.call(
          "GET",
          `/v1/cases?per_page=50&relations_paths=${path.id}&milestone_ids=${given}`,
        );
        const expected = seen.filter((one) => wanted.some((id) => id === highest(one)));
        assert.deepEqual(body.data.map(({ id }: Body) => id).sort(), expected.map(({ id }) => id).sort());
        assert.equal(body.pagination.total, expected.length);
      }
    }
    for (
      const [query, expected] of [
        ["sort=value&sort_mode=recent", "query.sort excluded"],
        ["sort=name", "query.sort enum"],
        ["milestone_ids=nothing", "query.milestone_ids[0] type"],
      ]
    ) {
      const { status, body } = await admin.call("GET", `/v1/cases?${query}`);
      assert.equal(`${status} ${body.errors[0].path} ${body.errors[0].code}`, `422 ${expected}`);
    }
  });

  await t.step("a milestone that is retired keeps its column while it has cases", async () => {
    const record = (await admin.call("GET", `/v1/relations-paths/${path.id}`)).body;
    const left = record.activity_types.milestones.filter(({ name }: Body) => name !== "Contacted");
    const changed = await admin.call("PUT", `/v1/relations-paths/${path.id}`, {
      activity_types: { ...record.activity_types, milestones: left },
    });
    assert.equal(changed.status, 200, changed.text);
    const names = async (query: string) =>
      (await admin.call("GET", `${address}${query}`)).body.columns.map(({ milestone }: Body) =>
        milestone?.name
      );
    assert.ok((await names("")).includes("Contacted"));
    assert.ok(!(await names("&search=nobody")).includes("Contacted"));
  });

  await t.step("a company that does not calculate prices has no values", async () => {
    await admin.call("PUT", `/v1/companies/${company.id}/settings`, { product: { mode: "simple" } });
    // An order by values that nobody sees would show them.
    const listSorted = async (actor: Actor, sort: string) =>
      (await actor.call("GET", `/v1/cases?per_page=100&sort=${sort}`)).body.data.map(({ id }: Body) => id);
    for (const [actor] of callers) {
      for (const sign of ["", "-"]) {
        assert.deepEqual(
          await listSorted(actor, `${sign}value`),
          await listSorted(actor, `${sign}created_at`),
        );
      }
    }
    let next = `/v1/cases?per_page=5&sort=-value`;
    const walked: string[] = [];
    while (next) {
      const { status, body } = await admin.call("GET", next);
      assert.equal(status, 200);
      walked.push(...body.data.map(({ id }: Body) => id));
      next = body.pagination.urls.next?.slice(app.url.length);
    }
    assert.deepEqual(walked, await listSorted(admin, "-created_at"));
    const { body } = await admin.call("GET", address);
    for (const { sum, weighted_sum, data } of body.columns) {
      assert.deepEqual([sum, weighted_sum], [0, 0]);
      assert.ok(data.every(({ value }: Body) => value === null));
    }
    const { id } = body.columns.flatMap(({ data }: Body) => data)[0];
    assert.equal((await admin.call("GET", `/v1/cases/${id}`)).body.value, null);
  });
});
