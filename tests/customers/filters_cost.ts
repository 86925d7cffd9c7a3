/**
 * Serves an app of its own over many texts, and asks it for the most costly filters and searches that are allowed.
 * Prints as JSON how they were answered, how long the longest took, and by how many MiB the process grew: at most
 * during one of them, and in all.
 */
import { indexTexts } from "../../src/customers/texts/index_texts.ts";
import { type Body, startApp } from "../support/app.ts";
import { createAccount, createContact } from "./filters_world.ts";

await using app = await startApp({ RATE_LIMIT: "" });
const { admin } = await app.company();
const firm = await createAccount(admin, "Firm");
const person = await createContact(admin, firm.id, "First");
const columns =
  (await app.sql("select name from pragma_table_info('contacts') where name not in ('seq', 'id')"))
    .map(({ name }) => String(name));
// Texts of digits and letters, in which each part of three characters occurs many times.
const text = "'0000000000 abcabcabc ' || hex(randomblob(40)) || n";
await app.deps.db.write([{
  sql: `with recursive up(n) as (select 1 union all select n + 1 from up where n < 20000)
    insert into contacts (id, ${columns}) select printf('01939c5e-7d3a-7003-8000-%012x', n),
    ${columns.map((name) => ["last_name", "email", "title"].includes(name) ? text : name)} from contacts
    cross join up where id = ?`,
  args: [person.id],
}]);
await indexTexts({ db: app.deps.db }, { rows: 5_000 });

const last = "b2b_contact.fixed_fields.last_name";
const condition = (operator: string, value: unknown, field = last): Body => ({ field, operator, value });
const many = (count: number, make: (n: number) => Body): Body[] =>
  Array.from({ length: count }, (_, n) => make(n));
const makeText = (n: number, length: number) => `${n}abc0000`.padEnd(length, String(n) + "0a");
const nestConditions = (levels: number): Body[] =>
  levels === 0
    ? many(15, (n) => condition("ct", makeText(n, 200)))
    : [{ [levels % 2 ? "or" : "and"]: nestConditions(levels - 1) }];

const filters: Record<string, Body[]> = {
  "one text": [condition("ct", "0".repeat(255))],
  "one text of many parts": [condition("ct", makeText(123456, 255))],
  "texts of which one is there": [{ or: many(150, (n) => condition("ct", makeText(n, 218))) }],
  "texts that are all there": many(150, (n) => condition("ct", makeText(n, 218))),
  "short texts": [{ or: many(190, (n) => condition("ct", `00${n}`)) }],
  "texts that are not there": many(150, (n) => condition("nct", makeText(n, 218))),
  "ends": [{ or: many(150, (n) => condition("ew", makeText(n, 218))) }],
  "levels": nestConditions(9),
  "lists": [{ or: many(60, (n) => condition("in", many(30, (m) => String(n * 1000 + m).padEnd(18, "x")))) }],
  "many kinds": many(80, (n) =>
    condition(
      n % 3 ? "ew" : "nct",
      makeText(n, 255),
      [
        "b2b_contact.fixed_fields.email",
        "account.fixed_fields.city",
        "lead.lead_source",
        "lead.interest",
      ][n % 4],
    )),
};
const searches = [
  [..."abcdefghijklmnopqrstuvwxyz0123456789"].join(" "),
  "0 00 000 0000 00000",
  "x".repeat(255),
];

/** The memory of this process, in MiB. */
const size = () => Deno.memoryUsage().rss / 2 ** 20;

const answers: Record<string, number> = {};
let longest = 0;
let [before, most, largest] = [0, 0, 0];
async function measure(name: string, call: () => Promise<{ status: number }>): Promise<void> {
  const started = performance.now();
  const used = most = size();
  answers[name] = (await call()).status;
  longest = Math.max(longest, performance.now() - started);
  most = Math.max(most, size());
  largest = Math.max(largest, most - used);
}

// Starts the threads and reads the file before memory is measured.
await admin.call("POST", "/v1/contacts/filter", { filter: [condition("nct", "zzz")] });
before = size();
most = before;
const watch = setInterval(() => most = Math.max(most, size()), 5);
for (const [name, filter] of Object.entries(filters)) {
  await measure(name, () => admin.call("POST", "/v1/contacts/filter", { filter }));
}
for (const search of searches) {
  await measure(`search ${search.slice(0, 20)}`, () => admin.call("GET", `/v1/contacts?search=${search}`));
}
clearInterval(watch);
console.log(JSON.stringify({ answers, longest, largest, grown: size() - before }));
