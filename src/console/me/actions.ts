/** What a person can change of their own. */
import { notificationTypes } from "../../core/notifications.ts";
import { makeBody } from "../form_body.ts";
import type { Action } from "../page.ts";
import { composeTypedHtml } from "../typed_text.ts";
import { makeOwnUserParams, ways } from "./load.ts";
import { mePage as page } from "./page.tsx";

const to = "/app/me";

export const meActions: readonly Action[] = [
  {
    path: to,
    page,
    async run(visit) {
      const { change, form } = visit;
      await change("updateUser", { params: makeOwnUserParams(visit), body: readProfileForm(form) });
      if (form.has("notifies")) {
        await change("updateNotificationPreferences", { body: { types: readNotifications(form) } });
      }
      if (form.has("prefers")) {
        const body = { ...makeBody(form, { theme: "text", shortcuts: "boolean" }) };
        await change("changePreferences", { body });
      }
      return { to, message: { name: "saved" } };
    },
  },
  {
    path: "/app/me/password",
    page,
    renews: true,
    async run(visit) {
      const body = makeBody(visit.form, { old_password: "needed", new_password: "needed" });
      await visit.change("changePassword", { params: makeOwnUserParams(visit), body });
      return { to, message: { name: "passwordChanged" }, session: "renewed" };
    },
  },
  {
    path: "/app/me/sessions/end",
    page,
    async run({ change }) {
      await change("endOtherSessions");
      return { to, message: { name: "signedOutElsewhere" } };
    },
  },
  {
    path: "/app/me/sessions/:session_id/end",
    page,
    async run({ change, params }) {
      await change("endSession", { params });
      return { to, message: { name: "sessionEnded" } };
    },
  },
  {
    path: "/app/me/sign-out",
    page,
    run: () => Promise.resolve({ to: "/auth/signed-out", message: null, session: "ended" }),
  },
  {
    path: "/app/me/team",
    page,
    async run({ change, form }) {
      const { team_id = null } = makeBody(form, { team_id: "integer" });
      await change("switchTeam", { body: { team_id } });
      return { to, message: { name: "teamSwitched" } };
    },
  },
];

function readProfileForm(form: FormData): Record<string, unknown> {
  const { timezone, locale, phone_number = null, ...names } = makeBody(form, {
    first_name: "needed",
    last_name: "needed",
    phone_number: "text",
    timezone: "text",
    locale: "text",
  });
  const [signature, shown] = [readLines(form, "signature"), readLines(form, "shown_signature")];
  // A signature that was made elsewhere keeps its HTML unless its text changes.
  const isNew = signature !== null && signature !== shown;
  return {
    ...names,
    ...(form.has("phone_number") ? { phone_number } : {}),
    ...(timezone === undefined ? {} : { timezone: { name: timezone } }),
    ...(locale === undefined ? {} : { locale: { code: locale } }),
    ...(isNew ? { signature: { email: signature === "" ? null : composeTypedHtml(signature) } } : {}),
  };
}

/** Returns a text without the ways in which browsers send the ends of its lines. */
function readLines(form: FormData, name: string): string | null {
  const text = form.get(name);
  return typeof text === "string" ? text.replaceAll("\r\n", "\n").trim() : null;
}

function readNotifications(form: FormData) {
  return Object.fromEntries(notificationTypes.map((type) => {
    const chosen = form.getAll(`notify.${type}`);
    return [type, Object.fromEntries(ways.map((way) => [way, chosen.includes(way)]))];
  }));
}
