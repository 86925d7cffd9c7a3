/** A change that was refused: what was typed, and what is wrong, for the page that shows the form again. */
import { Problem } from "../core/errors.ts";
import { formLimit } from "./body.ts";
import type { Texts } from "./texts/en.ts";

export interface Refused {
  readonly status: number;
  /** The address of the form. */
  readonly action: string;
  readonly form: FormData;
  /** What is wrong as a whole; null when the faults say it. */
  readonly alert: string | null;
  /** Records that a question names. */
  readonly links?: readonly { readonly href: string; readonly text: string }[];
  /** Texts of faults by the path of the member in the API. */
  readonly faults: Readonly<Record<string, string>>;
}

/** A question about records that are there already. The same form sent again says yes. */
export class Question extends Error {
  constructor(readonly links: readonly { readonly href: string; readonly text: string }[]) {
    super("The person is asked first.");
  }
}

/** The form is shown again with all that was typed, because it asked for more room. */
export class Again extends Error {
  constructor() {
    super("The form is shown again.");
  }
}

/** Statuses of what the page of a form can explain. */
const mendable: ReadonlySet<number> = new Set([409, 410, 412, 413, 422]);

/** Returns the refusal for an error that the person can mend; null for any other. */
export function explainRefusal(
  error: unknown,
  { action, form, texts, limit = formLimit }: {
    readonly action: string;
    readonly form: FormData;
    readonly texts: Texts;
    /** The largest body of the form in bytes. */
    readonly limit?: number;
  },
): Refused | null {
  if (error instanceof Question) {
    return { status: 409, action, form, alert: texts.alerts.known, links: error.links, faults: {} };
  }
  if (error instanceof Again) return { status: 200, action, form, alert: null, faults: {} };
  if (!(error instanceof Problem)) return null;
  const { status, code, more } = error;
  if (!mendable.has(status)) return null;
  // Its fault names the header of a call, which no field of a form stands for.
  const errors = code === "idempotency_mismatch" ? [] : more.errors ?? [];
  const faults = Object.fromEntries(
    errors.map(({ path, code, message }) => [
      path,
      explainFault(nameFault(path, code, form), message, texts),
    ]),
  );
  const isOfFields = status === 422 && Object.keys(faults).length > 0;
  const whole = status === 413
    ? texts.tooLarge(Math.floor(limit / 1024 ** 2))
    : explainAlert(code, status, texts);
  const alert = isOfFields ? null : whole;
  return { status, action, form, alert, faults };
}

/** Returns the name of the text that says to people what a fault is. */
function nameFault(path: string, code: string, form: FormData): string {
  // An address that is empty is no address of the wrong form to people.
  if (code === "format" && form.get(path) === "") return "required";
  return code === "unique" && path.startsWith("mapping.") ? "twice" : code;
}

/** Returns a fault in words for people. */
export function explainFault(code: string, message: string, { faults, limit }: Texts): string {
  const text = (faults as Readonly<Record<string, string | undefined>>)[code];
  if (message === "At least 1 character.") return faults.required;
  const number = /\d+/.exec(message)?.[0];
  if (code === "min" || code === "max") return number ? limit(Number(number), code) : faults.required;
  return text ?? faults.other;
}

function explainAlert(code: string, status: number, { alerts }: Texts): string {
  if (status === 412) return alerts.changed;
  return (alerts as Readonly<Record<string, string | undefined>>)[code] ?? alerts.other;
}
