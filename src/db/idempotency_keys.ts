/** Stores answers under idempotency keys, in the batch of the change that they answer. */
import { lifetimes } from "../core/lifetimes.ts";
import { type Answer, type Late } from "../core/answer.ts";
import { Problem } from "../core/errors.ts";
import { Json, toJson } from "../core/json.ts";
import { open, seal } from "../platform/crypto.ts";
import { guardThat, type Row, type Statement } from "../platform/database/database.ts";
import type { Deps } from "../deps.ts";
import type { Author } from "./author.ts";
import { composeStoredBody } from "./outbox.ts";
import { type Sql, sql } from "./statements.ts";

/**
 * Thrown when another process has stored an answer under the key in the meantime. That answer is replayed.
 */
export class KeyTaken extends Error {}

const keptFor = lifetimes.idempotencyKey;

/** The owner of the key. */
export function findKeyOwner(author: Author): [clientId: string, userId: number] {
  return [author.client!.clientId, author.caller?.userId ?? 0];
}

/**
 * Stores the answer under the idempotency key. `id`: SQL for the integer id that the batch assigns, if any.
 */
export function storeAnswer(
  author: Author,
  answer: Answer,
  id: Sql | null,
  late?: Late,
): Statement[] {
  const { key, fingerprint } = author.idempotency!;
  const [clientId, userId] = findKeyOwner(author);
  const { body, sealed } = sealSecrets(author, answer);
  const text = composeStoredBody(body, id, late);
  const headers = JSON.stringify(answer.headers ?? {});
  return [
    sql`delete from idempotency_keys
      where client_id = ${clientId} and user_id = ${userId} and key = ${key} and expires_at <= ${author.now}`,
    sql`insert into idempotency_keys
      (client_id, user_id, key, fingerprint, status, body, sealed, headers, expires_at)
      values (${clientId}, ${userId}, ${key}, ${fingerprint}, ${answer.status}, ${text}, ${sealed}, ${headers},
        ${author.now + keptFor})`,
  ];
}

/**
 * Fails the batch (`GuardRefused`) when another process has stored an answer under the key in the meantime.
 */
export function guardUnanswered(author: Author): Statement[] {
  if (!author.idempotency) return [];
  const [clientId, userId] = findKeyOwner(author);
  const unanswered = sql`not exists (select 1 from idempotency_keys where client_id = ${clientId}
    and user_id = ${userId} and key = ${author.idempotency.key} and expires_at > ${author.now})`;
  return [guardThat("kept_answer", unanswered)];
}

const storedColumns = sql`k.fingerprint, k.status, k.body, k.sealed, k.headers`;

/** Reads the stored answer for a token's client and user, in the same round trip as the token. */
export function selectStoredAnswerByKey(tokenHash: string, key: string, now: number): Statement {
  return sql`select ${storedColumns} from access_tokens t
    join idempotency_keys k on k.client_id = t.client_id and k.user_id = coalesce(t.user_id, 0)
    where t.hash = ${tokenHash} and k.key = ${key} and k.expires_at > ${now}`;
}

/** Reads the stored answer for the key of an author. */
export function selectStoredAnswer(author: Author): Statement {
  const [clientId, userId] = findKeyOwner(author);
  return sql`select ${storedColumns} from idempotency_keys k where k.client_id = ${clientId}
    and k.user_id = ${userId} and k.key = ${author.idempotency!.key} and k.expires_at > ${author.now}`;
}

/** Returns the stored answer; throws 422 `idempotency_mismatch` when it belongs to another request. */
export async function replay(deps: Deps, row: Row, fingerprint: string): Promise<Answer> {
  checkSame(row, fingerprint);
  const tag = row.body as string | null;
  let body = tag === null ? null : new Json(await deps.jsonPool.expand(tag), { tag });
  if (body && typeof row.sealed === "string") {
    const secrets = JSON.parse(open(deps.secretsKey, row.sealed)) as Record<string, unknown>;
    body = new Json(JSON.stringify({ ...JSON.parse(body.text), ...secrets }));
  }
  return {
    status: row.status as Answer["status"],
    body,
    headers: { ...JSON.parse(row.headers as string), "Idempotent-Replayed": "true" },
  };
}

/** Throws unless the request is the one that the stored answer belongs to. */
export function checkSame(row: Row, fingerprint: string): void {
  if (row.fingerprint !== fingerprint) {
    throw new Problem(
      422,
      "idempotency_mismatch",
      "This Idempotency-Key was used for another request; send a new key, or the same method, path and body.",
      {
        errors: [{
          path: "header.Idempotency-Key",
          code: "unique",
          message: "The key was used for another request.",
        }],
      },
    );
  }
}

function sealSecrets(author: Author, answer: Answer): { body: Json | null; sealed: string | null } {
  if (!answer.secrets || !answer.body) {
    return { body: answer.body ? toJson(answer.body) : null, sealed: null };
  }
  const whole = toJson(answer.body).value as Readonly<Record<string, unknown>>;
  const secrets = Object.fromEntries(answer.secrets.map((key) => [key, whole[key] ?? null]));
  const bare = { ...whole, ...Object.fromEntries(answer.secrets.map((key) => [key, null])) };
  return {
    body: toJson(bare),
    sealed: seal(author.deps.secretsKey, JSON.stringify(secrets)),
  };
}
