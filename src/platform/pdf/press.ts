/** What a runtime prints with: the library, and the characters of its fonts. */
import type { Run } from "./pdf.ts";

/** The part of pdfmake that is used; it has no types of its own. */
export interface PdfMake {
  addFonts(fonts: object): void;
  setUrlAccessPolicy(policy: () => boolean): void;
  createPdf(definition: object): { getBuffer(): Promise<Uint8Array> };
}

/** A text as it is printed, without what no font has. */
export interface SetText {
  readonly text: string | readonly Run[];
  readonly isRightToLeft: boolean;
  /** Characters that were left out. */
  readonly unshown: readonly string[];
}

export interface Press {
  /** Loads the library with the first document. */
  load(): Promise<PdfMake>;
  set(text: string | readonly Run[]): SetText | Promise<SetText>;
}

/** The four styles of Roboto, which has Latin, Greek and Cyrillic. A document embeds what it uses of them. */
export const roboto = {
  normal: "Roboto-Regular.ttf",
  bold: "Roboto-Medium.ttf",
  italics: "Roboto-Italic.ttf",
  bolditalics: "Roboto-MediumItalic.ttf",
} as const;
