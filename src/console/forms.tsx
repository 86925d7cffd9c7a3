/** @jsxRuntime automatic @jsxImportSource hono/jsx */
/** Forms and their fields: what was typed stays, and each fault stands at its field and in the alert of the page. */
import type { PropsWithChildren } from "hono/jsx";
import type { Refused } from "./refused_change.ts";
import { addReturnAddress } from "./return_address.ts";
import { asksAgain, type Forms, isAt } from "./shown_forms.ts";

export interface FormProps {
  readonly forms: Forms;
  readonly action: string;
  /** The accessible name; forms inside rows have none. */
  readonly name?: string;
  readonly class?: string;
  readonly files?: boolean;
  /** Whether its answer is a page of its own, which the script does not change in place. */
  readonly plain?: boolean;
  /** The version of the record that the form changes, as an entity tag. */
  readonly version?: string | undefined;
  /** Whether it leads back to its page also where that has no query. */
  readonly returns?: boolean;
}

/** A form that changes something. Its key makes sending it twice one change. */
export function Form(
  { forms, action, name, files, plain, version, returns = false, children, ...rest }: PropsWithChildren<
    FormProps
  >,
) {
  return (
    <form
      method="post"
      action={returns || forms.address.includes("?") ? addReturnAddress(forms.address, action) : action}
      {...(name === undefined ? {} : { "aria-label": name })}
      {...(files ? { enctype: "multipart/form-data" } : {})}
      {...(plain ? { "hx-boost": "false" } : {})}
      {...(rest.class ? { class: rest.class } : {})}
    >
      <input type="hidden" name="token" value={forms.token} />
      <input type="hidden" name="key" value={crypto.randomUUID()} />
      {version === undefined ? null : <input type="hidden" name="version" value={version} />}
      {forms.refused?.links && isAt(forms.refused, action)
        ? <input type="hidden" name="asked" value="yes" />
        : null}
      {children}
    </form>
  );
}

/** Where a field stands: its form, its name there, and the member of the API that it becomes. */
export interface FieldProps {
  readonly forms: Forms;
  readonly action: string;
  readonly name: string;
  readonly label: string;
  /** The path that faults name, or several; by default the name. */
  readonly path?: string | readonly string[];
  readonly hint?: string;
  readonly required?: boolean;
}

interface Described {
  readonly id: string;
  readonly attributes: Readonly<Record<string, string | boolean>>;
  readonly fault: string | null;
  /** What was typed into the refused form; null when it was not sent. */
  readonly typed: string | null;
  /** Returns what is stored, when the record has changed and the form has another value. */
  readonly showStored: (value: string, text?: string) => string | null;
}

export function composeFieldId(action: string, name: string): string {
  return `${action.replace(/^\/app\//, "").replaceAll("/", "-")}-${name}`;
}

/** Returns the faults of the members, and of the entries of those that are lists. */
function listFaults({ faults }: Refused, members: readonly string[]): [path: string, text: string][] {
  return Object.entries(faults).filter(([path]) =>
    members.includes(path) || members.includes(path.replace(/\[\d+\]$/, ""))
  );
}

/** Returns whether choices of the field were asked for. */
function isFound({ forms, action, name }: FieldProps): boolean {
  return asksAgain(forms, action) && forms.refused!.form.get("find") === name;
}

/** Returns the fault of a field, and notes it for the alert. `id`: that of the field. */
export function noteFault({ forms, action, name, label, path }: FieldProps, id: string): string | null {
  const { refused } = forms;
  if (refused === null || !isAt(refused, action)) return null;
  const members = typeof path === "object" ? [name, ...path] : [name, path ?? name];
  const faults = listFaults(refused, members);
  if (faults.length === 0) return null;
  const text = [...new Set(faults.map(([, text]) => text))].join(" ");
  forms.shown.push({ id, label, text, paths: faults.map(([path]) => path) });
  return text;
}

/** Returns the state of a field, and notes its fault for the alert. */
function describe(field: FieldProps): Described {
  const { forms, action, name, hint, required } = field;
  const id = composeFieldId(action, name);
  const { refused } = forms;
  const isRefused = refused !== null && isAt(refused, action);
  const fault = noteFault(field, id);
  const typed = isRefused ? refused.form.get(name) : null;
  const described = [hint && `${id}-hint`, fault && `${id}-fault`].filter(Boolean).join(" ");
  return {
    id,
    fault,
    typed: typeof typed === "string" ? typed : null,
    showStored(value, text = value) {
      const isOther = isRefused && refused.status === 412 && refused.form.getAll(name).join(", ") !== value;
      return isOther ? forms.texts.stored(text) : null;
    },
    attributes: {
      id,
      name,
      ...(required ? { required: true } : {}),
      ...(described ? { "aria-describedby": described } : {}),
      ...(fault === null ? {} : { "aria-invalid": "true" }),
      ...(isFound(field) ? { autofocus: true } : {}),
    },
  };
}

function Around({ id, label, hint, fault, stored, children }: PropsWithChildren<{
  readonly id: string;
  readonly label: string;
  readonly hint?: string | undefined;
  readonly fault: string | null;
  readonly stored: string | null;
}>) {
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children}
      <Stored text={stored} />
      {hint ? <p id={`${id}-hint`} class="hint">{hint}</p> : null}
      {fault ? <p id={`${id}-fault`} class="wrong">{fault}</p> : null}
    </div>
  );
}

/** What a colleague stored meanwhile. */
function Stored({ text }: { text: string | null }) {
  return text === null ? null : <p class="hint stored-now" dir="auto">{text}</p>;
}

interface TextProps extends FieldProps {
  readonly type?:
    | "text"
    | "email"
    | "tel"
    | "password"
    | "search"
    | "date"
    | "datetime-local"
    | "number"
    | "url";
  readonly value?: string | null;
  readonly autocomplete?: string;
  readonly dir?: "auto" | "ltr";
}

export function TextField({ type = "text", value, autocomplete, dir = "auto", ...field }: TextProps) {
  const { id, attributes, fault, typed, showStored } = describe(field);
  const shown = typed ?? value ?? "";
  return (
    <Around id={id} label={field.label} hint={field.hint} fault={fault} stored={showStored(value ?? "")}>
      <input
        type={type}
        {...(type === "number" ? { step: "any" } : {})}
        {...attributes}
        {...(shown === "" || type === "password" ? {} : { value: shown })}
        autocomplete={autocomplete ?? "off"}
        {...(type === "text" || type === "search" ? { dir } : {})}
      />
    </Around>
  );
}

export function AreaField(
  { value, rows = 3, ...field }: FieldProps & { value?: string | null; rows?: number },
) {
  const { id, attributes, fault, typed, showStored } = describe(field);
  return (
    <Around id={id} label={field.label} hint={field.hint} fault={fault} stored={showStored(value ?? "")}>
      <textarea {...attributes} rows={rows} dir="auto">{typed ?? value ?? ""}</textarea>
    </Around>
  );
}

/** A file to send. */
export function FileField(field: FieldProps) {
  const { id, attributes, fault } = describe(field);
  return (
    <Around id={id} label={field.label} hint={field.hint} fault={fault} stored={null}>
      <input type="file" {...attributes} />
    </Around>
  );
}

/** A choice: its value in the API, and its text. */
export interface Choice {
  readonly value: string;
  readonly text: string;
}

export function SelectField(
  { value, choices, ...field }: FieldProps & { value?: string | null; choices: readonly Choice[] },
) {
  const { id, attributes, fault, typed, showStored } = describe(field);
  const chosen = typed ?? value ?? "";
  const kept = showStored(value ?? "", joinTexts(choices, [value ?? ""]));
  return (
    <Around id={id} label={field.label} hint={field.hint} fault={fault} stored={kept}>
      <select {...attributes}>
        {choices.map(({ value, text }) => (
          <option value={value} {...(value === chosen ? { selected: true } : {})}>{text}</option>
        ))}
      </select>
    </Around>
  );
}

export function RadioGroup(
  { value, choices, ...field }: FieldProps & { value?: string | null; choices: readonly Choice[] },
) {
  const { id, fault, typed, showStored } = describe(field);
  const chosen = typed ?? value ?? "";
  const kept = showStored(value ?? "", joinTexts(choices, [value ?? ""]));
  return (
    <fieldset id={id} class="choices" {...markGroup(id, fault)}>
      <legend>{field.label}</legend>
      {choices.map(({ value, text }, index) => (
        <div class="choice">
          <input
            type="radio"
            id={`${id}-${index}`}
            name={field.name}
            value={value}
            {...(value === chosen ? { checked: true } : {})}
          />
          <label for={`${id}-${index}`}>{text}</label>
        </div>
      ))}
      <Stored text={kept} />
      {fault ? <p id={`${id}-fault`} class="wrong">{fault}</p> : null}
    </fieldset>
  );
}

/** Marks a group of choices that is wrong. */
export function markGroup(id: string, fault: string | null): Readonly<Record<string, string>> {
  return fault === null ? {} : { "aria-invalid": "true", "aria-describedby": `${id}-fault` };
}

/** Returns the texts of the chosen values. */
function joinTexts(choices: readonly Choice[], chosen: readonly string[]): string {
  return choices.filter(({ value }) => chosen.includes(value)).map(({ text }) => text).join(", ");
}

/** Several of a list. `values`: those that are chosen. */
export function CheckboxGroup(
  { values = [], choices, ...field }: FieldProps & { values?: readonly string[]; choices: readonly Choice[] },
) {
  const { forms, action, name } = field;
  const { id, fault, showStored } = describe(field);
  const { refused } = forms;
  const chosen = refused && isAt(refused, action) ? refused.form.getAll(name) : values;
  const kept = showStored(values.join(", "), joinTexts(choices, values));
  return (
    <fieldset id={id} class="choices" {...markGroup(id, fault)}>
      <legend>{field.label}</legend>
      {choices.map(({ value, text }, index) => (
        <div class="choice">
          <input
            type="checkbox"
            id={`${id}-${index}`}
            name={name}
            value={value}
            {...(chosen.includes(value) ? { checked: true } : {})}
            {...(index === 0 && isFound(field) ? { autofocus: true } : {})}
          />
          <label for={`${id}-${index}`}>{text}</label>
        </div>
      ))}
      <Stored text={kept} />
      {fault ? <p id={`${id}-fault`} class="wrong">{fault}</p> : null}
    </fieldset>
  );
}

/** A single choice of yes or no. */
export function Checkbox({ checked, ...field }: FieldProps & { checked: boolean }) {
  const { id, attributes, fault } = describe(field);
  const { refused } = field.forms;
  const isChosen = refused && isAt(refused, field.action) ? refused.form.has(field.name) : checked;
  return (
    <div class="field choice">
      <input type="checkbox" {...attributes} value="on" {...(isChosen ? { checked: true } : {})} />
      <label for={id}>{field.label}</label>
      {field.hint ? <span id={`${id}-hint`} class="hint">{field.hint}</span> : null}
      {fault ? <span id={`${id}-fault`} class="wrong">{fault}</span> : null}
    </div>
  );
}

export function Button(
  { kind, label, children }: PropsWithChildren<{ kind?: "main" | "quiet" | "bad"; label?: string }>,
) {
  return (
    <button type="submit" class={kind ?? "main"} {...(label ? { "aria-label": label } : {})}>
      {children}
    </button>
  );
}
