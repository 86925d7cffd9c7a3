/** Returns a text as the documents say that filters compare it: composed, by full case folding, letter by letter. */
export function foldCase(text: string): string {
  const letters = [...text.normalize("NFC")].map((letter) =>
    // The dotless i is no i.
    letter === "ı" ? letter : letter.toLowerCase().toUpperCase().toLowerCase()
  );
  return letters.join("").replaceAll("ς", "σ").normalize("NFC");
}
