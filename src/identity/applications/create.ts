/** Creates applications, by the API and from the command line. */
import { created, noContent } from "../../core/answer.ts";
import { makeId, makeToken } from "../../core/ids.ts";
import { type Author, commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { guardNumber } from "../../db/numbers.ts";
import { insert } from "../../db/statements.ts";
import { presentApplication } from "./present.ts";
import type { CreateApplication } from "./schema.ts";
import { makeStoredSecret } from "./secret.ts";
import { applications } from "./table.ts";

export interface NewClient {
  readonly name: string;
  /** The company and the user that the client acts for; null for a client without a company. */
  readonly owner: { readonly company_id: number; readonly user_id: number } | null;
  readonly trusted: boolean;
}

/** Creates a client. Only this result contains the secret. */
export async function createClient(
  author: Author,
  client: NewClient,
): Promise<{ client_id: string; client_secret: string }> {
  const client_id = makeId(author.now);
  const client_secret = makeToken();
  await commit(author, {
    statements: [insert(applications, {
      client_id,
      company_id: client.owner?.company_id ?? null,
      user_id: client.owner?.user_id ?? null,
      name: client.name,
      ...makeStoredSecret(client_secret),
      trusted: client.trusted ? 1 : 0,
      created_at: author.at,
      updated_at: author.at,
    })],
    answer: noContent,
  });
  return { client_id, client_secret };
}

/** Returns 201 with the secret, which no later answer contains. */
export async function createApplication(ctx: Context, body: CreateApplication) {
  const secret = makeToken();
  const row = {
    client_id: makeId(ctx.now),
    company_id: ctx.caller.companyId,
    user_id: ctx.caller.userId,
    name: body.name,
    redirect_uri: body.redirect_uri ?? null,
    ...makeStoredSecret(secret),
    created_at: ctx.at,
    updated_at: ctx.at,
  };
  return await commit(ctx, {
    statements: [guardNumber("applications", row.company_id), insert(applications, row)],
    answer: { ...created(presentApplication(row, secret)), secrets: ["client_secret"] },
  });
}
