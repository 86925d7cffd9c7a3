/** Nothing of a deleted person stays longer than the list says: in tables, files, logs and backups. */
import assert from "node:assert/strict";
import { getTableConfig } from "drizzle-orm/sqlite-core";
import { impersonal, impersonalIn, longestAfter, personalData } from "../src/core/personal_data.ts";
import { companyErasureWork } from "../src/erase.ts";
import { tables as declared } from "../src/schema.ts";
import { runStaged } from "../src/staged/run.ts";
import { type Body, startApp } from "./support/app.ts";
import { day, env, findPlaces, makeScene, marks, ofContact, passDays } from "./personal_data_world.ts";
import { postRecord, put } from "./messages/campaign_world.ts";

const splitNames = (columns: string | undefined) => columns?.split(" ") ?? [];

Deno.test("every column that can hold text is on the list of personal data, or of columns without any", () => {
  const tables = declared.map(getTableConfig);
  const listColumns = (table: string) => [
    ...personalData.flatMap(({ columns }) => splitNames(columns[table])),
    ...splitNames(impersonalIn[table]),
  ];
  const unlisted = tables.flatMap(({ name, columns }) =>
    columns.filter((column) => !/^(?:integer|real)$/.test(column.getSQLType()))
      .filter((column) => !impersonal.test(column.name) && !listColumns(name).includes(column.name))
      .map((column) => `${name}.${column.name}`)
  );
  assert.deepEqual(unlisted, []);
  const known = new Set(
    tables.flatMap(({ name, columns }) => columns.map((column) => `${name}.${column.name}`)),
  );
  const lists = [...personalData.map(({ columns }) => columns), impersonalIn].flatMap((list) =>
    Object.entries(list).flatMap(([table, columns]) =>
      splitNames(columns).map((column) => `${table}.${column}`)
    )
  );
  assert.deepEqual(lists.filter((column) => !known.has(column)), []);
  assert.deepEqual(lists.filter((column, at) => lists.indexOf(column) !== at), [], "listed twice");
});

Deno.test("of a deleted contact nothing stays in tables, files, logs and backups after the longest time", async () => {
  await using app = await startApp(env);
  const { company, account, close } = await makeScene(app);
  const before = await findPlaces(app, ofContact);
  for (const table of ["contacts", "correspondences", "campaign_messages", "outbox", "leads", "refusals"]) {
    assert.ok(before.some((place) => place.startsWith(`table ${table}.`)), table);
  }
  assert.deepEqual(before.filter((place) => place.startsWith("log")), []);
  assert.deepEqual(before.filter((place) => place.startsWith("table notifications")), []);
  assert.equal((await company.admin.call("DELETE", `/v1/accounts/${account.id}`)).status, 204);
  await passDays(app, longestAfter / day + 1);
  assert.deepEqual(await findPlaces(app, ofContact), []);
  await close();
});

Deno.test("a notification of a deleted contact names nobody", async () => {
  await using app = await startApp(env);
  const { company, member, account, contact, close } = await makeScene(app);
  const incoming = async () => {
    const { body } = await member.call("GET", "/v1/notifications");
    const { data, message } = body.data.find(({ type }: Body) => type === "incoming_email");
    return { contact: data.contact?.first_name, subject: data.email?.subject, message };
  };
  const { first_name } = marks;
  const shown = await incoming();
  assert.deepEqual([shown.contact, shown.subject], [first_name, `Re from ${marks.last_name}`]);
  assert.match(shown.message, new RegExp(first_name));
  const path = `/v1/accounts/${account.id}/contacts/${contact.id}`;
  assert.equal((await company.admin.call("DELETE", path)).status, 204);
  const gone = await incoming();
  assert.deepEqual([gone.contact, gone.subject], [undefined, undefined]);
  assert.match(gone.message, /^A contact sent an e-mail to /);
  await close();
});

Deno.test("of a deleted user the name alone stays, and nothing of an erased company", async () => {
  await using app = await startApp({ ...env, ERASE_AFTER: "0" });
  const { company, close } = await makeScene(app);
  const { admin } = company;
  const given = {
    email: "zqgracemail@example.org",
    phone_number: "+31 6 55557101",
    job_title: "Zqgracetitle",
  };
  const names = { first_name: "Zqgracefirst", last_name: "Zqhopperlast" };
  const users = `/v1/companies/${company.id}/users`;
  const user = await postRecord(admin, users, { ...given, ...names, password: "ten chars!" });
  await put(admin, `${users}/${user.id}`, { signature: { email: "<p>Zqgracesign</p>" } });
  const [row] = await app.sql("select password_hash from users where id = ?", user.id);
  const texts = [given.email, given.phone_number, given.job_title, "Zqgracesign", String(row!.password_hash)];
  assert.ok((await findPlaces(app, texts)).includes("table users.signature_email"));
  assert.equal((await admin.call("DELETE", `${users}/${user.id}`)).status, 204);
  await passDays(app, longestAfter / day + 1);
  assert.deepEqual(await findPlaces(app, texts), []);
  const ofNames = await findPlaces(app, Object.values(names));
  assert.deepEqual(ofNames.filter((place) => place.startsWith("table")), [
    "table users.first_name",
    "table users.last_name",
  ]);

  assert.equal((await admin.call("DELETE", `/v1/companies/${company.id}`)).status, 204);
  await runStaged(app.deps, app.clock.now() + day, [companyErasureWork]);
  await passDays(app, longestAfter / day + 1);
  assert.deepEqual(await findPlaces(app, [...ofContact, ...texts, ...Object.values(names)]), []);
  await close();
});
