/** The port for making PDF documents. */

/** Properties of text. Sizes are in points, colours names or `#rrggbb`. */
export interface TextStyle {
  readonly bold?: boolean;
  readonly italics?: boolean;
  readonly decoration?: readonly ("underline" | "lineThrough")[];
  readonly color?: string;
  readonly background?: string;
  readonly fontSize?: number;
  readonly link?: string;
  readonly sup?: boolean;
  readonly sub?: boolean;
  readonly alignment?: "left" | "right" | "center" | "justify";
  readonly preserveLeadingSpaces?: boolean;
}

/** Text of one style. */
export interface Run extends TextStyle {
  readonly text: string;
}

interface Placed {
  readonly alignment?: TextStyle["alignment"];
  /** Left, top, right, bottom; points. */
  readonly margin?: readonly [number, number, number, number];
  readonly pageBreak?: "before" | "after";
}

/** A cell of a table, or a placeholder where another cell spans several positions. */
export interface Cell {
  readonly stack?: readonly Block[];
  readonly colSpan?: number;
  readonly rowSpan?: number;
  readonly fillColor?: string;
}

/** Part of a document, as pdfmake writes it. */
export type Block =
  & Placed
  & (
    | { readonly text: string | readonly Run[] }
    | { readonly stack: readonly Block[] }
    | { readonly ul: readonly Block[] }
    | { readonly ol: readonly Block[]; readonly start?: number; readonly type?: string }
    | {
      readonly image: string;
      readonly width?: number;
      readonly height?: number;
      readonly fit?: readonly [number, number];
    }
    | { readonly svg: string; readonly width?: number }
    | { readonly canvas: readonly object[] }
    | {
      readonly table: {
        readonly body: readonly (readonly Cell[])[];
        readonly widths: readonly string[];
        readonly headerRows: number;
      };
      readonly layout?: string;
    }
  );

/** A document without functions, so that it can be sent to a thread. */
export interface PdfDocument {
  readonly title: string;
  /** The company that asks. Companies take turns. */
  readonly companyId: number;
  /** `TooManyPages` is thrown at the first page beyond them. */
  readonly mostPages: number;
  /** Millimetres. */
  readonly margins: {
    readonly top: number;
    readonly right: number;
    readonly bottom: number;
    readonly left: number;
  };
  readonly content: readonly Block[];
}

export interface Pdf {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly pages: number;
  /** Characters that no font has, each once. The document leaves them out. */
  readonly unshown: readonly string[];
}

export interface Printer {
  /**
   * Makes an A4 document. Throws when the content cannot be laid out, `TooManyPages` and
   * `PrinterUnavailable`.
   */
  print(document: PdfDocument): Promise<Pdf>;
  /** Returns the characters of a text that its documents cannot show, each once, in the order of the text. */
  findUnshown(text: string): string[];
  /** Frees what is kept for further documents, unless some are being made. Call it after many documents. */
  release(): Promise<void>;
  /** Frees what is kept for further documents, also while some are being made. */
  close(): Promise<void>;
}

/** The document could not be made in time, its thread ended, or too many documents of its company wait. */
export class PrinterUnavailable extends Error {}

/** The document would have more than its `mostPages`. */
export class TooManyPages extends Error {}
