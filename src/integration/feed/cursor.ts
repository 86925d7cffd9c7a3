/** Cursors of the event feed: a position of a company's events, signed, in the epoch of the database. */
import { fieldError, invalid, Problem } from "../../core/errors.ts";
import { readSignedHex, signHex } from "../../platform/signed_texts.ts";

const purpose = "events";
const companyDigits = 12;
const positionDigits = 14;
const epochDigits = 32;

export interface Cursor {
  readonly position: number;
  /** 32 hexadecimal digits. */
  readonly epoch: string;
}

/** Returns an epoch as cursors have it. */
export function shortenEpoch(stored: string): string {
  return stored.replaceAll("-", "").padStart(epochDigits, "0");
}

/** Makes the cursors of a company in an epoch. */
export function makeCursorWriter(
  key: Uint8Array,
  companyId: number,
  epoch: string,
): (position: number) => string {
  const company = formatHex(companyId, companyDigits);
  return (position) => signHex(key, purpose, `${company}${formatHex(position, positionDigits)}${epoch}`);
}

/** Reads a cursor of the company. Throws 422 for any text that the service did not make for it. */
export function readCursor(key: Uint8Array, companyId: number, text: string): Cursor {
  const digits = text.length > 200 ? null : readSignedHex(key, purpose, text);
  const company = digits?.slice(0, companyDigits);
  if (
    digits === null || digits.length !== companyDigits + positionDigits + epochDigits ||
    company !== formatHex(companyId, companyDigits) || signHex(key, purpose, digits) !== text
  ) {
    throw invalid(
      fieldError("query.after", "format", "Must be a cursor of this company's events, or `now`."),
    );
  }
  return {
    position: parseInt(digits.slice(companyDigits, companyDigits + positionDigits), 16),
    epoch: digits.slice(-epochDigits),
  };
}

/** 410: events behind the cursor are removed, or it is of another epoch. `oldest`: the first good cursor. */
export function makeExpiredCursorProblem(oldest: string): Problem {
  return new Problem(
    410,
    "cursor_expired",
    "Events behind the cursor are no longer kept, or the data was restored; read the lists anew.",
    { members: { oldest } },
  );
}

function formatHex(number: number, digits: number): string {
  return number.toString(16).padStart(digits, "0");
}
