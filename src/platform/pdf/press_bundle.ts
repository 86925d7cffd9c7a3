/** Prints on every runtime, with Roboto alone. */
import { type PdfMake, type Press, roboto } from "./press.ts";
import { findUnshown, keepShown } from "./shown_text.ts";

let loaded: Promise<PdfMake> | undefined;

export const bundlePress: Press = {
  load: () => loaded ??= load(),
  set: (text) => ({
    text: typeof text === "string"
      ? keepShown(text)
      : text.map((run) => ({ ...run, text: keepShown(run.text) })),
    isRightToLeft: false,
    unshown: findUnshown(typeof text === "string" ? text : text.map((run) => run.text).join("")),
  }),
};

/** The build for browsers has no access to files. */
async function load(): Promise<PdfMake> {
  const [{ default: pdfmake }, { default: fonts }] = await Promise.all([
    import("pdfmake/build/pdfmake.js"),
    import("pdfmake/build/vfs_fonts.js"),
  ]);
  for (const [name, data] of Object.entries(fonts)) pdfmake.virtualfs.writeFileSync(name, data, "base64");
  pdfmake.addFonts({ Roboto: roboto });
  // Documents refer to no files or URLs, because they contain their pictures.
  pdfmake.setUrlAccessPolicy(() => false);
  return pdfmake;
}
