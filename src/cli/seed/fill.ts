/** Fills a database with one made-up company: the same plan gives the same rows. */
import { indexTexts } from "../../customers/texts/index_texts.ts";
import { sql } from "../../db/statements.ts";
import { settings } from "../../platform/database/connection.ts";
import type { Database } from "../../platform/database/database.ts";
import { takeCase } from "./cases.ts";
import { chooseModel, newAccount, newContact, takeCustomers } from "./customers.ts";
import { type ChoiceField, makeChoiceField } from "./fields.ts";
import { takeAcceptedLead, takeOpenLead } from "./leads.ts";
import { makeOrganisation, type Organisation } from "./organisation.ts";
import { poolsOf } from "./pools.ts";
import { makeSalesProcess, type SalesProcess } from "./process.ts";
import { deal, type Random, randomOf } from "./random.ts";
import { countRows, noRows, type Rows, writeRows } from "./rows.ts";

export interface Plan {
  readonly seed: number;
  /** Epoch milliseconds: everything lies in the three years before. */
  readonly now: number;
  readonly contacts: number;
  /** At most as many as contacts: each has one at least. */
  readonly accounts: number;
  readonly cases: number;
  readonly leads: number;
  /** At least 2: the head office and a dealer. */
  readonly teams: number;
  /** At least 3, and at least as many as teams, so that each has somebody. */
  readonly users: number;
  /** Of everybody's password. */
  readonly passwordHash: string;
}

/**
 * Rows in one transaction. Most indexes are in another order than that in which rows are made, so that nearly every
 * row changes a page of each; the more rows together, the fewer times a page is written.
 */
const batchRows = 50_000;
/** Three years in milliseconds. */
const history = 3 * 365 * 24 * 60 * 60_000;

/**
 * `db`: a file's is to write in its own thread, on the connection whose settings are changed meanwhile.
 * `told` hears of each batch, with the number of rows since the start.
 */
export async function fill(
  db: Database,
  plan: Plan,
  told: (rows: number) => void = () => {},
): Promise<Organisation> {
  const [found] = await db.read([sql`select count(*) as n, max(id) as last from companies`]);
  if (db.kind === "file") {
    // A page that many batches change is then written into the file once instead of after each of them, indexes
    // in no order of time are not read again and again, and who loses power loses the last of made-up rows.
    await db.script(
      "pragma wal_autocheckpoint = 400000; pragma cache_size = -1048576; pragma synchronous = normal",
    );
  }
  const random = randomOf(plan.seed + Number(found!.rows[0]!.last ?? 0));
  const begin = plan.now - history;
  const organisation = await makeOrganisation(db, random, poolsOf(plan.seed), { ...plan, begin });
  const process = await makeSalesProcess(db, random, organisation, begin);
  const field = await makeChoiceField(db, random, organisation, begin);
  await db.write([
    sql`insert into case_numbers (company_id, last) values (${organisation.companyId}, ${plan.cases})`,
  ]);
  let [rows, written] = [noRows(), 0];
  for (const _ of customers(() => rows, random, plan, organisation, process, field, await lastSeqs(db))) {
    if (countRows(rows) < batchRows) continue;
    written += countRows(rows);
    await writeRows(db, rows);
    told(written);
    rows = noRows();
  }
  await writeRows(db, rows);
  told(written + countRows(rows));
  await indexTexts({ db }, { rows: batchRows, until: Infinity });
  if (db.kind === "file") {
    await db.script(`${settings} pragma wal_checkpoint(passive)`);
  }
  // What is looked up later is planned by how many rows there are.
  // With a limit, statistics are of the kind that statements stay prepared with.
  await db.script("pragma analysis_limit = 1000; analyze");
  return organisation;
}

/** Puts one account after the other on its way, with its contacts, cases and leads. */
function* customers(
  rows: () => Rows,
  random: Random,
  plan: Plan,
  { companyId, agencyTeamId, dealers }: Organisation,
  process: SalesProcess,
  field: ChoiceField,
  last: { accounts: number; contacts: number; cases: number },
): Generator<void> {
  const { now } = plan;
  const won = Math.min(Math.floor(plan.leads / 2), plan.cases);
  const share = {
    contacts: deal(random, plan.contacts - plan.accounts, plan.accounts),
    cases: deal(random, plan.cases, plan.accounts),
    won: deal(random, won, plan.accounts),
    open: deal(random, plan.leads - won, plan.accounts),
  };
  let [number, fromLeads] = [0, 0];
  for (let i = 0; i < plan.accounts; i++) {
    const dealer = random.pick(dealers);
    const owner = { companyId, dealer, userId: random.pick(dealer.userIds) };
    const at = now - history + Math.floor((i + random.fraction()) / plan.accounts * 0.98 * history);
    const count = 1 + share.contacts();
    const account = newAccount(random, { ...owner, seq: ++last.accounts, at }, count);
    const contacts = Array.from({ length: count }, (_, index) => {
      const later = index === 0 ? 0 : Math.floor(random.fraction() * (now - at) / 3);
      return newContact(random, { ...owner, seq: ++last.contacts, at: at + later }, account);
    });
    fromLeads += share.won();
    for (let left = share.cases(); left > 0; left--) {
      const facts = { account, contact: random.pick(contacts), now };
      const opened = at + Math.floor((1 + 2 * random.fraction()) / 3 * (now - at));
      const of = takeCase(rows(), random, process, {
        ...facts,
        seq: ++last.cases,
        number: ++number,
        at: opened,
      });
      if (fromLeads === 0) continue;
      fromLeads--;
      takeAcceptedLead(rows(), random, process, { ...facts, dealer, agencyTeamId, of });
    }
    for (const contact of contacts) chooseModel(rows(), field, contact);
    takeCustomers(rows(), account, contacts);
    const strangers = share.open() + (i === plan.accounts - 1 ? fromLeads : 0);
    for (let left = strangers; left > 0; left--) {
      const account = newAccount(random, { ...owner, seq: 0, at: now }, 1);
      const contact = newContact(random, { ...owner, seq: 0, at: now }, account);
      takeOpenLead(rows(), random, process, { account, contact, dealer, agencyTeamId, now });
    }
    yield;
  }
}

/** The last row ids, so that what the full-text index keeps finds its row. */
async function lastSeqs(db: Database): Promise<{ accounts: number; contacts: number; cases: number }> {
  const [found] = await db.read([
    sql`select (select max(seq) from accounts) as accounts, (select max(seq) from contacts) as contacts,
    (select max(seq) from cases) as cases`,
  ]);
  const { accounts, contacts, cases } = found!.rows[0]!;
  return { accounts: Number(accounts), contacts: Number(contacts), cases: Number(cases) };
}
