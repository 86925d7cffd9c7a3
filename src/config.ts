/** Reads and checks the environment once, at start. */

import { z } from "zod";
import { defaultDatabaseUrl, defaultStorageUrl } from "./core/default_places.ts";
import { findNearName } from "./core/near_names.ts";

/** A wrong environment. The message is one line with the variable and its rule, never its value. */
export class ConfigError extends Error {}

export interface Config {
  readonly host: string;
  /** 0 lets the system choose. */
  readonly port: number;
  /** The origin of all links; null: the origin of the request. */
  readonly publicUrl: string | null;
  readonly databaseUrl: string;
  readonly databaseAuthToken: string | null;
  readonly storageUrl: string;
  /** Credentials for `s3:` storage; null: the environment has none. */
  readonly aws: AwsCredentials | null;
  /** The region of the bucket, unless `storageUrl` names it. */
  readonly awsRegion: string;
  /** `smtp:` or `smtps:`; null: mail goes to the log. */
  readonly mailUrl: string | null;
  readonly mailFrom: string;
  /** The rate of automated communications and campaigns, mails a second; 0: no limit. */
  readonly mailRate: number;
  /** The limits of mails that a user, and a company, make the service write to people, an hour; 0: no limit. */
  readonly mailUserLimit: number;
  readonly mailCompanyLimit: number;
  /** The part after `domain_slug` in the sender's domain of campaigns. */
  readonly campaignDomainSuffix: string;
  /** Signs all mail; null: the relay does. */
  readonly dkim: { readonly domain: string; readonly selector: string; readonly privateKey: string } | null;
  /** The domain whose mail arrives at `POST /v1/mail/inbound`; null: none does. */
  readonly inboundMailDomain: string | null;
  /** The bearer token of `POST /v1/mail/inbound`; null: none. */
  readonly inboundMailSecret: string | null;
  /** A trusted client without a company, created at start. */
  readonly bootstrapClient: { readonly id: string; readonly secret: string } | null;
  readonly trustProxy: boolean;
  /** The limit of open connections; null: as many as there is room for. */
  readonly maxConnections: number | null;
  /** The rate limit of a client, calls in seconds; null: none. */
  readonly rateLimit: { readonly calls: number; readonly seconds: number } | null;
  /** The bearer token of `GET /metrics`; null: there is no such path. */
  readonly metricsToken: string | null;
  readonly webhookAllowPrivate: boolean;
  /** The limit of webhook subscriptions of a company. */
  readonly webhookLimit: number;
  /** The limit of a company's files, in bytes; null: none. */
  readonly fileQuota: number | null;
  /** The limit of bytes that files of arriving mail add to a company in 24 hours; 0: none. */
  readonly inboundFileLimit: number;
  /** Days until the data of a deleted company is erased; 0: at once. */
  readonly eraseAfter: number;
  /** 32 bytes. */
  readonly secretsKey: Uint8Array | null;
  readonly fcmServiceAccount: FcmServiceAccount | null;
  /** The origin that receives push messages. */
  readonly fcmUrl: string;
  readonly logLevel: "info" | "error" | "off";
}

export interface AwsCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string | null;
}

/** The parts of a Google service account that push messages need, named as in its JSON. */
export interface FcmServiceAccount {
  readonly project_id: string;
  readonly client_email: string;
  readonly private_key: string;
  readonly token_uri: string;
}

/** Reads and checks the environment; an empty variable counts as unset. Throws ConfigError. */
export function loadConfig(env: Record<string, string | undefined>): Config {
  const parsed = environment.safeParse(
    Object.fromEntries(settingNames.map((name) => [name, env[name] || undefined])),
    // Compiling the check takes longer than the check, which runs once.
    { jitless: true },
  );
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new ConfigError(`${String(issue?.path[0])} ${issue?.message}`);
  }
  const values = parsed.data;
  refuseUseless(values);
  // With the domain alone, answers of customers would go to an endpoint that does not exist.
  const inbound = pair(
    "INBOUND_MAIL_DOMAIN",
    "INBOUND_MAIL_SECRET",
    values,
    (domain, secret) => ({ domain, secret }),
  );
  return Object.freeze({
    host: values.HOST,
    port: values.PORT,
    publicUrl: values.PUBLIC_URL ?? null,
    databaseUrl: values.DATABASE_URL,
    databaseAuthToken: values.DATABASE_AUTH_TOKEN ?? null,
    storageUrl: values.STORAGE_URL,
    aws: pair("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", values, (accessKeyId, secretAccessKey) => ({
      accessKeyId,
      secretAccessKey,
      sessionToken: values.AWS_SESSION_TOKEN ?? null,
    })),
    awsRegion: values.AWS_REGION,
    mailUrl: values.MAIL_URL ?? null,
    mailFrom: values.MAIL_FROM,
    mailRate: values.MAIL_RATE,
    mailUserLimit: values.MAIL_USER_LIMIT,
    mailCompanyLimit: values.MAIL_COMPANY_LIMIT,
    campaignDomainSuffix: values.CAMPAIGN_DOMAIN_SUFFIX ?? extractHost(values.MAIL_FROM),
    dkim: combineDkim(values),
    inboundMailDomain: inbound?.domain ?? null,
    inboundMailSecret: inbound?.secret ?? null,
    bootstrapClient: pair(
      "BOOTSTRAP_CLIENT_ID",
      "BOOTSTRAP_CLIENT_SECRET",
      values,
      (id, secret) => ({ id, secret }),
    ),
    trustProxy: values.TRUST_PROXY,
    maxConnections: values.MAX_CONNECTIONS ?? null,
    rateLimit: values.RATE_LIMIT ?? null,
    metricsToken: values.METRICS_TOKEN ?? null,
    webhookAllowPrivate: values.WEBHOOK_ALLOW_PRIVATE,
    webhookLimit: values.WEBHOOK_LIMIT,
    fileQuota: values.FILE_QUOTA ?? null,
    inboundFileLimit: values.INBOUND_FILE_LIMIT,
    eraseAfter: values.ERASE_AFTER,
    secretsKey: values.SECRETS_KEY ?? null,
    fcmServiceAccount: values.FCM_SERVICE_ACCOUNT ?? null,
    fcmUrl: values.FCM_URL ?? "https://fcm.googleapis.com",
    logLevel: values.LOG_LEVEL,
  });
}

/** Returns one line for each unknown variable with a name close to a setting. */
export function findMisspeltVariables(env: Record<string, string | undefined>): string[] {
  return Object.keys(env).flatMap((name) => {
    const near = findNearName(name, settingNames);
    return near === null || env[near] !== undefined
      ? []
      : [`${name} is not a setting: did you mean ${near}?`];
  });
}

/**
 * Returns the key, for runtimes that require one. Throws ConfigError when it is not set. A box creates its
 * own.
 */
export function requireSecretsKey(config: Config): Uint8Array {
  if (config.secretsKey === null) throw new ConfigError(`SECRETS_KEY must be set: ${keyRule}`);
  return config.secretsKey;
}

const portRule = "must be a number from 0 to 65535";
const hourlyRule = "must be a number of mails an hour from 0 to 999999; 0 is no limit";
const keyRule = "32 bytes in base64, as from `openssl rand -base64 32`";

const domainForm = /^(?=.{1,190}$)[a-z0-9-]+(\.[a-z0-9-]+)*$/;
const domainRule = "must be a domain in lower case, such as in.example.com";
const privateKeyForm = /^-----BEGIN (?:RSA )?PRIVATE KEY-----\n[^]+\n-----END (?:RSA )?PRIVATE KEY-----$/;

const boolean = z.enum(["true", "false", "1", "0"], "must be true, false, 1 or 0")
  .default("false").transform((value) => value === "true" || value === "1");

const serviceAccount = z.object({
  project_id: z.string().min(1),
  client_email: z.string().min(1),
  private_key: z.string().includes("PRIVATE KEY"),
  token_uri: z.url({ protocol: /^https?$/ }).default("https://oauth2.googleapis.com/token"),
});

const variables = {
  HOST: text(/^[\w.:-]+$/, "must be an address or a host name").default("127.0.0.1"),
  PORT: text(/^\d{1,5}$/, portRule).default("8000").transform(Number)
    .refine((port) => port <= 65535, portRule),
  PUBLIC_URL: z.string().refine(isOrigin, "must be an origin such as https://crm.example.com, without a path")
    .transform((value) => new URL(value).origin).optional(),
  DATABASE_URL: z.string()
    .refine((value) => isFile(value) || hasHost(value, ["libsql:", "https:", "http:"]), {
      error: "must be file:<path>, or a libsql:, https: or http: address",
    }).default(defaultDatabaseUrl),
  DATABASE_AUTH_TOKEN: text(/^[!-~]+$/, "must be visible characters without spaces").optional(),
  STORAGE_URL: z.string().refine((value) => isFile(value) || isBucket(value), {
    error: "must be file:<path>, or s3://<bucket> with ?endpoint=<http or https address>&region=<name>",
  }).default(defaultStorageUrl),
  AWS_ACCESS_KEY_ID: z.string().optional(),
  AWS_SECRET_ACCESS_KEY: z.string().optional(),
  AWS_SESSION_TOKEN: z.string().optional(),
  AWS_REGION: text(/^[\w-]{1,64}$/, "must be the name of a region, such as eu-central-1").default(
    "us-east-1",
  ),
  MAIL_URL: z.string().refine((value) => hasHost(value, ["smtp:", "smtps:"]), {
    error: "must be smtp://<host> or smtps://<host>, with user, password and port where needed",
  }).optional(),
  MAIL_FROM: text(
    /^(?:[^<>\r\n]*<[^@\s<>]+@[^@\s<>]+>|[^@\s<>]+@[^@\s<>]+)$/,
    "must be an e-mail address, or Name <address>",
  )
    .default("Wayline CRM <no-reply@localhost>"),
  CAMPAIGN_DOMAIN_SUFFIX: text(
    /^(?=.{1,200}$)[a-z0-9-]+(?:\.[a-z0-9-]+)*$/,
    "must be a domain such as crm.example.com",
  ).optional(),
  MAIL_RATE: text(/^\d{1,5}$/, "must be a number of mails a second from 0 to 99999; 0 is no limit").default(
    "20",
  )
    .transform(Number),
  MAIL_USER_LIMIT: text(/^\d{1,6}$/, hourlyRule).default("300").transform(Number),
  MAIL_COMPANY_LIMIT: text(/^\d{1,6}$/, hourlyRule).default("3000").transform(Number),
  DKIM_DOMAIN: text(domainForm, domainRule).optional(),
  DKIM_SELECTOR: text(
    /^[a-zA-Z0-9]([a-zA-Z0-9._-]{0,61}[a-zA-Z0-9])?$/,
    "must be a selector, such as crm2026",
  ).optional(),
  DKIM_PRIVATE_KEY: z.string().transform((value) => value.replaceAll("\\n", "\n").trim())
    .refine((value) => privateKeyForm.test(value), {
      error: "must be a private key in PEM, its lines parted by \\n",
    }).optional(),
  INBOUND_MAIL_DOMAIN: text(domainForm, domainRule).optional(),
  INBOUND_MAIL_SECRET: text(/^[!-~]{16,200}$/, "must be 16 to 200 visible characters without spaces")
    .optional(),
  BOOTSTRAP_CLIENT_ID: text(
    /^[!-9;-~]{1,100}$/,
    "must be 1 to 100 visible characters without spaces and colons",
  )
    .optional(),
  BOOTSTRAP_CLIENT_SECRET: z.string().min(16, "must have at least 16 characters").optional(),
  TRUST_PROXY: boolean,
  MAX_CONNECTIONS: text(/^[1-9]\d{0,5}$/, "must be a number from 1 to 999999").transform(Number).optional(),
  RATE_LIMIT: text(/^[1-9]\d{0,8}\/[1-9]\d{0,5}$/, "must be calls/seconds, such as 600/60")
    .transform((value) => {
      const [calls, seconds] = value.split("/").map(Number);
      return { calls: calls!, seconds: seconds! };
    }).optional(),
  METRICS_TOKEN: text(/^[!-~]{1,200}$/, "must be 1 to 200 visible characters without spaces").optional(),
  WEBHOOK_ALLOW_PRIVATE: boolean,
  WEBHOOK_LIMIT: text(/^[1-9]\d{0,5}$/, "must be a number from 1 to 999999").default("100").transform(Number),
  FILE_QUOTA: text(/^[1-9]\d{0,14}$/, "must be a number of bytes from 1 to 999999999999999").transform(Number)
    .optional(),
  INBOUND_FILE_LIMIT: text(/^\d{1,15}$/, "must be a number of bytes from 0 to 999999999999999; 0 is no limit")
    .default("1073741824").transform(Number),
  ERASE_AFTER: text(/^\d{1,4}$/, "must be a number of days from 0 to 9999; 0 is at once").default("7")
    .transform(Number),
  SECRETS_KEY: text(/^[A-Za-z0-9+/]{43}=$/, `must be ${keyRule}`)
    .transform((value) => Uint8Array.from(atob(value), (char) => char.charCodeAt(0))).optional(),
  FCM_SERVICE_ACCOUNT: z.string().transform((value, context) => {
    const account = serviceAccount.safeParse(json(value));
    if (account.success) return account.data;
    context.addIssue("must be the JSON of a service account with project_id, client_email and private_key");
    return z.NEVER;
  }).optional(),
  FCM_URL: z.string().refine(isOrigin, "must be an origin such as https://fcm.googleapis.com, without a path")
    .transform((value) => new URL(value).origin).optional(),
  LOG_LEVEL: z.enum(["info", "error", "off"], "must be info, error or off").default("info"),
};

export const settingNames = Object.keys(variables);
const environment = z.object(variables);

/** Throws for a setting that does nothing beside the values of others: a start with it is a mistake. */
function refuseUseless(values: z.output<typeof environment>): void {
  const useless = ([
    ["DATABASE_AUTH_TOKEN", isFile(values.DATABASE_URL), "DATABASE_URL is a file"],
    ["AWS_SESSION_TOKEN", !values.AWS_ACCESS_KEY_ID, "AWS_ACCESS_KEY_ID is unset"],
    ["FCM_URL", !values.FCM_SERVICE_ACCOUNT, "FCM_SERVICE_ACCOUNT is unset"],
  ] as const).find(([name, isUseless]) => isUseless && values[name] !== undefined);
  if (useless) throw new ConfigError(`${useless[0]} must be unset where ${useless[2]}`);
}

function text(form: RegExp, rule: string) {
  return z.string().regex(form, rule);
}

/** The host of an e-mail address, or of `Name <address>`. */
function extractHost(from: string): string {
  return /@([^@\s<>]+)>?\s*$/.exec(from)![1]!.toLowerCase();
}

/** Combines the three variables of DKIM, which require each other. */
function combineDkim(
  { DKIM_DOMAIN: domain, DKIM_SELECTOR: selector, DKIM_PRIVATE_KEY: privateKey }: {
    readonly DKIM_DOMAIN?: string | undefined;
    readonly DKIM_SELECTOR?: string | undefined;
    readonly DKIM_PRIVATE_KEY?: string | undefined;
  },
): Config["dkim"] {
  if (domain !== undefined && selector !== undefined && privateKey !== undefined) {
    return { domain, selector, privateKey };
  }
  const given = { DKIM_DOMAIN: domain, DKIM_SELECTOR: selector, DKIM_PRIVATE_KEY: privateKey };
  const missing = Object.entries(given).filter(([, value]) => value === undefined).map(([name]) => name);
  if (missing.length === 3) return null;
  throw new ConfigError(`${missing[0]} must be set where other variables of DKIM are`);
}

/** Combines two variables that require each other. Returns null if neither is set; throws if only one is. */
function pair<Name extends string, T>(
  first: Name,
  second: Name,
  values: { [name in Name]?: string },
  make: (first: string, second: string) => T,
): T | null {
  const [a, b] = [values[first], values[second]];
  if (a === undefined && b === undefined) return null;
  if (a === undefined) throw new ConfigError(`${first} must be set where ${second} is`);
  if (b === undefined) throw new ConfigError(`${second} must be set where ${first} is`);
  return make(a, b);
}

function isOrigin(value: string): boolean {
  const url = URL.parse(value);
  if (url === null || !hasHost(value, ["https:", "http:"])) return false;
  return url.pathname === "/" && url.search === "" && url.hash === "" && url.username === "" &&
    url.password === "";
}

/**
 * Whether the value is the address of a file: a path without a host, other than SQLite's in-memory database.
 */
function isFile(value: string): boolean {
  if (value.startsWith("file://")) return /^file:\/\/\/(?:[^%]|%[\da-f]{2})+$/i.test(value);
  return /^file:./.test(value) && value !== "file::memory:";
}

function isBucket(value: string): boolean {
  if (!hasHost(value, ["s3:"])) return false;
  const endpoint = URL.parse(value)?.searchParams.get("endpoint");
  return !endpoint || hasHost(endpoint, ["https:", "http:"]);
}

function hasHost(value: string, protocols: readonly string[]): boolean {
  const url = URL.parse(value);
  return url !== null && protocols.includes(url.protocol) && url.hostname !== "";
}

function json(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}
