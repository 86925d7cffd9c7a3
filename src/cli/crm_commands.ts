/** The commands of `crm`, as a table. */
import type { Options } from "./command.ts";
import { fieldError, invalid, notFound } from "../core/errors.ts";
import type { Author } from "../db/commit.ts";
import { heldQueues } from "../core/held_queues.ts";
import { readUnsentMails } from "../db/mails.ts";
import { parseValid } from "../http/validate.ts";
import { z } from "zod";
import { checkFiles } from "./files_check.ts";
import { holdSending, listHeld, releaseHeld } from "./crm_hold.ts";
import { listClientLines, listCompanyLines } from "./crm_lists.ts";
import { deleteClient, rotateClient } from "../identity/applications/administer.ts";
import { createClient } from "../identity/applications/create.ts";
import { makeCompany, makePlaceholder } from "./crm_company.ts";
import { resetPassword } from "../identity/resets/reset.ts";
import { selectColleague } from "../identity/users/queries.ts";
import { password } from "../identity/users/record.ts";
import { rebuildGame } from "../insight/gamification/rebuild.ts";
import { restoreCompany } from "../identity/companies/restore.ts";
import { setCampaignDomain } from "../messages/campaign_settings/set_domain.ts";
import { isSetUp, makeSetupCode } from "../console/setup_code.ts";
import { filledLine } from "../http/zod.ts";

export interface Command {
  readonly usage: string;
  readonly summary: string;
  readonly options: Readonly<Record<string, { type: "string" | "boolean" }>>;
  readonly required: readonly string[];
  /** The option that a word without a name sets. */
  readonly word?: string;
  /** Maps a path in an error to the option that sets it. */
  readonly named: Readonly<Record<string, string>>;
  /** Returns the lines to print. */
  readonly run: (author: Author, options: Options) => Promise<readonly string[]>;
}

/** Differences that a command found and its user should look at. The exit code is then 1. */
export class Differing extends Error {
  constructor(readonly lines: readonly string[], remaining: number) {
    super(`${remaining} ${remaining === 1 ? "difference" : "differences"}.`);
  }
}

const string = { type: "string" } as const;

export const commands: ReadonlyMap<string, Command> = new Map<string, Command>([
  ["company create", {
    usage: "--name NAME --email EMAIL --first-name NAME --last-name NAME [--password] [--timezone ZONE] " +
      "[--locale CODE] [--country CODE] [--currency CODE] [--with-defaults]",
    summary:
      "Creates a company and its first user, an admin. --password asks for a password or reads it from " +
      "standard input; without it, a new one is printed. --timezone is a name such as Europe/Berlin (default " +
      "UTC), --locale one such as de-DE (default en-GB, or en with the country), --country one such as DE, " +
      "--currency one such as CHF (default EUR). --with-defaults adds a dealer team with that user, a relations " +
      'path of five milestones, and the lead type "Website enquiry" for it.',
    options: {
      name: string,
      email: string,
      "first-name": string,
      "last-name": string,
      password: { type: "boolean" },
      timezone: string,
      locale: string,
      country: string,
      currency: string,
      "with-defaults": { type: "boolean" },
    },
    required: ["name", "email", "first-name", "last-name"],
    named: {
      "name": "--name",
      "user.email": "--email",
      "user.first_name": "--first-name",
      "user.last_name": "--last-name",
      "user.password": "--password",
      "timezone.name": "--timezone",
      "locale.code": "--locale",
      "billing.country": "--country",
      "currency": "--currency",
    },
    run: makeCompany,
  }],
  ["setup-code", {
    usage: "",
    summary: "Prints the code that /app/setup asks for while there is no company.",
    options: {},
    required: [],
    named: {},
    run: async ({ deps }) => [
      await isSetUp(deps)
        ? "There is a company already: nobody can set the service up again."
        : makeSetupCode(deps.secretsKey),
    ],
  }],
  ["company list", {
    usage: "",
    summary: "Lists the companies: id, name, number of users; for a deleted one, when its data goes.",
    options: {},
    required: [],
    named: {},
    run: ({ deps }) => listCompanyLines(deps),
  }],
  ["company restore", {
    usage: "ID",
    summary: "Brings a deleted company back, until its data is erased. Its users sign in again.",
    options: { company: string },
    required: ["company"],
    word: "company",
    named: { company: "ID" },
    run: bringBack,
  }],
  ["company domain", {
    usage: "--company ID --domain NAME",
    summary: "Sets the domain that the company's campaigns are sent from; none takes it away.",
    options: { company: string, domain: string },
    required: ["company", "domain"],
    named: { company: "--company", domain: "--domain" },
    run: nameDomain,
  }],
  ["client create", {
    usage: "--name NAME [--company ID --user EMAIL] [--trusted]",
    summary: "Creates a client application that acts for the user, or a trusted one without a company. " +
      "Its secret is printed once.",
    options: { name: string, company: string, user: string, trusted: { type: "boolean" } },
    required: ["name"],
    named: { name: "--name", company: "--company", user: "--user", trusted: "--trusted" },
    run: makeClient,
  }],
  ["client list", {
    usage: "[--company ID]",
    summary: "Lists the client applications: id, name, company, user, the last characters of the secret.",
    options: { company: string },
    required: [],
    named: { company: "--company" },
    run: ({ deps }, { company }) => listClientLines(deps, company),
  }],
  ["client rotate", {
    usage: "--client ID",
    summary: "Gives a client a new secret, which is printed once. The old one works for one more day.",
    options: { client: string },
    required: ["client"],
    named: {},
    run: async (author, { client }) => [`client_secret: ${await rotateClient(author, String(client))}`],
  }],
  ["client delete", {
    usage: "--client ID",
    summary: "Deletes a client. Its secret and its tokens stop working immediately.",
    options: { client: string },
    required: ["client"],
    named: {},
    async run(author, { client }) {
      await deleteClient(author, String(client));
      return ["The client and its tokens are deleted."];
    },
  }],
  ["password reset", {
    usage: "--email EMAIL [--password]",
    summary:
      "Sets a new password and ends all tokens of the user. --password asks for it or reads it from standard input; without it, a new one is printed.",
    options: { email: string, password: { type: "boolean" } },
    required: ["email"],
    named: { password: "--password" },
    run: givePassword,
  }],
  ["files check", {
    usage: "[--mend] [--digests]",
    summary:
      "Compares the stored files and pictures with the database: lists objects without a row, rows without " +
      "an object, and objects of another size. --mend removes the former, and deletes files and pictures whose " +
      "object is missing; restore a backup first if you have one. --digests also reads all contents. Ends with 1 " +
      "when differences remain.",
    options: { mend: { type: "boolean" }, digests: { type: "boolean" } },
    required: [],
    named: {},
    async run(author, { mend, digests }) {
      const lines: string[] = [];
      const options = { mends: mend === true, digests: digests === true };
      const remaining = await checkFiles(author, options, (line) => lines.push(line));
      if (remaining > 0) throw new Differing(lines, remaining);
      return [...lines, lines.length === 0 ? "All files are in order." : "All differences are mended."];
    },
  }],
  ["gamification rebuild", {
    usage: "",
    summary:
      "Works points, levels and badges of all users out again from the first fact, and mends what differs.",
    options: {},
    required: [],
    named: {},
    async run({ deps }) {
      const { players, mended } = await rebuildGame(deps);
      return [`${players} ${players === 1 ? "user" : "users"}, ${mended} mended.`];
    },
  }],
  ["mail list", {
    usage: "[--to EMAIL]",
    summary: "Lists mails that wait, that failed, or that could not be sent without a mail server. " +
      "Their links can sign a user in.",
    options: { to: string },
    required: [],
    named: {},
    run: listMails,
  }],
  ["hold", {
    usage: "[QUEUE]",
    summary:
      "Holds what leaves the service: mail, push messages, webhooks, campaigns, automated communications, " +
      "scheduled reports. A restore does so by itself; for a copy of a remote database, run this before the service. " +
      `QUEUE holds one of them alone: ${heldQueues.join(", ")}.`,
    options: { queue: string },
    required: [],
    word: "queue",
    named: { queue: "queue" },
    run: holdSending,
  }],
  ["held", {
    usage: "[QUEUE] [--drop]",
    summary:
      "Lists what waits during a hold, by queue, and since when. --drop drops what fell due before the hold.",
    options: { queue: string, drop: { type: "boolean" } },
    required: [],
    word: "queue",
    named: { queue: "queue" },
    run: listHeld,
  }],
  ["release", {
    usage: "[QUEUE]",
    summary: "Ends a hold, or that of one queue: what waits is sent.",
    options: { queue: string },
    required: [],
    word: "queue",
    named: { queue: "queue" },
    run: releaseHeld,
  }],
]);

async function nameDomain(author: Author, { company, domain }: Options): Promise<string[]> {
  const name = domain === "none" ? null : String(domain).toLowerCase();
  await setCampaignDomain(author, Number(company), name);
  return [name === null ? "The company has no domain of its own." : `Campaigns are sent from ${name}.`];
}

async function bringBack(author: Author, { company }: Options): Promise<string[]> {
  const name = await restoreCompany(author, Number(company));
  return [`${name} is back, and its users can sign in.`];
}

async function makeClient(author: Author, options: Options): Promise<string[]> {
  const { name } = parseValid(z.object({ name: filledLine(255) }), options, "");
  const trusted = options.trusted === true;
  const made = await createClient(author, { name, owner: await checkOwner(author, options), trusted });
  return [`client_id:     ${made.client_id}`, `client_secret: ${made.client_secret}`];
}

/** A client has a company and a user, or neither. A client with neither must be trusted. */
async function checkOwner(
  author: Author,
  options: Options,
): Promise<{ company_id: number; user_id: number } | null> {
  const { company, user, trusted } = options;
  if (company === undefined && user === undefined) {
    if (trusted) return null;
    throw invalid(fieldError("trusted", "required", "A client of no company must be trusted."));
  }
  if (company === undefined) throw invalid(fieldError("company", "required", "Must be given with --user."));
  if (user === undefined) throw invalid(fieldError("user", "required", "Must be given with --company."));
  const [found] = await author.deps.db.read([selectColleague(Number(company), String(user))]);
  const row = found!.rows[0];
  if (!row) throw notFound(`Company ${company} has no user with the e-mail ${user}.`);
  return { company_id: Number(company), user_id: row.id as number };
}

async function givePassword(author: Author, options: Options): Promise<string[]> {
  const chosen = options.password ?? makePlaceholder();
  const checked = parseValid(z.object({ password: password(10) }), { password: chosen }, "");
  await resetPassword(author, String(options.email), checked.password);
  return options.password === undefined ? [`password: ${chosen}`] : ["The password is changed."];
}

async function listMails({ deps }: Author, { to }: Options): Promise<string[]> {
  const mails = (await readUnsentMails(deps)).filter((mail) => to === undefined || mail.to === to);
  if (mails.length === 0) return ["There is none."];
  return mails.flatMap(({ created_at, status, error, to, subject, text }) => [
    `${created_at}  ${status}${error === null ? "" : ` (${error})`}`,
    `To: ${to}`,
    `Subject: ${subject}`,
    "",
    ...text.trimEnd().split("\n").map((line) => `    ${line}`),
    "",
  ]);
}
