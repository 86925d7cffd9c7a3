/** Applications of a deleted user: go to the successor without a secret, or are deleted with their tokens. */
import { sql } from "../../db/statements.ts";
import { draftHandover, formatCount, selectUserName, type UserReassignment } from "../users/deletion.ts";
import { endAccessTokens } from "../tokens/revoke.ts";
import { noSecret } from "./secret.ts";

export const applicationReassignment: UserReassignment = {
  step({ company_id, user_id }) {
    const own = sql`company_id = ${company_id} and user_id = ${user_id}`;
    return {
      reads: [sql`select count(*) as n, ${selectUserName(user_id)} as name from applications where ${own}`],
      apply(author, successor, [found]) {
        const ids = sql`select client_id from applications where ${own}`;
        if (successor === null) {
          const statements = [
            ...author.deps.deleteNaming("application", ids),
            sql`delete from applications where ${own}`,
          ];
          return { statements, events: [], more: false };
        }
        const { n, name } = found!.rows[0]!;
        const { secret_hash, secret_hint } = noSecret;
        const owned = formatCount(Number(n), "application");
        return {
          // Keeps refresh tokens: other users stay signed in and renew their tokens after the next rotation.
          statements: [
            endAccessTokens(ids),
            sql`update applications set user_id = ${successor.id}, secret_hash = ${secret_hash},
              secret_hint = ${secret_hint}, previous_secret_hash = null, previous_secret_until = null,
              updated_at = ${author.at}, version = version + 1 where ${own}`,
          ],
          events: [],
          notifications: draftHandover(
            author,
            successor,
            Number(n),
            `You now own ${owned} of ${name}. Each needs a new secret before it works again.`,
          ),
          more: false,
        };
      },
    };
  },
};
