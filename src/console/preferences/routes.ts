import { type Endpoint, endpoint } from "../../http/endpoint.ts";
import { Preferences, PreferencesChange } from "./schema.ts";
import { changePreferences, getPreferences } from "./verbs.ts";

const tag = "Console";

export const preferenceEndpoints: Endpoint[] = [
  endpoint({
    method: "get",
    path: "/v1/me/preferences",
    operation: "getPreferences",
    tag,
    summary: "Get the caller's preferences for the console",
    answers: { 200: { description: "The preferences.", schema: Preferences } },
  }, (ctx) => getPreferences(ctx)),
  endpoint({
    method: "put",
    path: "/v1/me/preferences",
    operation: "changePreferences",
    tag,
    summary: "Change the caller's preferences for the console",
    body: PreferencesChange,
    answers: { 200: { description: "The preferences after the change.", schema: Preferences } },
  }, (ctx, { body }) => changePreferences(ctx, body)),
];
