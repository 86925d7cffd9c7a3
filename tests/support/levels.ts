/** Computes levels from the present records and compares them with the figures of reports. */
import assert from "node:assert/strict";
import { type Sql, sql } from "../../src/db/statements.ts";
import type { Deps } from "../../src/deps.ts";
import { readMetricRows } from "../../src/insight/reports/answers.ts";
import { parseQuestion, readCompanyRow } from "../../src/insight/reports/parameters.ts";

/** Values by indicator, user and team. */
type Levels = ReadonlyMap<string, number>;

/** The most companies to compare. The figures of the others are computed in the same way. */
const most = 8;

/** Compares the levels of the first companies that have records. Returns how many figures are not 0. */
export async function checkLevels({ db, clock }: Pick<Deps, "db" | "clock">): Promise<number> {
  const [found, latest] = await db.read([
    sql`select id, name, locale, timezone, currency, product_mode from companies where deleted_at is null
      order by (select count(*) from cases c where c.company_id = companies.id) desc, id limit ${most}`,
    sql`select max(recorded_at) as at from facts`,
  ]);
  // The clock of a process that has made changes can be ahead of this one.
  const now = Math.max(clock.now(), Number(latest!.rows[0]!.at) * 1000);
  let count = 0;
  for (const row of found!.rows) {
    const company = readCompanyRow(row);
    const levels = await readLevels(db, company.id, now);
    const caller = {
      companyId: company.id,
      userId: 0,
      userType: "admin",
      rights: new Set<never>(),
      teamIds: [],
      groupIds: [],
      visibleTeamIds: [],
      activeTeamId: null,
    } as const;
    const asked = { indicators: [...sources.keys()], group_by: ["user", "team"] } as const;
    const question = parseQuestion(asked, company.timezone, now);
    const rows = await readMetricRows({ deps: { db }, caller, company }, question);
    const shown = rows.map(({ indicator, group, value }) =>
      [
        JSON.stringify([indicator, ...group.ids]),
        value ?? 0,
      ] as const
    );
    assert.deepEqual(sortLevels(new Map(shown)), sortLevels(levels), `levels of company ${company.id}`);
    count += levels.size;
  }
  return count;
}

/** SQL of a level: rows with `user_id`, `team_id` and `value`. Parameters: the company and the time. */
type Source = (company: number, at: string) => Sql;

const accounts = (b2c: 0 | 1): Source => (company) =>
  sql`select user_id, team_id, 1 as value from accounts
    where company_id = ${company} and counts = 1 and b2c = ${b2c}`;

const contacts = (condition: Sql): Source => (company) =>
  sql`select c.user_id, iif(a.counts = 1, a.team_id, c.team_id) as team_id, 1 as value from contacts c
    join accounts a on a.id = c.account_id where c.company_id = ${company} and ${condition}`;

/** The value of a case's latest offer, multiplied by a factor. */
const cases = (factor: Sql): Source => (company) =>
  sql`select c.user_id, c.team_id, ${factor} * (select ifnull(sum((l.value ->> 'quantity') *
      ifnull(l.value ->> 'price', 0) - ifnull(l.value ->> 'discount', 0)), 0)
    from (select a.product_details from activities a where a.case_id = c.id and a.product_details <> '[]'
      order by a.created_at desc, a.id desc limit 1) o,
      json_each(o.product_details) d, json_each(d.value, '$.products') l) as value
    from cases c where c.company_id = ${company} and c.status = 'open'`;

const sources: ReadonlyMap<string, Source> = new Map<string, Source>([
  ["accounts.b2b.total", accounts(0)],
  ["accounts.b2c.total", accounts(1)],
  ["contacts.b2b.total", contacts(sql`c.b2c = 0`)],
  ["contacts.b2c.total", contacts(sql`c.b2c = 1`)],
  ["accounts_contacts.without_address", contacts(sql`ifnull(a.address, '') = ''`)],
  ["accounts_contacts.without_email", contacts(sql`ifnull(c.email, '') = ''`)],
  ["accounts_contacts.without_phone_number", contacts(sql`ifnull(c.phone_number, '') = ''`)],
  ["contacts.consent.email", contacts(sql`c.consent_email = 1`)],
  ["contacts.consent.call", contacts(sql`c.consent_call = 1`)],
  ["contacts.consent.letter", contacts(sql`c.consent_letter = 1`)],
  ["contacts.consent.sms", contacts(sql`c.consent_sms = 1`)],
  [
    "leads.open",
    (company, at) =>
      sql`select user_id, team_id, 1 as value from leads where company_id = ${company} and deleted_at is null
      and (expires_at is null or expires_at > ${at})
      and state in ('assignable', 'assigned', 'rejected', 'escalated', 'called', 'revoked')`,
  ],
  [
    "cases.open",
    (company) =>
      sql`select user_id, team_id, 1 as value from cases where company_id = ${company} and status = 'open'`,
  ],
  ["cases.open.value", cases(sql`1`)],
  ["cases.open.weighted_value", cases(sql`c.chance_of_success / 100.0`)],
  [
    "tasks.overdue",
    (company, at) =>
      sql`select t.user_id, c.team_id, 1 as value from tasks t join cases c on c.id = t.case_id
      where t.company_id = ${company} and t.completed_at is null and t.end_at <= ${at}`,
  ],
  [
    "users.total",
    (company) =>
      sql`select u.id as user_id, m.team_id, 1 as value from users u join team_members m on m.user_id = u.id
      where u.company_id = ${company} and u.deleted_at is null`,
  ],
]);

async function readLevels(db: Deps["db"], company: number, now: number): Promise<Levels> {
  const at = new Date(now).toISOString().slice(0, 19).replace("T", " ");
  const names = [...sources.keys()];
  const results = await db.read(
    names.map((name) =>
      sql`select user_id, team_id, round(sum(value), 2) as value from (${sources.get(name)!(company, at)})
      group by user_id, team_id having sum(value) <> 0`
    ),
  );
  return new Map(results.flatMap(({ rows }, index) =>
    rows.map(({ user_id, team_id, value }) => [
      JSON.stringify([names[index], user_id, team_id]),
      Number(value),
    ])
  ));
}

const sortLevels = (levels: Levels) => Object.fromEntries([...levels].sort(([a], [b]) => a < b ? -1 : 1));
