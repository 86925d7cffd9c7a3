import type { Feature } from "../../feature.ts";
import { signOns, ssoDriverReferences, ssoDrivers } from "../tables/sso.ts";
import { ssoEndpoints } from "./routes.ts";

export const sso: Feature = {
  folder: "identity/sso",
  tables: [ssoDrivers, signOns],
  references: [ssoDriverReferences],
  endpoints: ssoEndpoints,
};
