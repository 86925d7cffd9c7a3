/** Triggers of roles, their rights and their users. */
import { callerTriggers, type SchemaObject, totalTriggers } from "../../db/triggers.ts";

export const roleTriggers: readonly SchemaObject[] = [
  ...totalTriggers({ table: "roles" }),
  ...callerTriggers("roles"),
  ...callerTriggers("role_rights"),
  ...callerTriggers("user_roles"),
];
