/** `deno task db:seed`: adds a made-up company to the configured database. */
import { makeToken } from "../core/ids.ts";
import { formatTimestamp, parseTimestamp } from "../core/time.ts";
import { openBox } from "../entry/box.ts";
import { openDatabase } from "../entry/open_database.ts";
import { createClient } from "../identity/applications/create.ts";
import { hashPassword } from "../platform/crypto.ts";
import { CommandError, readArgs, readConfiguration, runCommand } from "./command.ts";
import { fill } from "./seed/fill.ts";

const usage =
  "deno task db:seed [--contacts N] [--accounts N] [--cases N] [--leads N] [--teams N] [--users N] " +
  '[--seed N] [--now "Y-m-d H:i:s"] [--password PASSWORD]';
const names = [
  "contacts",
  "accounts",
  "cases",
  "leads",
  "teams",
  "users",
  "seed",
  "now",
  "password",
] as const;

if (import.meta.main) await runCommand(main);

async function main(args: string[]): Promise<void> {
  const string = { type: "string" } as const;
  const options = Object.fromEntries(names.map((name) => [name, string]));
  const { values } = readArgs(args, usage, options, 0);
  const plan = makePlan((name) => {
    const value = values[name];
    return typeof value === "string" ? value : undefined;
  });
  const password = typeof values.password === "string" ? values.password : makeToken().slice(0, 20);
  const config = readConfiguration();
  // No thread takes over the commits, because `fill` changes the settings of this connection.
  const db = await openDatabase(config, { busyCommits: Infinity });
  const { deps, close } = await openBox(config, { db });
  try {
    const started = performance.now();
    const made = await fill(deps.db, { ...plan, passwordHash: await hashPassword(password) }, report);
    const now = deps.clock.now();
    const client = await createClient({ deps, now, at: formatTimestamp(now) }, {
      name: "Seed",
      owner: { company_id: made.companyId, user_id: made.adminId },
      trusted: true,
    });
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    console.log(`Made company ${made.companyId} with ${plan.contacts} contacts in ${seconds} s`);
    console.log(`client_id:     ${client.client_id}`);
    console.log(`client_secret: ${client.client_secret}`);
    console.log(`users:         ${Object.values(made.signIns).join(", ")}`);
    console.log(`password:      ${password}`);
  } finally {
    await close();
  }
}

/** Returns the plan. Most options that are not given depend on the number of contacts. */
function makePlan(getOption: (name: typeof names[number]) => string | undefined) {
  const number = (name: typeof names[number], otherwise: number, least: number) => {
    const text = getOption(name) ?? String(otherwise);
    const value = Number(text);
    if (/^\d{1,9}$/.test(text) && value >= least) return value;
    throw new CommandError(`--${name} must be a whole number of at least ${least}\nUsage: ${usage}`);
  };
  const contacts = number("contacts", 1000, 1);
  const accounts = number("accounts", Math.ceil(contacts / 5), 1);
  if (accounts > contacts) {
    throw new CommandError("--accounts must be at most --contacts: each account has at least one contact");
  }
  const teams = number("teams", 12, 2);
  const users = number("users", 5 * teams, 3);
  if (users < teams + 1) {
    throw new CommandError("--users must exceed --teams: each team has at least one user");
  }
  const nowText = getOption("now");
  const now = nowText === undefined ? Date.now() : parseTimestamp(nowText);
  if (now === null) throw new CommandError(`--now must be like 2026-03-02 09:00:00\nUsage: ${usage}`);
  return {
    contacts,
    accounts,
    teams,
    users,
    now,
    cases: number("cases", Math.ceil(contacts / 10), 0),
    leads: number("leads", Math.ceil(contacts / 20), 0),
    seed: number("seed", 1, 0),
  };
}

/** Prints a progress line that overwrites itself on a terminal. */
function report(rows: number): void {
  if (Deno.stdout.isTerminal()) Deno.stdout.writeSync(new TextEncoder().encode(`\r${rows} rows`));
}
