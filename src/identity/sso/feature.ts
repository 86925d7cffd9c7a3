import { lifetimes } from "../../core/lifetimes.ts";
import { stepRows } from "../../db/expiry.ts";
import type { Feature } from "../../feature.ts";
import { ssoEndpoints } from "./routes.ts";
import { signOns, ssoDriverReferences, ssoDrivers } from "./table.ts";

export const sso: Feature = {
  folder: "identity/sso",
  tables: [ssoDrivers, signOns],
  references: [ssoDriverReferences],
  lifetimes: [
    {
      table: "sign_ons",
      columns: ["expires_at"],
      longest: { ms: lifetimes.signOn, from: "created_at" },
      step: stepRows,
    },
  ],
  sealed: [["sso_drivers", "client_secret"]],
  endpoints: ssoEndpoints,
};
