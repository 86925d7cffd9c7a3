/** SQL about tokens for the queries of other features. */
import { sql } from "../../db/statements.ts";

/** SQL after `from`: access tokens `t` with their users `u`. */
export const tokensWithUser = sql`access_tokens t join users u on u.id = t.user_id`;
