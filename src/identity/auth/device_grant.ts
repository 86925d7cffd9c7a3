/** The device grant: a device without a keyboard shows a code, and a person enters it on another device. */
import { lifetimes } from "../../core/lifetimes.ts";
import { noContent } from "../../core/answer.ts";
import { makeToken } from "../../core/ids.ts";
import { commit } from "../../db/commit.ts";
import { insert, sql, update } from "../../db/statements.ts";
import { sha256 } from "../../platform/crypto.ts";
import { guardChanged, type Result } from "../../platform/database/database.ts";
import type { AuthenticatedClient } from "./clients.ts";
import type { Grant } from "./grant.ts";
import { issuePair } from "./issue.ts";
import type { OAuthCall } from "./oauth_call.ts";
import { invalidGrant, OAuthError } from "./oauth_error.ts";
import { deviceCodes } from "./table.ts";
import { type Fields, requireFields } from "./token_request.ts";

/** Seconds between two polls. */
const interval = 5;

export const devicePath = "/auth/device";

/** The grant of RFC 8628, which only polls: `POST /auth/device_authorization` returns the codes. */
export const standardDeviceGrant: Grant = {
  trusted: true,
  reads: (_call, fields) => [selectCode(requireFields(fields, "device_code").device_code)],
  issue: (author, client, _fields, [found]) => poll(author, client, found!),
};

/** Our own grant, with both steps at the token endpoint. The first request has no `device_code`. */
export const deviceGrant: Grant = {
  trusted: true,
  reads: (call, fields) => fields.has("device_code") ? standardDeviceGrant.reads(call, fields) : [],
  async issue(author, client, fields: Fields, results) {
    if (fields.has("device_code")) return await standardDeviceGrant.issue(author, client, fields, results);
    const started = await startDevice(author, client);
    const { verification_uri, user_code, device_code } = started;
    return { body: { verification_uri, user_code, device_code, interval }, userId: null };
  },
};

/** Builds the answer of RFC 8628, section 3.2. */
export async function authorizeDevice(author: OAuthCall, client: AuthenticatedClient) {
  const { device_code, user_code, verification_uri } = await startDevice(author, client);
  return {
    device_code,
    user_code: String(user_code),
    verification_uri,
    verification_uri_complete: `${verification_uri}?user_code=${user_code}`,
    expires_in: lifetimes.deviceCode / 1000,
    interval,
  };
}

async function startDevice(author: OAuthCall, client: AuthenticatedClient) {
  const device_code = makeToken();
  const user_code = makeUserCode();
  await commit(author, {
    statements: [insert(deviceCodes, {
      hash: sha256(device_code),
      user_code,
      client_id: client.client_id,
      poll_interval: interval,
      poll_at: author.now + interval * 1000,
      expires_at: author.now + lifetimes.deviceCode,
      kept_until: author.now + lifetimes.deviceCodeKept,
      created_at: author.at,
    })],
    answer: noContent,
  });
  return { device_code, user_code, verification_uri: author.origin + devicePath };
}

function selectCode(deviceCode: string) {
  return sql`select d.hash, d.client_id, d.user_id, d.denied, d.poll_interval, d.poll_at, d.used_at, d.expires_at,
    (select 1 from users u join companies c on c.id = u.company_id
    where u.id = d.user_id and u.deleted_at is null and c.deleted_at is null) as present
    from device_codes d where d.hash = ${sha256(deviceCode)}`;
}

async function poll(author: OAuthCall, client: AuthenticatedClient, found: Result) {
  const row = found.rows[0] as
    | (
      & Pick<
        typeof deviceCodes.$inferSelect,
        "hash" | "client_id" | "user_id" | "denied" | "poll_interval" | "poll_at" | "used_at" | "expires_at"
      >
      & { present: number | null }
    )
    | undefined;
  if (!row || row.client_id !== client.client_id || row.used_at !== null) {
    throw invalidGrant("The device code is unknown or has been used.");
  }
  if (row.expires_at <= author.now) throw new OAuthError("expired_token", "The device code has expired.");
  if (row.denied === 1) throw new OAuthError("access_denied", "The user denied access.");
  const { hash, poll_at, poll_interval, user_id } = row;
  if (author.now < poll_at) {
    // Every early poll counts, including simultaneous ones, so the statement has no guard.
    const slower =
      sql`update device_codes set poll_interval = poll_interval + ${interval}, poll_at = ${author.now} + (poll_interval + ${interval}) * 1000
      where hash = ${hash}`;
    await commit(author, { statements: [slower], answer: noContent });
    throw new OAuthError("slow_down", `Wait ${interval} more seconds between polls from now on.`);
  }
  if (user_id === null) {
    const next = { poll_at: author.now + poll_interval * 1000 };
    await commit(author, {
      statements: [update(deviceCodes, next, { hash, poll_at }), guardChanged("device_code")],
      answer: noContent,
    });
    throw new OAuthError("authorization_pending", "The user has not decided yet.");
  }
  if (row.present === null) throw invalidGrant("The user who allowed the device is deleted.");
  const issued = issuePair(author, client.client_id, user_id);
  await commit(author, {
    statements: [
      update(deviceCodes, { used_at: author.now }, { hash, used_at: null }),
      guardChanged("device_code"),
      ...issued.statements,
    ],
    answer: noContent,
  });
  return { body: issued.body, userId: user_id };
}

/** Returns eight digits without a leading zero, all equally likely. */
function makeUserCode(): number {
  const [least, span] = [10_000_000, 90_000_000];
  const most = Math.floor(2 ** 32 / span) * span;
  for (;;) {
    const [number] = crypto.getRandomValues(new Uint32Array(1));
    if (number! < most) return least + number! % span;
  }
}
