import { lifetimes } from "../../core/lifetimes.ts";
import { stepRows } from "../../db/expiry.ts";
import type { Feature } from "../../feature.ts";
import { describeUserReassignment } from "./reassignment.ts";
import { declareUserEndpoints } from "./routes.ts";
import { userReferences, users } from "./record.ts";
import { passwordResetReferences, passwordResets } from "./table.ts";
import { reindexedUsers } from "../reindex.ts";

export const usersFeature: Feature = {
  folder: "identity/users",
  tables: [users, passwordResets],
  references: [userReferences, passwordResetReferences],
  lifetimes: [
    {
      table: "password_resets",
      columns: ["expires_at"],
      longest: { ms: lifetimes.passwordReset, from: "created_at" },
      step: stepRows,
    },
  ],
  triggers: ["triggers.ts", "facts.ts"],
  endpoints: ({ userDeletion }) => declareUserEndpoints(userDeletion),
  reindexed: [reindexedUsers],
  staged: ({ userDeletion }) => [describeUserReassignment(userDeletion)],
};
