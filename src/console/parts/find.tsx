/** @jsxRuntime automatic @jsxImportSource hono/jsx */
/** The form that narrows a list. It sends a GET, so that its address can be shared. */
import type { Choice } from "../forms.tsx";
import type { Visit } from "../visit.ts";

interface Narrowing {
  readonly name: string;
  readonly label: string;
  readonly chosen: string | null;
  readonly options: readonly Choice[];
  /** Whether none may be chosen. */
  readonly any?: boolean;
}

interface Props {
  readonly visit: Visit;
  readonly action: string;
  /** The accessible name, and the text of the button, when there is another form "Filter", whose button is "Apply". */
  readonly name?: string;
  /** Parameters of the address that stay. */
  readonly kept: Readonly<Record<string, string | readonly string[]>>;
  readonly choices: readonly Narrowing[];
}

export function FindForm({ visit, action, name, kept, choices }: Props) {
  const { texts, query } = visit;
  return (
    <form
      method="get"
      action={action}
      class="filter"
      aria-label={name ?? texts.leads.filter}
    >
      {Object.entries(kept).flatMap(([name, values]) =>
        [values].flat().map((value, at) => (
          <input key={`${name} ${at}`} type="hidden" name={name} value={value} />
        ))
      )}
      <div class="field">
        <label for="find">{texts.leads.find}</label>
        <input
          id="find"
          type="search"
          name="search"
          value={query.get("search") ?? ""}
          autocomplete="off"
          dir="auto"
        />
      </div>
      {choices.map(({ name, label, chosen, options, any = true }) => (
        <div class="field">
          <label for={`find-${name}`}>{label}</label>
          <select id={`find-${name}`} name={name}>
            {any ? <option value="">{texts.leads.any}</option> : null}
            {options.map(({ value, text }) => (
              <option value={value} {...(value === chosen ? { selected: true } : {})}>{text}</option>
            ))}
          </select>
        </div>
      ))}
      <button type="submit" class="quiet">{name ?? texts.leads.apply}</button>
    </form>
  );
}
