/** External ids: ids of records in the caller's own system, unique in the company. */
import { requireRight } from "../core/access.ts";
import { fieldError, invalid, type Problem } from "../core/errors.ts";
import type { Context } from "../db/context.ts";
import { filledLine } from "../http/zod.ts";
import { parseValid } from "../http/validate.ts";
import { extractPath } from "../http/request.ts";

/** Two ids are equal in Unicode's composed form, in which they are stored. */
export const externalId = filledLine(255).transform((id) => id.normalize("NFC"))
  .meta({ minLength: 1, maxLength: 255 });

/** Returns the percent-decoded external id at the end of the path; 422 when it is not a valid external id. */
export function parseExternalId(url: string): string {
  return parseValid(externalId, decodeExternalId(extractPath(url).split("/").at(-1)!), "external_id");
}

/** 403 for callers that may neither create nor update customers. */
export function requireEither({ caller }: Context): void {
  if (!caller.rights.has("customers.update")) requireRight(caller, "customers.create");
}

export function refuseExternalId(): Problem {
  return invalid(fieldError("external_id", "unique", "Another record of the company has this external id."));
}

function decodeExternalId(text: string): string {
  try {
    const external_id = decodeURIComponent(text);
    if (!external_id.includes("\0")) return external_id;
  } catch {
    // Reported below.
  }
  throw invalid(fieldError("external_id", "format", "Must be percent-encoded UTF-8 without NUL."));
}
