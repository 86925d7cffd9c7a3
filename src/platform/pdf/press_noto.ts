/** Prints with the fonts of all scripts that Noto has, and text from right to left. */
import { Buffer } from "node:buffer";
import { type Font, mendFonts } from "./mend_fonts.ts";
import { type LibraryClasses, mendLibrary } from "./mend_library.ts";
import type { Face, FontIndex } from "./noto.ts";
import { type PdfMake, type Press, roboto } from "./press.ts";
import { typeset } from "./typeset.ts";

/** The library, as a runtime loads it. */
export interface Engine extends LibraryClasses {
  readonly library: Library;
}

interface Library extends PdfMake {
  virtualfs: object;
  setLocalAccessPolicy(policy: () => boolean): void;
}

/** Where a runtime has its fonts. */
export interface Fonts {
  index(): FontIndex | Promise<FontIndex>;
  /** Returns a part in the format that the library embeds. */
  readFace(face: Face): Promise<Uint8Array>;
  /** `name`: a file of `roboto`. */
  readRoboto(name: string): Promise<Uint8Array>;
  /** Bytes of parts that a press keeps at most. Characters of further parts are left out. */
  readonly mostBytes: number;
}

/** Opens a press, which keeps the fonts that it has loaded. */
export function openPress(openEngine: () => Engine | Promise<Engine>, fonts: Fonts): Press {
  const faces = new Map<string, { readonly face: Face; readonly codes: ReadonlySet<number> }>();
  /** Bold parts are made when a document has some. */
  const files = new Map<string, () => Buffer>();
  let bytesKept = 0;

  async function hasGlyph(face: Face, code: number): Promise<boolean> {
    const known = faces.get(face.id);
    if (known) return known.codes.has(code);
    if (bytesKept >= fonts.mostBytes) return false;
    const bytes = await fonts.readFace(face);
    bytesKept += bytes.length;
    const regular = asBuffer(bytes);
    setChecksum(regular, 2 * face.number + 1);
    files.set(nameFile(face, 400), () => regular);
    files.set(nameFile(face, 700), () => {
      const bold = Buffer.from(regular);
      setChecksum(bold, 2 * face.number + 2);
      return bold;
    });
    const font = readFont(await openEngine(), regular);
    mendFonts(font, face.isVariable);
    const codes = new Set(font.characterSet);
    faces.set(face.id, { face, codes });
    return codes.has(code);
  }

  return {
    async load() {
      const engine = await openEngine();
      mendLibrary(engine);
      for (const name of Object.values(roboto)) {
        if (files.has(name)) continue;
        const bytes = asBuffer(await fonts.readRoboto(name));
        files.set(name, () => bytes);
      }
      // Fonts and files are those of this press.
      const library = Object.create(engine.library) as Library;
      library.virtualfs = {
        existsSync: (name: string) => files.has(name),
        readFileSync: (name: string) => files.get(name)!(),
      };
      // Documents refer to no other files and no URLs, because they contain their pictures.
      library.setUrlAccessPolicy(() => false);
      library.setLocalAccessPolicy(() => false);
      // Anew for each document, because the library changes the definitions.
      library.addFonts({ Roboto: { ...roboto } });
      for (const { face } of faces.values()) library.addFonts({ [face.id]: describeStyles(face) });
      return library;
    },
    set: (text) =>
      typeset(text, { facesFor: async (code, kin) => (await fonts.index()).facesFor(code, kin), hasGlyph }),
  };
}

/** Returns the files of the styles with their settings. Parts without weights have one style. */
function describeStyles(face: Face): object {
  const describeStyle = (name: string, wght: number) => face.isVariable ? [name, { wght }] : [name];
  const [usual, bold] = [nameFile(face, 400), nameFile(face, 700)];
  return {
    normal: describeStyle(usual, 400),
    italics: describeStyle(usual, 400),
    bold: describeStyle(bold, 700),
    bolditalics: describeStyle(bold, 700),
  };
}

function nameFile({ id }: Face, weight: 400 | 700): string {
  return `${id} ${weight}`;
}

/** Reads a font as documents do, so that what is mended is of the class that they use. */
function readFont({ document: Document }: Engine, bytes: Buffer): Font {
  const document = new Document({}, {}, {}, {}, { font: null });
  document.font(bytes);
  return document._font!.font;
}

function asBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

/** Gives a font a checksum of its own, by which the library distinguishes parts and weights of one name. */
function setChecksum(font: Buffer, number: number): void {
  for (let entry = 12, left = font.readUInt16BE(4); left > 0; entry += 16, left--) {
    if (font.toString("latin1", entry, entry + 4) === "head") {
      font.writeUInt32BE(number, font.readUInt32BE(entry + 8) + 8);
    }
  }
}
