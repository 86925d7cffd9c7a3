import type { Feature } from "../../feature.ts";
import { authEndpoints, authOperations } from "./endpoints.ts";
import { tokenEndpoints } from "./routes.ts";
import {
  accessTokenReferences,
  accessTokens,
  authorizationCodeReferences,
  authorizationCodes,
  deviceCodeReferences,
  deviceCodes,
  refreshTokenReferences,
  refreshTokens,
  sessionReferences,
  sessions,
} from "./table.ts";

export const auth: Feature = {
  folder: "identity/auth",
  tables: [accessTokens, refreshTokens, authorizationCodes, sessions, deviceCodes],
  references: [
    accessTokenReferences,
    refreshTokenReferences,
    authorizationCodeReferences,
    sessionReferences,
    deviceCodeReferences,
  ],
  triggers: ["triggers.ts"],
  endpoints: tokenEndpoints,
  routes: [{ serve: authEndpoints, operations: authOperations }],
};
