/** Fills a database with one made-up company: the same plan gives the same rows. */
import { indexTexts } from "../../customers/texts/index_texts.ts";
import { sql } from "../../db/statements.ts";
import { settings } from "../../platform/database/connection.ts";
import type { Database } from "../../platform/database/database.ts";
import { takeCase } from "./cases.ts";
import { chooseModel, makeAccount, makeContact, takeCustomers } from "./customers.ts";
import { addWaitingWork } from "./waiting_work.ts";
import { type ChoiceField, makeChoiceField } from "./fields.ts";
import { takeAcceptedLead, takeOpenLead } from "./leads.ts";
import { makeOrganisation, type Organisation } from "./organisation.ts";
import { makePools } from "./pools.ts";
import { makeProducts } from "./products.ts";
import { makeSalesProcess, type SalesProcess } from "./process.ts";
import { deal, makeRandom, type Random } from "./random.ts";
import { countRows, makeRows, type Rows, writeRows } from "./rows.ts";

export interface Plan {
  readonly seed: number;
  /** Epoch milliseconds. All records date from the three years before. */
  readonly now: number;
  readonly contacts: number;
  /** At most the number of contacts: each account has at least one. */
  readonly accounts: number;
  readonly cases: number;
  readonly leads: number;
  /** At least 2: the head office and a dealer. */
  readonly teams: number;
  /** At least 3, and more than the number of teams, so that each team has a user besides the admin. */
  readonly users: number;
  /** Hash of the password of all users. */
  readonly passwordHash: string;
}

/**
 * Rows per transaction. Most indexes have another order than the inserts, so nearly every row changes a page
 * of each index. Larger transactions write each page fewer times.
 */
const batchRows = 50_000;
/** Three years in milliseconds. */
const history = 3 * 365 * 24 * 60 * 60_000;

/**
 * `db`: for a file, a connection that writes in the calling thread, because its settings change meanwhile.
 * `report` receives the number of rows after each batch.
 */
export async function fill(
  db: Database,
  plan: Plan,
  report: (rows: number) => void = () => {},
): Promise<Organisation> {
  const [found] = await db.read([sql`select count(*) as n, max(id) as last from companies`]);
  if (db.kind === "file") {
    // Writes a page once instead of after each batch and keeps indexes in memory. A power cut loses the last
    // made-up rows only.
    await db.script(
      "pragma wal_autocheckpoint = 400000; pragma cache_size = -1048576; pragma synchronous = normal",
    );
  }
  const random = makeRandom(plan.seed + Number(found!.rows[0]!.last ?? 0));
  const begin = plan.now - history;
  const organisation = await makeOrganisation(db, random, makePools(plan.seed), { ...plan, begin });
  const products = await makeProducts(db, random, organisation, begin);
  const process = await makeSalesProcess(db, random, organisation, products, begin);
  const field = await makeChoiceField(db, random, organisation, begin);
  await db.write([
    sql`insert into case_numbers (company_id, last) values (${organisation.companyId}, ${plan.cases})`,
  ]);
  let [rows, written] = [makeRows(), 0];
  for (const _ of customers(() => rows, random, plan, organisation, process, field, await readLastSeqs(db))) {
    if (countRows(rows) < batchRows) continue;
    written += countRows(rows);
    await writeRows(db, rows);
    report(written);
    rows = makeRows();
  }
  await writeRows(db, rows);
  report(written + countRows(rows));
  await addWaitingWork(db, random, organisation, plan.now);
  await indexTexts({ db }, { rows: batchRows, until: Infinity });
  if (db.kind === "file") {
    await db.script(`${settings} pragma wal_checkpoint(passive)`);
  }
  // Statistics let SQLite plan later queries by the number of rows. With a limit SQLite makes no histograms,
  // which would make it prepare statements again for each value.
  await db.script("pragma analysis_limit = 1000; analyze");
  return organisation;
}

/** Adds accounts one by one, each with its contacts, cases and leads. */
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
    const account = makeAccount(random, { ...owner, seq: ++last.accounts, at }, count);
    const contacts = Array.from({ length: count }, (_, index) => {
      const later = index === 0 ? 0 : Math.floor(random.fraction() * (now - at) / 3);
      return makeContact(random, { ...owner, seq: ++last.contacts, at: at + later }, account);
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
      const account = makeAccount(random, { ...owner, seq: 0, at: now }, 1);
      const contact = makeContact(random, { ...owner, seq: 0, at: now }, account);
      takeOpenLead(rows(), random, process, { account, contact, dealer, agencyTeamId, now });
    }
    yield;
  }
}

/** Reads the last row ids, which the rows of the full-text index refer to. */
async function readLastSeqs(db: Database): Promise<{ accounts: number; contacts: number; cases: number }> {
  const [found] = await db.read([
    sql`select (select max(seq) from accounts) as accounts, (select max(seq) from contacts) as contacts,
    (select max(seq) from cases) as cases`,
  ]);
  const { accounts, contacts, cases } = found!.rows[0]!;
  return { accounts: Number(accounts), contacts: Number(contacts), cases: Number(cases) };
}
