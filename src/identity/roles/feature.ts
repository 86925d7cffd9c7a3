import type { Feature } from "../../feature.ts";
import { roleRightReferences, roleRights, roles, userRoleReferences, userRoles } from "./record.ts";
import { roleEndpoints } from "./routes.ts";

export const rolesFeature: Feature = {
  folder: "identity/roles",
  tables: [roles, roleRights, userRoles],
  references: [roleRightReferences, userRoleReferences],
  triggers: ["triggers.ts"],
  endpoints: roleEndpoints,
};
