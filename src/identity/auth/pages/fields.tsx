/** @jsxRuntime automatic @jsxImportSource hono/jsx */
/** Form fields and their errors, shown at the field and in a summary with links. */
import { Problem } from "../../../core/errors.ts";
import type { Texts } from "./texts_en.ts";
import { useTexts } from "./words.tsx";

/** Error codes by field name. */
export type Faults = Readonly<Record<string, string>>;

/** Returns the field errors of a refusal; rethrows any other error. */
export function readFaults(error: unknown): Faults {
  if (!(error instanceof Problem) || !error.more.errors) throw error;
  return Object.fromEntries(error.more.errors.map(({ path, code }) => [path, code]));
}

/** Returns the text for people of the error of a field. */
function chooseText({ faults, anyFault }: Texts, name: string, code: string): string {
  const words: Readonly<Record<string, Readonly<Record<string, string>>>> = faults;
  return words[name]?.[code] ?? anyFault;
}

/** Lists several errors, each with a link to its field. */
export function Summary({ faults }: { faults: Faults }) {
  const texts = useTexts();
  const entries = Object.entries(faults);
  // A single error shows at its field only.
  if (entries.length < 2) return null;
  return (
    <div class="fault" role="alert">
      <p>{texts.someFaults}</p>
      <ul>
        {entries.map(([name, fault]) => (
          <li>
            <a href={`#${name}`}>{chooseText(texts, name, fault)}</a>
          </li>
        ))}
      </ul>
    </div>
  );
}

interface FieldProps {
  readonly name: string;
  readonly label: string;
  readonly type?: "email" | "password";
  readonly autocomplete: string;
  readonly value?: string | null;
  readonly hint?: string;
  readonly faults: Faults;
  /** Gets the focus unless another field has an error. */
  readonly first?: boolean;
  readonly fixed?: boolean;
}

export function Field({ name, label, type, autocomplete, value, hint, faults, first, fixed }: FieldProps) {
  const texts = useTexts();
  const fault = faults[name];
  const [faulty, ...others] = Object.keys(faults);
  const alone = others.length === 0 ? { role: "alert" } as const : {};
  const described = [hint && `${name}-hint`, fault && `${name}-fault`].filter(Boolean).join(" ");
  return (
    <>
      <label for={name}>{label}</label>
      {fault ? <p id={`${name}-fault`} class="wrong" {...alone}>{chooseText(texts, name, fault)}</p> : null}
      <input
        id={name}
        name={name}
        type={type ?? "text"}
        autocomplete={autocomplete}
        required
        {...(value ? { value } : {})}
        {...(described ? { "aria-describedby": described } : {})}
        {...(fault ? { "aria-invalid": "true" } : {})}
        {...((faulty ? faulty === name : first) ? { autofocus: true } : {})}
        {...(fixed ? { readonly: true } : {})}
      />
      {hint ? <p id={`${name}-hint`} class="hint">{hint}</p> : null}
    </>
  );
}
