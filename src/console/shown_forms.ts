/** The forms of a page as they are shown: their token, and what was refused. */
import type { Refused } from "./refused_change.ts";
import type { Texts } from "./texts/en.ts";

/** A fault as the alert names it. */
export interface ShownFault {
  /** The id of the field. */
  readonly id: string;
  readonly label: string;
  readonly text: string;
  /** The members of the API that it is about. */
  readonly paths: readonly string[];
}

export interface Forms {
  readonly token: string;
  readonly texts: Texts;
  readonly refused: Refused | null;
  /** Where the page is, with its query. */
  readonly address: string;
  /** Faults that fields of the page have shown. */
  readonly shown: ShownFault[];
  /** Fields are rendered before the alert, so that it can link to them. */
  readonly listLeft: () => string[];
}

interface Made {
  readonly token: string;
  readonly texts: Texts;
  readonly refused: Refused | null;
  readonly address: string;
}

export function makeForms({ token, texts, refused, address }: Made): Forms {
  const shown: ShownFault[] = [];
  return {
    token,
    texts,
    refused,
    address,
    shown,
    listLeft() {
      const seen = new Set(shown.flatMap(({ paths }) => paths));
      const left = Object.entries(refused?.faults ?? {}).filter(([path]) => !seen.has(path));
      return [...new Set(left.map(([, text]) => text))];
    },
  };
}

/** Returns whether the refused form is that of the address, which may have a query. */
export function isAt({ action }: Refused, address: string): boolean {
  return action === address.split("?", 1)[0];
}

/** Returns whether the form is shown again because it asked for something, such as choices of its fields. */
export function asksAgain({ refused }: Forms, action: string): boolean {
  return refused !== null && refused.status === 200 && isAt(refused, action);
}
