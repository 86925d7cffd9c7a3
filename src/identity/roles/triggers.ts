/** Triggers of roles, their rights and their users. */
import { makeCallerTriggers, makeTotalTriggers, type SchemaObject } from "../../db/triggers.ts";

export const roleTriggers: readonly SchemaObject[] = [
  ...makeTotalTriggers({ table: "roles" }),
  ...makeCallerTriggers("roles"),
  ...makeCallerTriggers("role_rights"),
  ...makeCallerTriggers("user_roles"),
];
