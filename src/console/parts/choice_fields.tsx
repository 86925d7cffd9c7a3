/** @jsxRuntime automatic @jsxImportSource hono/jsx */
/** Fields that choose people, teams or templates. Where there are many, their form finds those that it does not list. */
import { CheckboxGroup, type Choice, composeFieldId, type FieldProps, SelectField } from "../forms.tsx";
import type { Texts } from "../texts/en.ts";
import { composeFoundName, type Find, findName, type Offer } from "./choices.ts";

/** One of them. `before`: choices that come first, such as none. */
export function OfferedField({ offer: { choices, find }, before = [], ...field }: FieldProps & {
  readonly offer: Offer;
  readonly before?: readonly Choice[];
  readonly value?: string | null;
}) {
  return (
    <>
      <SelectField {...field} choices={[...before, ...choices]} />
      <FindChoices field={field} find={find} />
    </>
  );
}

/** Several of them. `values`: those that are chosen. */
export function OfferedGroup({ offer: { choices, find }, ...field }: FieldProps & {
  readonly offer: Offer;
  readonly values?: readonly string[];
}) {
  return (
    <>
      <CheckboxGroup {...field} choices={choices} />
      <FindChoices field={field} find={find} />
    </>
  );
}

function FindChoices({ field: { forms, action, name }, find }: {
  readonly field: FieldProps;
  readonly find: Find | null;
}) {
  if (find === null) return null;
  const { of, search } = find;
  return (
    <div class="find-choices">
      {/* Enter in a field of the form presses its first button. */}
      <button type="submit" class="hidden" tabindex={-1} aria-hidden="true" />
      <input type="hidden" name={composeFoundName(of)} value={search} />
      <FindField texts={forms.texts} id={`${composeFieldId(action, name)}-find`} find={find} />
      <button type="submit" class="quiet" name="find" value={name}>{forms.texts.choices.button}</button>
    </div>
  );
}

/** Where a form is given what to look for. */
export function FindField({ texts: { choices: texts }, id, find: { of, search, total } }: {
  readonly texts: Texts;
  readonly id: string;
  readonly find: Find;
}) {
  return (
    <div class="field">
      <label for={id}>{texts.find[of]}</label>
      <input
        type="search"
        id={id}
        name={findName(of)}
        {...(search === "" ? {} : { value: search })}
        autocomplete="off"
        dir="auto"
        aria-describedby={`${id}-hint`}
      />
      <p id={`${id}-hint`} class="hint">{texts.listed(search, total)}</p>
    </div>
  );
}
