/** `sso` in requests that create users: the driver, and the user's identity there. */
import { z } from "zod";
import { type FieldError, fieldError } from "../../core/errors.ts";
import { sql } from "../../db/statements.ts";
import { controlsRule, hasControls, trimLine } from "../../core/lines.ts";
import { isLonger } from "../../core/text.ts";
import { refusal } from "../../http/validate.ts";
import { filledLine } from "../../http/zod.ts";
import type { Result, Statement } from "../../platform/database/database.ts";

/** Trimmed after the choice of the type, because a schema that transforms reports only `type` in a union. */
const subject = z.string()
  .refine((id) => trimLine(id) !== "", refusal("min", "At least 1 character."))
  .refine((id) => !isLonger(trimLine(id), 255), refusal("max", "At most 255 characters."))
  .refine((id) => !hasControls(trimLine(id)), refusal("format", controlsRule))
  .meta({ minLength: 1, maxLength: 255 });

export type GivenSso = z.output<typeof GivenSso>;
export const GivenSso = z.object({
  provider_user_id: z.union([z.int(), subject]).transform((id) => typeof id === "string" ? trimLine(id) : id)
    .meta({
      description: "The user's subject (`sub`) at the provider: an integer, or any text.",
      example: 4711,
    }),
  provider_name: filledLine(255).meta({ example: "Okta" }),
});

/** Whether the company has the driver, and a user with the same subject; read with `checkSso`. */
export function selectSsoFacts(companyId: number, sso: GivenSso | null | undefined): Statement {
  const [provider, subject] = [sso?.provider_name ?? null, sso ? String(sso.provider_user_id) : null];
  return sql`select exists (select 1 from sso_drivers where company_id = ${companyId} and provider_name = ${provider}) as known,
    exists (select 1 from users where company_id = ${companyId} and sso_provider = ${provider} and sso_user_id = ${subject}
    and deleted_at is null) as taken`;
}

/** Returns the errors of `sso`. Guard the company's version in the commit: it changes with the drivers. */
export function checkSso(found: Result, sso: GivenSso | null | undefined): FieldError[] {
  if (!sso) return [];
  const { known, taken } = found.rows[0]!;
  if (known !== 1) {
    return [
      fieldError(
        "sso.provider_name",
        "exists",
        "Must be the name of a provider that the company has set up.",
      ),
    ];
  }
  return taken === 1
    ? [fieldError("sso.provider_user_id", "unique", "A user already has this identity.")]
    : [];
}

/** Returns the user's columns for the given `sso`. */
export function makeSsoCredentials(sso: GivenSso | null | undefined) {
  return {
    sso_provider: sso?.provider_name ?? null,
    sso_user_id: sso ? String(sso.provider_user_id) : null,
  };
}
