/** Lists that are longer than a page of the console shows, walked by their links on each page that has one. */
import assert from "node:assert/strict";
import { startApp } from "../support/app.ts";
import type { Browser } from "../support/browser.ts";
import { growCompany } from "./grown.ts";
import { signedIn } from "./world.ts";

interface ShownList {
  readonly of: string;
  readonly total: number;
  /** The rows, without what is new each time they are shown. */
  readonly rows: readonly string[];
  /** Where the next page is. */
  readonly next: string | null;
  /** Where the whole list is. */
  readonly all: string | null;
}

/** Reads the lists of a page, each with the links below it. */
function readLists(html: string): ShownList[] {
  const [main] = /<main.*<\/main>/s.exec(html)!;
  return main.split(/(?=<(?:ul|div)[^>]* data-list=)/).slice(1).map((part) => {
    const [, of, total] = /data-list="([^"]*)" data-total="(\d+)"/.exec(part)!;
    const [list, ...rest] = part.split("</ul>");
    const below = rest.join("").split("<h2", 1)[0]!;
    const find = (link: RegExp) => link.exec(below)?.[1]?.replaceAll("&amp;", "&") ?? null;
    return {
      of: of!,
      total: Number(total),
      rows: (list!.match(/<li[ >].*?<\/li>/gs) ?? []).map((row) =>
        row.replaceAll(/<input type="hidden"[^>]*>/g, "")
      ),
      next: find(/<a rel="next" href="([^"#]*)/),
      all: find(/<p class="all"><a href="([^"#]*)/),
    };
  });
}

/** Lists of which a page shows all that there are. */
const short = ["sessions"];
Deno.test("each list that a page cuts leads to each of its rows once", async (t) => {
  await using app = await startApp();
  const sizes = { contacts: 120, accounts: 40, cases: 80, leads: 90, teams: 30, users: 30 };
  const lengths = { activitiesOfCase: 60, notesOfCustomer: 60, filesOfRecord: 40, noticesOfPerson: 60 };
  const { admin, addresses } = await growCompany(app, sizes, lengths);
  const browser = await signedIn(app, admin);
  const [named] = await app.sql("select id, account_id from contacts where b2c = 0 limit 1");
  // Files that the admin owns, and lists that a search makes.
  const searched = [
    "/app/search?q=pdf",
    "/app/search?q=pdf&types=file",
    `/app/accounts/${named!.account_id}/merge?search=a`,
    `/app/contacts/${named!.id}/merge?search=a`,
  ];
  const faults: string[] = [];
  const [seen, cut, followed] = [new Set<string>(), new Set<string>(), new Set<string>()];
  for (const address of [...addresses, ...searched]) {
    const page = (await browser.get(address)).text;
    if (page.includes('<div class="board ')) continue;
    for (const list of readLists(page)) {
      const { of, total, rows, next, all } = list;
      seen.add(of);
      if (rows.length >= total) continue;
      cut.add(of);
      const first = next ? address : all;
      if (!first) {
        faults.push(`${address}: ${rows.length} of ${total} ${of}, and no link`);
        continue;
      }
      if (followed.has(`${first} ${of}`)) continue;
      followed.add(`${first} ${of}`);
      const walked = await walk(browser, first, of, next);
      if (walked.rows < total || walked.different !== walked.rows) {
        faults.push(`${address}: ${walked.rows} rows, ${walked.different} different, of ${total} ${of}`);
      }
      faults.push(...walked.faults);
      if (address === "/app" && of === "tasks" && !/^(overdue )+(pending )*(later )+$/.test(walked.states)) {
        faults.push(`tasks in the order ${walked.states}`);
      }
    }
  }
  assert.deepEqual(faults, []);
  const count = async (address: string, of: string) =>
    readLists((await browser.get(address)).text).find((list) => list.of === of)?.total;
  const contacts = await count("/app/customers?kind=contacts&search=a", "contacts");
  assert.ok(contacts! > 26, `${contacts} contacts`);
  assert.equal(await count(searched.at(-1)!, "contacts"), contacts, "the search of a merge");
  const missing = [...seen].filter((of) => !cut.has(of) && !short.includes(of));
  await t.step("the company has more of everything than a page shows", () => assert.deepEqual(missing, []));
});

/** Follows a list to its end. The other lists of the page stay where they are. */
async function walk(browser: Browser, from: string, of: string, expected: string | null) {
  const [rows, faults]: [string[], string[]] = [[], []];
  let others: string | null = null;
  for (let at: string | null = from; at !== null;) {
    const { text, status } = await browser.get(at);
    const lists = readLists(text);
    const list = lists.find((one) => one.of === of);
    if (status !== 200 || !list) {
      faults.push(`${at}: ${status}, without ${of}`);
      break;
    }
    if (text.includes('class="alert"')) faults.push(`${at}: an alert`);
    if (at === from && expected !== null && list.next !== expected) faults.push(`${at}: ${list.next}`);
    const stayed = JSON.stringify(
      lists.filter((one) => one !== list).map(({ of, rows }) => [of, rows.length]),
    );
    if (others !== null && stayed !== others) faults.push(`${at}: another list moves, too`);
    others = stayed;
    if (list.rows.length > 25) faults.push(`${at}: ${list.rows.length} rows`);
    rows.push(...list.rows);
    at = list.next;
  }
  const states = rows.map((row) => `${/data-status="(\w+)"/.exec(row)?.[1]} `).join("");
  return { rows: rows.length, different: new Set(rows).size, states, faults };
}
