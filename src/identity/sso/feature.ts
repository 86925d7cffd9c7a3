import type { Feature } from "../../feature.ts";
import { ssoEndpoints } from "./routes.ts";
import { signOns, ssoDriverReferences, ssoDrivers } from "./table.ts";

export const sso: Feature = {
  folder: "identity/sso",
  tables: [ssoDrivers, signOns],
  references: [ssoDriverReferences],
  endpoints: ssoEndpoints,
};
