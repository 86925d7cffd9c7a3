import assert from "node:assert/strict";
import { getDocument } from "pdfjs-dist/legacy/build/pdf.mjs";
import { newCase } from "../sales/parts.ts";
import { act, makeScene } from "../sales/tasks_world.ts";
import { type Actor, type Body, startApp } from "../support/app.ts";
import { farDatabase } from "../support/far.ts";

const reports = "/v1/reports";
const sunset = "Tue, 01 Jan 2019 00:00:00 GMT";

async function get(by: Actor, path: string): Promise<Body> {
  const { status, body, text, headers } = await by.call("GET", `${reports}/${path}`);
  assert.equal(status, 200, text);
  assert.equal(headers.get("sunset"), sunset);
  assert.match(headers.get("deprecation") ?? "", /^@\d+$/);
  return body;
}

/** Two open cases with offers of 300 and 100, one without a milestone, and one closed yesterday for 200. */
async function world(env: Record<string, string> = {}) {
  const app = await startApp(env);
  const { company, team, member, path } = await makeScene(app);
  const { admin } = company;
  const { body: car } = await admin.call("POST", "/v1/products", {
    fixed_fields: [{ name: "name", value: "Car" }, { name: "list_price", value: 100 }],
  });
  const line = (quantity: number) => ({ product_details: [{ products: [{ id: car.id, quantity }] }] });
  const [three, one, bare, sold] = [
    await newCase(member, path),
    await newCase(member, path),
    await newCase(member, path),
    await newCase(member, path, { created_at: "2026-02-27 08:00:00" }),
  ];
  await act(member, path, three.id, ["Offer"], line(3));
  await act(member, path, one.id, ["Contacted"], line(1));
  await act(member, path, sold.id, ["Sold"], { ...line(2), created_at: "2026-03-01 12:00:00" });
  const dated = await member.call("PUT", `/v1/cases/${three.id}/estimated_close_date`, {
    date: "2026-03-20",
  });
  assert.equal(dated.status, 200, dated.text);
  const stranger = await company.user({ teams: [await company.team()] });
  return { app, company, admin, member, team, path, car, three, one, bare, sold, stranger };
}

Deno.test("the pipeline counts open cases by path and by milestone, as the caller sees them", async () => {
  const { app, admin, member, stranger, path, three, bare, car } = await world();
  await using _app = app;
  assert.deepEqual((await get(member, "pipeline")).data, [{
    id: path.id,
    name: "New cars",
    value: 3,
    sum: 400,
  }]);
  assert.deepEqual((await get(stranger, "pipeline")).data, []);
  const pickShown = (body: Body) =>
    body.data.filter(({ value }: Body) => value > 0).map(({ name, chance_of_success, value, sum }: Body) => [
      name,
      chance_of_success,
      value,
      sum,
    ]);
  const whole = await get(admin, `pipeline/${path.id}`);
  assert.deepEqual(pickShown(whole), [["Contacted", 10, 1, 100], ["Offer", 60, 1, 300], [null, null, 1, 0]]);
  assert.deepEqual(whole.data.map(({ name }: Body) => name), [
    "Contacted",
    "Offer",
    "Reopened",
    "Sold",
    "Lost",
    null,
  ]);
  assert.deepEqual(pickShown(await get(admin, `pipeline/${path.id}?products=${car.id}`)), [
    ["Contacted", 10, 1, 100],
    ["Offer", 60, 1, 300],
  ]);
  assert.deepEqual(pickShown(await get(admin, `pipeline/${path.id}?users=${admin.id}`)), []);
  assert.deepEqual(pickShown(await get(admin, `pipeline/${path.id}?start_date=2026-03-03`)), []);
  assert.deepEqual(pickShown(await get(stranger, `pipeline/${path.id}`)), []);
  const turned = await admin.call(
    "GET",
    `${reports}/pipeline/${path.id}?start_date=2026-03-03&end_date=2026-03-02`,
  );
  assert.deepEqual(turned.body.errors?.map(({ path, code }: Body) => [path, code]), [[
    "query.end_date",
    "after",
  ]]);

  const cases = await get(member, `pipeline/${path.id}/${path.types.Offer}`);
  assert.deepEqual(cases.data.map(({ id }: Body) => id), [three.id]);
  const { body } = await member.call("GET", `/v1/cases?milestone_ids=${path.types.Offer}&status=open`);
  assert.deepEqual(cases.data, body.data);
  assert.deepEqual((await get(stranger, `pipeline/${path.id}/${path.types.Offer}`)).data, []);
  for (const wrong of [`${bare.id}`, `${path.id}/${bare.id}`, `${bare.id}/${path.types.Offer}`]) {
    assert.equal((await admin.call("GET", `${reports}/pipeline/${wrong}`)).status, 404, wrong);
  }
});

Deno.test("performance shows closed cases by day and open ones by their expected day, as values or numbers", async () => {
  const { app, admin, member, stranger, path, car } = await world();
  await using _app = app;
  const some = (days: Body[]) =>
    days.filter(({ value }) => value !== 0).map(({ date, value }) => [date, value]);
  await app.deps.db.write([{ sql: "update companies set product_mode = 'advanced'", args: [] }]);
  const values = await get(member, "performance");
  assert.deepEqual([values.past[0].date, values.past.at(-1).date], ["2026-02-02", "2026-03-02"]);
  assert.deepEqual([values.future[0].date, values.future.at(-1).date], ["2026-03-02", "2026-04-02"]);
  assert.deepEqual(some(values.past), [["2026-03-01", 200]]);
  // 300, weighted by a chance of 60 %.
  assert.deepEqual(some(values.future), [["2026-03-20", 180]]);
  await app.deps.db.write([{ sql: "update companies set product_mode = 'simple'", args: [] }]);
  const numbers = await get(admin, `performance?relations_path_id=${path.id}&products=${car.id}`);
  assert.deepEqual([some(numbers.past), some(numbers.future)], [[["2026-03-01", 1]], [["2026-03-20", 1]]]);
  const none = await get(stranger, "performance");
  assert.deepEqual([some(none.past), some(none.future)], [[], []]);
  const { body: category } = await admin.call("POST", "/v1/products/categories", { name: "Cars" });
  const ofCategory = await get(admin, `performance?categories=${category.id}`);
  assert.deepEqual([some(ofCategory.past), some(ofCategory.future)], [[], []]);
  // Timestamps are taken too.
  const days = await get(admin, "performance?start_date=2026-03-01 23:00:00&end_date=2026-03-05");
  assert.deepEqual([days.past.length, days.future.length], [2, 4]);
  const past = await get(admin, "performance?start_date=2025-01-01&end_date=2025-02-01");
  assert.deepEqual([past.past.length, past.future.length], [32, 0]);
  const ahead = await get(admin, "performance?start_date=2027-01-01&end_date=2027-02-01");
  assert.deepEqual([ahead.past.length, ahead.future.length], [0, 32]);
  const readRefusal = async (query: string) => {
    const { status, body } = await admin.call("GET", `${reports}/performance?${query}`);
    return [status, body.errors?.map(({ path, code }: Body) => `${path} ${code}`).join()];
  };
  assert.deepEqual(await readRefusal("start_date=2026-03-05&end_date=2026-03-05"), [
    422,
    "query.end_date after",
  ]);
  assert.deepEqual(await readRefusal("start_date=1900-01-01&end_date=2026-03-05"), [
    422,
    "query.end_date max",
  ]);
  assert.deepEqual(await readRefusal("start_date=tomorrow"), [422, "query.start_date format"]);
  assert.deepEqual(await readRefusal("start_date=2026-02-30"), [422, "query.start_date format"]);
  const wrong = await admin.call("GET", `${reports}/performance?start_date=tomorrow`);
  assert.match(wrong.body.errors[0].message, /a date .* or a timestamp/);
  const rfc = await get(admin, "performance?start_date=2026-03-01T23:00:00Z&end_date=2026-03-05");
  assert.deepEqual(rfc, days);
});

Deno.test("performance of categories counts their products, in two round trips", () =>
  farDatabase(async ({ hrana, env }) => {
    const { app, admin, car } = await world(env);
    await using _app = app;
    const { body: category } = await admin.call("POST", "/v1/products/categories", { name: "Cars" });
    const put = await admin.call("PUT", `/v1/products/${car.id}`, { category: { id: [category.id] } });
    assert.equal(put.status, 200, put.text);
    // Longer than the cache keeps a caller of a remote database.
    app.clock.move(6_000);
    await app.idle();
    hrana.reset();
    const { past, future } = await get(admin, `performance?categories=${category.id}`);
    assert.equal(hrana.roundTrips(), 2);
    const counted = [...past, ...future].filter(({ value }: Body) => value !== 0);
    assert.deepEqual(counted.map(({ date }: Body) => date), ["2026-03-01", "2026-03-20"]);
  }));

Deno.test("the deprecated reports answer for the first and the last days that a date can express", async () => {
  const { app, admin, path } = await world();
  await using _app = app;
  for (const timezone of ["America/New_York", "UTC", "Asia/Tokyo"]) {
    await app.deps.db.write([{ sql: "update companies set timezone = ?", args: [timezone] }]);
    const last = (await get(admin, "performance?start_date=9999-12-30&end_date=9999-12-31")).future;
    assert.deepEqual(last.map(({ date }: Body) => date), ["9999-12-30", "9999-12-31"], timezone);
    const first = (await get(admin, "performance?start_date=0000-01-01&end_date=0000-01-02")).past;
    assert.deepEqual(first.map(({ date }: Body) => date), ["0000-01-01", "0000-01-02"], timezone);
    const moments = await get(
      admin,
      "performance?start_date=9999-12-30 00:00:00&end_date=9999-12-31 23:59:59",
    );
    assert.equal(moments.future.at(-1).date, "9999-12-31", timezone);
    await get(admin, "performance?start_date=0000-01-01 00:00:00&end_date=0000-01-03 00:00:00");
    const { data } = await get(
      admin,
      `pipeline/${path.id}?start_date=0000-01-01 00:00:00&end_date=9999-12-31`,
    );
    assert.equal(data.reduce((sum: number, { value }: Body) => sum + value, 0), 3, timezone);
    const { url } = await get(admin, "performance/export/pdf?start_date=9999-12-30&end_date=9999-12-31");
    const printed = await fetch(url);
    assert.equal(printed.status, 200, timezone);
    await printed.body?.cancel();
  }
});

Deno.test("colleagues are asked to look at the report as it was, and read it", async () => {
  const { app, admin, member, stranger, team } = await world();
  await using _app = app;
  const body = { notify: { users: [stranger.id], teams: [team] }, message: "Look <b>here</b>" };
  const sent = await admin.call("POST", `${reports}/performance/notify`, body);
  assert.equal(sent.status, 204, sent.text);
  assert.equal(sent.headers.get("sunset"), sunset);
  for (const reader of [stranger, member]) {
    const [notice] = (await reader.call("GET", "/v1/notifications")).body.data;
    assert.deepEqual([notice.type, notice.message], ["notified_report", "Look <b>here</b>"]);
    const kept = await reader.call("GET", `${reports}/deliveries/${notice.data.notified_report.id}`);
    assert.equal(kept.status, 200, kept.text);
    assert.equal(kept.body.scheduled_report, null);
    assert.deepEqual(kept.body.data.past, (await get(admin, "performance")).past);
  }
  const readRefusal = async (given: object) => {
    const { status, body: { errors } } = await admin.call("POST", `${reports}/performance/notify`, {
      ...body,
      ...given,
    });
    return [status, ...errors.map(({ path, code }: Body) => `${path} ${code}`)];
  };
  assert.deepEqual(await readRefusal({ notify: {} }), [422, "notify required"]);
  assert.deepEqual(await readRefusal({ notify: { users: [admin.id, 98765], teams: [87654] } }), [
    422,
    "notify.users[1] exists",
    "notify.teams[0] exists",
  ]);
  assert.deepEqual(await readRefusal({ message: "" }), [422, "message min"]);
});

Deno.test("parameters that are too long for an address are refused by the name of the longest", async () => {
  const { app, member } = await world();
  await using _app = app;
  const ids = Array.from({ length: 400 }, (_, index) => 100_000_000_000_000 + index).join();
  for (const name of ["users", "teams", "categories"]) {
    const { status, body } = await member.call("GET", `${reports}/performance/export/pdf?${name}=${ids}`);
    assert.deepEqual([status, body.errors?.[0].path, body.errors?.[0].code], [422, `query.${name}`, "max"]);
  }
});

Deno.test("the report as a PDF has its days, and its address needs no token for five minutes", async () => {
  const { app, member } = await world();
  await using _app = app;
  const { url } = await get(member, "performance/export/pdf");
  const response = await fetch(url);
  assert.equal(response.headers.get("content-type"), "application/pdf");
  const document = await getDocument({
    data: new Uint8Array(await response.arrayBuffer()),
    useSystemFonts: false,
    verbosity: 0,
  }).promise;
  const { items } = await (await document.getPage(1)).getTextContent();
  const text = items.map((item) => "str" in item ? item.str : "").join(" ");
  for (const part of ["Performance", "2026-03-01", "Closed", "Expected"]) {
    assert.ok(text.includes(part), text);
  }
  await document.destroy();
  app.clock.move(6 * 60_000);
  const ended = await fetch(url);
  assert.equal(ended.status, 404);
  await ended.body?.cancel();
});

Deno.test("the pipeline by milestone has the decimals of the company's currency", async () => {
  const { app, company, admin, path, car } = await world();
  await using _ = app;
  const made = await newCase(admin, path);
  const product_details = [{ products: [{ id: car.id, price: 1.2345 }] }];
  await act(admin, path, made.id, ["Contacted"], { product_details });
  const sums = async (currency: string) => {
    const { body: { name } } = await admin.call("GET", `/v1/companies/${company.id}`);
    await admin.call("PUT", `/v1/companies/${company.id}`, { name, currency });
    return (await get(admin, `pipeline/${path.id}`)).data[0].sum;
  };
  assert.equal(await sums("KWD"), 101.235);
  assert.equal(await sums("JPY"), 101);
});
