/** Applications as the company's administrators keep them. */
import { type Answer, created, noContent, ok } from "../../core/answer.ts";
import { newId, randomToken } from "../../core/ids.ts";
import { type Author, commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { insert, remove, sql, update } from "../../db/statements.ts";
import { checkMatch } from "../../http/conditional.ts";
import { guardChanged, type Statement } from "../../platform/database/database.ts";
import { endTokensOfClient } from "../auth/revoke.ts";
import { presentApplication } from "./present.ts";
import { readApplication } from "./queries.ts";
import type { CreateApplication, UpdateApplication } from "./schema.ts";
import { noSecret, secretOf } from "./secret.ts";
import { type ApplicationRow, applications } from "./table.ts";

/** How long the secret before a rotation serves on, in milliseconds. */
const previousServes = 24 * 3_600_000;

/** 201 with the secret, which is not shown again. */
export async function createApplication(ctx: Context, body: CreateApplication): Promise<Answer> {
  const secret = randomToken();
  const row = {
    client_id: newId(ctx.now),
    company_id: ctx.caller.companyId,
    user_id: ctx.caller.userId,
    name: body.name,
    redirect_uri: body.redirect_uri ?? null,
    ...secretOf(secret),
    created_at: ctx.at,
    updated_at: ctx.at,
  };
  return await commit(ctx, {
    statements: [insert(applications, row)],
    answer: { ...created(presentApplication(row, secret)), secrets: ["client_secret"] },
  });
}

export async function updateApplication(
  ctx: Context,
  clientId: string,
  body: UpdateApplication,
): Promise<Answer> {
  const row = await readApplication(ctx, clientId);
  checkMatch(ctx, () => presentApplication(row));
  const set = {
    name: body.name ?? row.name,
    redirect_uri: body.redirect_uri === undefined ? row.redirect_uri : body.redirect_uri,
    updated_at: ctx.at,
  };
  return await commit(ctx, {
    statements: change(row, set),
    answer: ok(presentApplication({ ...row, ...set })),
  });
}

/** 200 with the new secret; of several rotations in a day, only the last but one serves on. */
export async function rotateSecret(ctx: Context, clientId: string): Promise<Answer> {
  const row = await readApplication(ctx, clientId);
  const { secret, set, statements } = rotation(ctx, row);
  return await commit(ctx, {
    statements,
    answer: { ...ok(presentApplication({ ...row, ...set }, secret)), secrets: ["client_secret"] },
  });
}

/** A new secret of the application; the one before serves on for a while. */
export function rotation({ now, at }: Pick<Author, "now" | "at">, row: ApplicationRow) {
  const secret = randomToken();
  const set = {
    ...secretOf(secret),
    ...(row.secret_hash === noSecret.secret_hash ? {} : {
      previous_secret_hash: row.secret_hash,
      previous_secret_until: now + previousServes,
    }),
    updated_at: at,
  };
  return { secret, set, statements: change(row, set) };
}

/** 204; its tokens end with it, at once. */
export async function deleteApplication(ctx: Context, clientId: string): Promise<Answer> {
  const row = await readApplication(ctx, clientId);
  checkMatch(ctx, () => presentApplication(row));
  return await commit(ctx, { statements: deletion(row), answer: noContent });
}

/** The end of an application and its tokens. Refused when it has changed since it was read. */
export function deletion({ client_id, version }: ApplicationRow): Statement[] {
  return [
    ...endTokensOfClient(client_id),
    remove(applications, { client_id, version }),
    guardChanged("stale"),
  ];
}

/** Refused when the application has changed since it was read. */
function change(row: ApplicationRow, set: Partial<ApplicationRow>) {
  const read = { client_id: row.client_id, version: row.version };
  return [update(applications, { ...set, version: sql`version + 1` }, read), guardChanged("stale")];
}
