/** Applications of a deleted user: the heir's from now on, without a secret, or gone with their tokens. */
import { statement } from "../../db/statements.ts";
import { counted, handedOver, nameOf, type UserReassignment } from "../users/deletion.ts";
import { noSecret } from "./secret.ts";

const whose = "company_id = ? and user_id = ?";

export const applicationReassignment: UserReassignment = {
  reads: ({ company_id, user_id }) => [
    statement(
      `select count(*) as n, ${nameOf} as name from applications where ${whose}`,
      user_id,
      company_id,
      user_id,
    ),
  ],
  apply(author, { company_id, user_id }, heir, [found]) {
    if (heir === null) return { statements: removal(company_id, user_id), events: [], more: false };
    const { n, name } = found!.rows[0]!;
    const { secret_hash, secret_hint } = noSecret;
    return {
      // Others stay signed in through it: their tokens are renewed once it has a secret again.
      statements: [
        endTokens("access_tokens", company_id, user_id),
        statement(
          "update applications set user_id = ?, secret_hash = ?, secret_hint = ?, previous_secret_hash = null, " +
            `previous_secret_until = null, updated_at = ?, version = version + 1 where ${whose}`,
          heir.id,
          secret_hash,
          secret_hint,
          author.at,
          company_id,
          user_id,
        ),
      ],
      events: [],
      notices: handedOver(
        author,
        heir,
        Number(n),
        `You now own ${
          counted(Number(n), "application")
        } of ${name}. Each needs a new secret before it works again.`,
      ),
      more: false,
    };
  },
};

function removal(companyId: number, userId: number) {
  return [
    ...["access_tokens", "refresh_tokens", "authorization_codes", "device_codes"].map((table) =>
      endTokens(table, companyId, userId)
    ),
    statement(`delete from applications where ${whose}`, companyId, userId),
  ];
}

function endTokens(table: string, companyId: number, userId: number) {
  const clients = `select client_id from applications where ${whose}`;
  return statement(`delete from ${table} where client_id in (${clients})`, companyId, userId);
}
