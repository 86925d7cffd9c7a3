/** @jsxRuntime automatic @jsxImportSource hono/jsx */
/** The form that narrows a list. It sends a GET, so that its address can be shared. */
import type { Choice } from "../forms.tsx";
import type { Find } from "./choices.ts";
import { FindField } from "./choice_fields.tsx";
import type { Visit } from "../visit.ts";

interface Narrowing {
  readonly name: string;
  readonly label: string;
  readonly chosen: string | null;
  readonly options: readonly Choice[];
  /** How further options are found. */
  readonly find?: Find | null;
  /** Whether none may be chosen. */
  readonly any?: boolean;
  /** Whether the first one is named, too, where the choices are folded. */
  readonly isTold?: boolean;
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

/** Says what holds, for a telephone, on which several choices are folded. What every list begins with needs no word. */
function summarize(filter: string, choices: readonly Narrowing[]): string {
  const holding = choices.flatMap(({ chosen, options, any = true, isTold = false }) => {
    const at = options.findIndex(({ value }) => value === chosen);
    return at === -1 || (at === 0 && !any && !isTold) ? [] : [options[at]!.text];
  });
  return holding.length === 0 ? filter : `${filter}: ${holding.join(", ")}`;
}

export function FindForm({ visit, action, name, kept, choices }: Props) {
  const { texts, query } = visit;
  const fields = choices.map(({ name, label, chosen, options, find, any = true }) => (
    <>
      <div class="field">
        <label for={`find-${name}`}>{label}</label>
        <select id={`find-${name}`} name={name}>
          {any ? <option value="">{texts.leads.any}</option> : null}
          {options.map(({ value, text }) => (
            <option value={value} {...(value === chosen ? { selected: true } : {})}>{text}</option>
          ))}
        </select>
      </div>
      {find ? <FindField texts={texts} id={`find-${name}-find`} find={find} /> : null}
    </>
  ));
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
      {choices.length > 1
        ? (
          <details class="narrowing">
            <summary>{summarize(texts.leads.filter, choices)}</summary>
            <div>{fields}</div>
          </details>
        )
        : fields}
      <button type="submit" class="quiet">{name ?? texts.leads.apply}</button>
    </form>
  );
}
