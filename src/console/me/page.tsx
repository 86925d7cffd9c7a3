/** @jsxRuntime automatic @jsxImportSource hono/jsx */
/** The settings of the person. */
import { notificationTypes } from "../../core/notifications.ts";
import {
  AreaField,
  Button,
  Checkbox,
  CheckboxGroup,
  Form,
  RadioGroup,
  SelectField,
  TextField,
} from "../forms.tsx";
import type { Page, View } from "../page.ts";
import { makeChoice } from "../parts/choices.ts";
import { themes } from "../preferences/schema.ts";
import type { Visit } from "../visit.ts";
import { readSettings, readSignature, type Settings, ways } from "./load.ts";
import { Sessions } from "./sessions.tsx";

export const mePage: Page = { path: "/app/me", section: null, show };

/** Locales that are offered besides the present one. */
const locales = [
  "en-GB",
  "en-US",
  "de-DE",
  "de-AT",
  "de-CH",
  "es-ES",
  "fr-FR",
  "it-IT",
  "nl-NL",
  "pl-PL",
  "pt-PT",
  "sv-SE",
] as const;

async function show(visit: Visit): Promise<View> {
  const settings = await readSettings(visit);
  return { title: visit.texts.me.title, body: <Body visit={visit} settings={settings} /> };
}

function Body({ visit, settings }: { visit: Visit; settings: Settings }) {
  const { texts: { me: texts } } = visit;
  return (
    <>
      <Profile visit={visit} settings={settings} />
      <div class="columns">
        <Password visit={visit} settings={settings} />
        <Team visit={visit} settings={settings} />
      </div>
      <Sessions visit={visit} settings={settings} />
      <p>
        <a href="/docs" hx-boost="false">{texts.docs}</a>
      </p>
    </>
  );
}

function Profile({ visit, settings: { user, version, notifications } }: {
  readonly visit: Visit;
  readonly settings: Settings;
}) {
  const { texts: { me: texts, leads, customers, shortcuts }, forms, person } = visit;
  const action = "/app/me";
  const field = { forms, action };
  const names = new Intl.DisplayNames([person.language], { type: "language" });
  const codes = [...new Set([user.locale.code, ...locales])];
  const zones = [...new Set([user.timezone.name, ...Intl.supportedValuesOf("timeZone")])];
  return (
    <Form forms={forms} action={action} name={customers.save} class="sheet" version={version}>
      <div class="fields">
        <TextField {...field} name="first_name" label={leads.firstName} value={user.first_name} />
        <TextField {...field} name="last_name" label={leads.lastName} value={user.last_name} />
        <TextField
          {...field}
          type="tel"
          name="phone_number"
          label={leads.phoneNumber}
          value={user.phone_number}
        />
        <SelectField
          {...field}
          name="timezone"
          path={["timezone.name", "timezone"]}
          label={texts.timezone}
          value={user.timezone.name}
          choices={zones.map((value) => ({ value, text: value.replaceAll("_", " ") }))}
        />
        <SelectField
          {...field}
          name="locale"
          path={["locale.code", "locale"]}
          label={texts.language}
          value={user.locale.code}
          choices={codes.map((value) => ({
            value,
            text: names.of(value) ?? value,
          }))}
        />
      </div>
      <input type="hidden" name="shown_signature" value={readSignature(user)} />
      <AreaField
        {...field}
        name="signature"
        path="signature.email"
        label={texts.signature}
        value={readSignature(user)}
      />
      <RadioGroup
        {...field}
        name="theme"
        label={texts.theme}
        value={person.preferences.theme}
        choices={themes.map((value) => ({ value, text: texts.themes[value] }))}
      />
      <input type="hidden" name="prefers" value="yes" />
      <Checkbox
        {...field}
        name="shortcuts"
        label={shortcuts.title}
        hint={texts.shortcutsHint}
        checked={person.preferences.shortcuts}
      />
      <details>
        <summary>{texts.notifications}</summary>
        <input type="hidden" name="notifies" value="yes" />
        <div class="notify">
          {notificationTypes.map((type) => (
            <CheckboxGroup
              key={type}
              {...field}
              name={`notify.${type}`}
              label={texts.notificationTypes[type]}
              values={notifications[type] ?? []}
              choices={ways.map((value) => ({ value, text: texts.ways[value] }))}
            />
          ))}
        </div>
      </details>
      <Button>{customers.save}</Button>
    </Form>
  );
}

function Password(
  { visit: { texts: { me: texts, setup }, forms }, settings: { user } }: { visit: Visit; settings: Settings },
) {
  const field = { forms, action: "/app/me/password", type: "password" } as const;
  return (
    <Form forms={forms} action={field.action} name={texts.changePassword} class="sheet">
      {/* Managers of passwords learn from it whose password the new one is. */}
      <input type="text" autocomplete="username" value={user.email} readonly hidden />
      <TextField
        {...field}
        name="old_password"
        label={texts.oldPassword}
        autocomplete="current-password"
      />
      <TextField
        {...field}
        name="new_password"
        label={texts.newPassword}
        hint={setup.passwordHint}
        autocomplete="new-password"
      />
      <Button kind="quiet">{texts.changePassword}</Button>
    </Form>
  );
}

function Team({ visit: { texts, forms }, settings: { user } }: { visit: Visit; settings: Settings }) {
  const action = "/app/me/team";
  return (
    <Form forms={forms} action={action} name={texts.me.switchTeam} class="sheet">
      <SelectField
        forms={forms}
        action={action}
        name="team_id"
        label={texts.me.activeTeam}
        value={user.team ? String(user.team.id) : ""}
        choices={[
          { value: "", text: texts.none },
          ...user.teams.map(makeChoice),
        ]}
      />
      <Button kind="quiet">{texts.me.switchTeam}</Button>
    </Form>
  );
}
