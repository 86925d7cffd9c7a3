import assert from "node:assert/strict";
import { ConfigError, loadConfig, requireSecretsKey, settingNames } from "../src/config.ts";

const key = btoa(String.fromCharCode(...new Uint8Array(32).fill(200)));
const account = { project_id: "p", client_email: "c@p.example", private_key: "-----BEGIN PRIVATE KEY-----" };

/** Has the form of a private key. No test in this file signs with it. */
const pem = ["-----BEGIN PRIVATE KEY-----", "MC4CAQAw", "-----END PRIVATE KEY-----"].join("\n");

Deno.test("an empty environment gives a box on loopback", () => {
  const expected = {
    host: "127.0.0.1",
    port: 8000,
    publicUrl: null,
    databaseUrl: "file:./data/crm.db",
    databaseAuthToken: null,
    storageUrl: "file:./data/files",
    aws: null,
    awsRegion: "us-east-1",
    mailUrl: null,
    mailRate: 20,
    dkim: null,
    inboundMailDomain: null,
    inboundMailSecret: null,
    mailFrom: "Wayline CRM <no-reply@localhost>",
    campaignDomainSuffix: "localhost",
    bootstrapClient: null,
    trustProxy: false,
    maxConnections: null,
    rateLimit: null,
    metricsToken: null,
    webhookAllowPrivate: false,
    webhookLimit: 100,
    fileQuota: null,
    inboundFileLimit: 1073741824,
    mailUserLimit: 300,
    mailCompanyLimit: 3_000,
    eraseAfter: 7,
    secretsKey: null,
    fcmServiceAccount: null,
    fcmUrl: "https://fcm.googleapis.com",
    logLevel: "info",
  };
  assert.deepEqual(loadConfig({}), expected);
  assert.deepEqual(
    loadConfig({ PORT: "", MAIL_URL: "", TRUST_PROXY: "", BOOTSTRAP_CLIENT_ID: "" }),
    expected,
  );
  assert.ok(Object.isFrozen(loadConfig({})));
});

/** A value of each setting. */
const all: Record<string, string> = {
  HOST: "::1",
  PORT: "0",
  PUBLIC_URL: "https://CRM.example.com:8443/",
  DATABASE_URL: "libsql://crm.turso.io",
  DATABASE_AUTH_TOKEN: "ey.a-b_c",
  STORAGE_URL: "s3://files?endpoint=http://127.0.0.1:9000&region=eu-central-1",
  AWS_ACCESS_KEY_ID: "AKIA",
  AWS_SECRET_ACCESS_KEY: "s/x+",
  AWS_SESSION_TOKEN: "session",
  AWS_REGION: "eu-west-1",
  MAIL_URL: "smtps://user:pa%40ss@mail.example.com:465",
  MAIL_FROM: "Sales, Ltd <sales@example.com>",
  MAIL_RATE: "300",
  DKIM_DOMAIN: "example.com",
  DKIM_SELECTOR: "crm",
  DKIM_PRIVATE_KEY: pem.replaceAll("\n", "\\n"),
  INBOUND_MAIL_DOMAIN: "in.example.com",
  INBOUND_MAIL_SECRET: "s".repeat(16),
  CAMPAIGN_DOMAIN_SUFFIX: "crm.example.com",
  BOOTSTRAP_CLIENT_ID: "acceptance",
  BOOTSTRAP_CLIENT_SECRET: "0123456789abcdef",
  TRUST_PROXY: "1",
  MAX_CONNECTIONS: "200",
  RATE_LIMIT: "600/60",
  METRICS_TOKEN: "prometheus",
  WEBHOOK_ALLOW_PRIVATE: "true",
  WEBHOOK_LIMIT: "250",
  FILE_QUOTA: "1073741824",
  INBOUND_FILE_LIMIT: "2000000",
  MAIL_USER_LIMIT: "0",
  MAIL_COMPANY_LIMIT: "50",
  ERASE_AFTER: "0",
  SECRETS_KEY: key,
  FCM_SERVICE_ACCOUNT: JSON.stringify({ ...account, more: 1 }),
  FCM_URL: "http://localhost:9099/",
  LOG_LEVEL: "off",
};

Deno.test("every variable is read", () => {
  const config = loadConfig(all);
  assert.deepEqual(config, {
    host: "::1",
    port: 0,
    publicUrl: "https://crm.example.com:8443",
    databaseUrl: "libsql://crm.turso.io",
    databaseAuthToken: "ey.a-b_c",
    storageUrl: "s3://files?endpoint=http://127.0.0.1:9000&region=eu-central-1",
    aws: { accessKeyId: "AKIA", secretAccessKey: "s/x+", sessionToken: "session" },
    awsRegion: "eu-west-1",
    mailUrl: "smtps://user:pa%40ss@mail.example.com:465",
    mailFrom: "Sales, Ltd <sales@example.com>",
    mailRate: 300,
    dkim: { domain: "example.com", selector: "crm", privateKey: pem },
    inboundMailDomain: "in.example.com",
    inboundMailSecret: "s".repeat(16),
    campaignDomainSuffix: "crm.example.com",
    bootstrapClient: { id: "acceptance", secret: "0123456789abcdef" },
    trustProxy: true,
    maxConnections: 200,
    rateLimit: { calls: 600, seconds: 60 },
    metricsToken: "prometheus",
    webhookAllowPrivate: true,
    webhookLimit: 250,
    fileQuota: 1_073_741_824,
    inboundFileLimit: 2000000,
    mailUserLimit: 0,
    mailCompanyLimit: 50,
    eraseAfter: 0,
    secretsKey: new Uint8Array(32).fill(200),
    fcmServiceAccount: { ...account, token_uri: "https://oauth2.googleapis.com/token" },
    fcmUrl: "http://localhost:9099",
    logLevel: "off",
  });
  for (const [text, value] of [["true", true], ["1", true], ["false", false], ["0", false]] as const) {
    assert.equal(loadConfig({ TRUST_PROXY: text }).trustProxy, value);
  }
});

Deno.test("a wrong value is refused with one line that names its variable and hides secrets", () => {
  const wrong: [Record<string, string>, string][] = [
    [{ HOST: "a b" }, "HOST"],
    [{ PORT: "65536" }, "PORT"],
    [{ PORT: "-1" }, "PORT"],
    [{ PORT: "80a" }, "PORT"],
    [{ PUBLIC_URL: "our.example.net" }, "PUBLIC_URL"],
    [{ PUBLIC_URL: "https://our.example.net/v1" }, "PUBLIC_URL"],
    [{ PUBLIC_URL: "ftp://our.example.net" }, "PUBLIC_URL"],
    [{ DATABASE_URL: "postgres://x/y" }, "DATABASE_URL"],
    [{ DATABASE_URL: "file:" }, "DATABASE_URL"],
    [{ DATABASE_URL: "https:" }, "DATABASE_URL"],
    [{ DATABASE_AUTH_TOKEN: "a b" }, "DATABASE_AUTH_TOKEN"],
    [{ STORAGE_URL: "./data" }, "STORAGE_URL"],
    [{ STORAGE_URL: "s3://" }, "STORAGE_URL"],
    [{ STORAGE_URL: "s3://b?endpoint=nowhere" }, "STORAGE_URL"],
    [{ AWS_ACCESS_KEY_ID: "A" }, "AWS_SECRET_ACCESS_KEY"],
    [{ MAIL_URL: "mail.example.com" }, "MAIL_URL"],
    [{ MAIL_URL: "smtp://" }, "MAIL_URL"],
    [{ MAIL_FROM: "nobody" }, "MAIL_FROM"],
    [{ MAIL_RATE: "-1" }, "MAIL_RATE"],
    [{ INBOUND_MAIL_DOMAIN: "In.example.com" }, "INBOUND_MAIL_DOMAIN"],
    [{ INBOUND_MAIL_SECRET: "short" }, "INBOUND_MAIL_SECRET"],
    [{ INBOUND_MAIL_DOMAIN: "in.example.com" }, "INBOUND_MAIL_SECRET"],
    [{ INBOUND_MAIL_SECRET: "s".repeat(16) }, "INBOUND_MAIL_DOMAIN"],
    [{ DKIM_PRIVATE_KEY: "none" }, "DKIM_PRIVATE_KEY"],
    [{ DKIM_DOMAIN: "example.com" }, "DKIM_SELECTOR"],
    [{ DATABASE_AUTH_TOKEN: "secret-token" }, "DATABASE_AUTH_TOKEN"],
    [{ DATABASE_AUTH_TOKEN: "secret-token", DATABASE_URL: "file:./crm.db" }, "DATABASE_AUTH_TOKEN"],
    [{ AWS_SESSION_TOKEN: "session-token" }, "AWS_SESSION_TOKEN"],
    [{ FCM_URL: "https://fcm.example.com" }, "FCM_URL"],
    [{ MAIL_RATE: "0.5" }, "MAIL_RATE"],
    [{ CAMPAIGN_DOMAIN_SUFFIX: "a@b.de" }, "CAMPAIGN_DOMAIN_SUFFIX"],
    [{ MAIL_FROM: "A <a@b.de>\r\nBcc: c@d.de" }, "MAIL_FROM"],
    [{ BOOTSTRAP_CLIENT_ID: "a" }, "BOOTSTRAP_CLIENT_SECRET"],
    [{ BOOTSTRAP_CLIENT_SECRET: "0123456789abcdef" }, "BOOTSTRAP_CLIENT_ID"],
    [{ BOOTSTRAP_CLIENT_ID: "a", BOOTSTRAP_CLIENT_SECRET: "0123456789abcde" }, "BOOTSTRAP_CLIENT_SECRET"],
    [{ BOOTSTRAP_CLIENT_ID: "a:b", BOOTSTRAP_CLIENT_SECRET: "0123456789abcdef" }, "BOOTSTRAP_CLIENT_ID"],
    [{ TRUST_PROXY: "yes" }, "TRUST_PROXY"],
    [{ MAX_CONNECTIONS: "0" }, "MAX_CONNECTIONS"],
    [{ MAX_CONNECTIONS: "1e3" }, "MAX_CONNECTIONS"],
    [{ RATE_LIMIT: "600" }, "RATE_LIMIT"],
    [{ RATE_LIMIT: "0/60" }, "RATE_LIMIT"],
    [{ RATE_LIMIT: "600/0" }, "RATE_LIMIT"],
    [{ RATE_LIMIT: "6.5/60" }, "RATE_LIMIT"],
    [{ RATE_LIMIT: "600/60s" }, "RATE_LIMIT"],
    [{ WEBHOOK_ALLOW_PRIVATE: "TRUE" }, "WEBHOOK_ALLOW_PRIVATE"],
    [{ WEBHOOK_LIMIT: "0" }, "WEBHOOK_LIMIT"],
    [{ WEBHOOK_LIMIT: "many" }, "WEBHOOK_LIMIT"],
    [{ FILE_QUOTA: "0" }, "FILE_QUOTA"],
    [{ ERASE_AFTER: "1.5" }, "ERASE_AFTER"],
    [{ FILE_QUOTA: "10 GB" }, "FILE_QUOTA"],
    [{ INBOUND_FILE_LIMIT: "1 GB" }, "INBOUND_FILE_LIMIT"],
    [{ SECRETS_KEY: "c2hvcnQ=" }, "SECRETS_KEY"],
    [{ SECRETS_KEY: key.replaceAll("/", "_").slice(0, 43) }, "SECRETS_KEY"],
    [{ FCM_SERVICE_ACCOUNT: "{" }, "FCM_SERVICE_ACCOUNT"],
    [{ FCM_SERVICE_ACCOUNT: "{}" }, "FCM_SERVICE_ACCOUNT"],
    [{ FCM_SERVICE_ACCOUNT: JSON.stringify({ ...account, token_uri: "x" }) }, "FCM_SERVICE_ACCOUNT"],
    [{ FCM_URL: "fcm.example.com" }, "FCM_URL"],
    [{ FCM_URL: "https://fcm.example.com/v1" }, "FCM_URL"],
    [{ LOG_LEVEL: "loud" }, "LOG_LEVEL"],
  ];
  for (const [env, name] of wrong) {
    assert.throws(() => loadConfig(env), (error) => {
      assert.ok(error instanceof ConfigError);
      assert.match(error.message, new RegExp(`^${name} must [^\n]+$`), JSON.stringify(env));
      const value = env[name];
      if (value !== undefined && /SECRET|KEY|TOKEN|ACCOUNT/.test(name)) {
        assert.ok(!error.message.includes(value), error.message);
      }
      return true;
    });
  }
});

/** Settings that do something beside any values of others. Those of mail decide what the log shows, too. */
const usefulAlone = "HOST PORT PUBLIC_URL DATABASE_URL STORAGE_URL AWS_REGION MAIL_URL MAIL_FROM MAIL_RATE " +
  "MAIL_USER_LIMIT MAIL_COMPANY_LIMIT CAMPAIGN_DOMAIN_SUFFIX TRUST_PROXY MAX_CONNECTIONS RATE_LIMIT " +
  "METRICS_TOKEN WEBHOOK_ALLOW_PRIVATE WEBHOOK_LIMIT FILE_QUOTA INBOUND_FILE_LIMIT ERASE_AFTER SECRETS_KEY " +
  "FCM_SERVICE_ACCOUNT LOG_LEVEL";

Deno.test("each setting does something alone, or a start with it alone is refused", () => {
  const refused = Object.keys(all).filter((name) => {
    try {
      loadConfig({ [name]: all[name] });
      return false;
    } catch (error) {
      assert.ok(error instanceof ConfigError && error.message.split("\n").length === 1, String(error));
      return true;
    }
  });
  const known = settingNames.toSorted();
  assert.deepEqual(Object.keys(all).sort(), known, "each setting has a value here");
  assert.deepEqual([...refused, ...usefulAlone.split(" ")].sort(), known);
});

Deno.test("a missing key that is required is refused by name", () => {
  assert.throws(() => requireSecretsKey(loadConfig({})), (error) => {
    assert.ok(error instanceof ConfigError);
    assert.match(error.message, /^SECRETS_KEY must be set[^\n]+$/);
    return true;
  });
  assert.equal(requireSecretsKey(loadConfig({ SECRETS_KEY: key })).length, 32);
});
