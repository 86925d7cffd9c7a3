/** @jsxRuntime automatic @jsxImportSource hono/jsx */
/** The form that makes the first company. */
import { listCountries, listCurrencies, listLanguages } from "../../core/reference.ts";
import { Button, CheckboxGroup, Form, SelectField, TextField } from "../forms.tsx";
import type { Forms } from "../shown_forms.ts";
import type { View } from "../page.ts";
import { setupPath as action } from "../setup_code.ts";

/** What the fields begin with. */
export interface Preset {
  readonly code: string;
  readonly country: string;
  /** Also the language of the page. */
  readonly language: string;
  readonly currency: string;
}

const listZones = () => ["UTC", ...Intl.supportedValuesOf("timeZone").filter((zone) => zone !== "UTC")];

/** Returns choices by code with their names in the language of the page, in the order of these. English names stand as they are. */
function nameChoices(
  known: readonly { readonly code: string; readonly name: string }[],
  language: string,
  type: "region" | "language" | "currency",
): { value: string; text: string }[] {
  const words = language === "en" ? null : new Intl.DisplayNames([language], { type });
  const { compare } = new Intl.Collator(language);
  const choices = known.map(({ code, name }) => ({ value: code, text: words?.of(code) ?? name }));
  return words ? choices.sort((one, other) => compare(one.text, other.text)) : choices;
}

export function showSetup(forms: Forms, preset: Preset): View {
  const { setup: texts } = forms.texts;
  return { title: texts.title, body: <Body forms={forms} preset={preset} /> };
}

function Body({ forms, preset }: { forms: Forms; preset: Preset }) {
  const { setup: texts } = forms.texts;
  const field = { forms, action };
  return (
    <>
      <p>{texts.lead}</p>
      <Form forms={forms} action={action} name={texts.create} class="sheet narrow">
        <TextField
          {...field}
          name="code"
          label={texts.code}
          hint={texts.codeHint}
          value={preset.code}
          dir="ltr"
        />
        <fieldset class="group">
          <legend>{texts.company}</legend>
          <TextField {...field} name="name" label={texts.companyName} autocomplete="organization" />
          <SelectField
            {...field}
            name="country"
            path="billing.country"
            label={texts.country}
            value={preset.country}
            choices={nameChoices(listCountries(), preset.language, "region")}
          />
          <SelectField
            {...field}
            name="timezone"
            path="timezone.name"
            label={texts.timezone}
            value="UTC"
            choices={listZones().map((zone) => ({ value: zone, text: zone.replaceAll("_", " ") }))}
          />
          <SelectField
            {...field}
            name="language"
            label={texts.language}
            value={preset.language}
            choices={nameChoices(listLanguages(), preset.language, "language")}
          />
          <SelectField
            {...field}
            name="currency"
            label={texts.currency}
            value={preset.currency}
            choices={nameChoices(listCurrencies(), preset.language, "currency").map(({ value, text }) => ({
              value,
              text: `${text} (${value})`,
            }))}
          />
        </fieldset>
        <fieldset class="group">
          <legend>{texts.person}</legend>
          <TextField
            {...field}
            name="first_name"
            path="user.first_name"
            label={texts.firstName}
            autocomplete="given-name"
          />
          <TextField
            {...field}
            name="last_name"
            path="user.last_name"
            label={texts.lastName}
            autocomplete="family-name"
          />
          <TextField
            {...field}
            type="email"
            name="email"
            path="user.email"
            label={texts.email}
            autocomplete="username"
          />
          <TextField
            {...field}
            type="password"
            name="password"
            path="user.password"
            label={texts.password}
            hint={texts.passwordHint}
            autocomplete="new-password"
          />
        </fieldset>
        <CheckboxGroup
          {...field}
          name="example"
          label={texts.start}
          values={["on"]}
          choices={[{ value: "on", text: texts.example }]}
        />
        <Button>{texts.create}</Button>
      </Form>
    </>
  );
}
