/** Applications of a deleted user: the heir's from now on, or gone with their tokens. */
import { statement } from "../../db/statements.ts";
import type { Legacy } from "../users/legacy.ts";

export const applicationLegacy: Legacy = {
  reads: () => [],
  pass(author, { company_id, user_id, heir_id }) {
    const whose = "company_id = ? and user_id = ?";
    const statements = heir_id === null
      ? [
        ...["access_tokens", "refresh_tokens", "authorization_codes", "device_codes"].map((table) =>
          statement(
            `delete from ${table} where client_id in (select client_id from applications where ${whose})`,
            company_id,
            user_id,
          )
        ),
        statement(`delete from applications where ${whose}`, company_id, user_id),
      ]
      : [statement(
        `update applications set user_id = ?, updated_at = ?, version = version + 1 where ${whose}`,
        heir_id,
        author.at,
        company_id,
        user_id,
      )];
    return { statements, events: [], more: false };
  },
};
