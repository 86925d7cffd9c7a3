import { lifetimes } from "../../core/lifetimes.ts";
import { stepRows } from "../../db/expiry.ts";
import type { Feature } from "../../feature.ts";
import { authOperations, mountAuthEndpoints } from "./endpoints.ts";
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
  lifetimes: [
    {
      table: "access_tokens",
      columns: ["expires_at"],
      longest: { ms: lifetimes.accessToken, from: "created_at" },
      step: stepRows,
    },
    {
      table: "refresh_tokens",
      columns: ["expires_at"],
      longest: { ms: lifetimes.refreshToken, from: "created_at" },
      step: stepRows,
    },
    {
      table: "authorization_codes",
      columns: ["kept_until", "expires_at"],
      longest: { ms: lifetimes.authorizationCodeKept, from: "created_at" },
      step: stepRows,
    },
    {
      table: "device_codes",
      columns: ["kept_until", "expires_at", "poll_at"],
      longest: { ms: lifetimes.deviceCodeKept, from: "created_at" },
      step: stepRows,
    },
    {
      table: "sessions",
      columns: ["expires_at"],
      longest: { ms: lifetimes.session, from: "created_at" },
      step: stepRows,
    },
  ],
  triggers: ["triggers.ts"],
  endpoints: tokenEndpoints,
  routes: [{ serve: mountAuthEndpoints, operations: authOperations }],
};
