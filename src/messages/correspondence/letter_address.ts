/** Addresses of the PDFs of letters. They contain the letter and the reader, so that nothing is stored. */
import { isStillAhead } from "../../core/clocks.ts";
import { lifetimes } from "../../core/lifetimes.ts";
import type { Context } from "../../db/context.ts";
import { readSignedJson, signJson } from "../../platform/signed_texts.ts";
import { previewFolder } from "../previews/keep.ts";

export const printedFolder = `/${previewFolder}letters/`;
const purpose = "letter";
const ending = ".pdf";

interface Asked {
  readonly case_id: string;
  readonly id: string;
  readonly user_id: number;
  /** Epoch milliseconds. */
  readonly until: number;
}

/** Returns the address of the letter for this caller, which works for five minutes. */
export function signLetterAddress(
  { deps, origin, caller, now }: Context,
  case_id: string,
  id: string,
): string {
  const asked: Asked = { case_id, id, user_id: caller.userId, until: now + lifetimes.fileLink };
  return `${origin}${printedFolder}${signJson(deps.secretsKey, purpose, asked)}${ending}`;
}

/** Reads the last part of an address. Returns null for any other text, and for an address that has expired. */
export function parseLetterAddress(secretsKey: Uint8Array, name: string, now: number): Asked | null {
  if (!name.endsWith(ending)) return null;
  const asked = readSignedJson(secretsKey, purpose, name.slice(0, -ending.length)) as Asked | null;
  return asked !== null && isStillAhead(asked.until, now, lifetimes.fileLink) ? asked : null;
}
