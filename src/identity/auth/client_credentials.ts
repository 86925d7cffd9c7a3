import { noContent } from "../../core/answer.ts";
import { commit } from "../../db/commit.ts";
import type { Grant } from "./grant.ts";
import { issueAccess } from "./issue.ts";
import { OAuthError } from "./oauth_error.ts";

/** The client acts for the user who created it. A client without a company acts for no user. */
export const clientCredentialsGrant: Grant = {
  trusted: false,
  reads: () => [],
  async issue(author, client) {
    if (client.company_id !== null && client.user_id === null) {
      throw new OAuthError("unauthorized_client", "The user that the client acts for is deleted.");
    }
    const issued = issueAccess(author, client.client_id, client.user_id);
    await commit(author, { statements: issued.statements, answer: noContent });
    return { body: issued.body, userId: client.user_id };
  },
};
