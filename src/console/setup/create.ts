/** Makes the first company with its admin, and signs the admin in. */
import { toJson } from "../../core/json.ts";
import { Problem } from "../../core/errors.ts";
import { fieldError, notFound } from "../../core/errors.ts";
import { findLocale } from "../../core/reference.ts";
import { sql } from "../../db/statements.ts";
import { parseValid } from "../../http/validate.ts";
import { Attempts, type Counting } from "../../identity/attempts/attempts.ts";
import { makeSetupLimits } from "../../identity/attempts/limits.ts";
import { newCookie, openSession } from "../../identity/auth/sessions.ts";
import { createCompany } from "../../identity/registration/create.ts";
import { CreateCompany } from "../../identity/registration/schema.ts";
import { password } from "../../identity/users/record.ts";
import { guardThat } from "../../platform/database/database.ts";
import { createCompanyWithExample } from "../../sales/start/example.ts";
import { isSetUp, isSetupCode } from "../setup_code.ts";

/** The first password has more characters than those that calls set: it opens everything. */
const FirstCompany = CreateCompany.extend({
  user: CreateCompany.shape.user.extend({ password: password(10) }),
});

interface Setup extends Counting {
  readonly request: Request;
  readonly origin: string;
  readonly form: FormData;
}

/** Returns the cookie of the admin's session. Throws 404 when there is a company already. */
export async function setUp(setup: Setup): Promise<string> {
  const { deps, form } = setup;
  if (await isSetUp(deps)) throw notFound();
  const text = (name: string) => String(form.get(name) ?? "").trim();
  await checkCode(setup, text("code"));
  const body = parseValid(FirstCompany, composeBody(text, String(form.get("password") ?? "")), "");
  // Of two people who send the form at once, one makes the company.
  const guards = [guardThat("setup", sql`not exists (select 1 from companies)`)];
  const create = form.get("example") === "on" ? createCompanyWithExample : createCompany;
  const answer = await create({ ...setup, guards }, body);
  const { user } = JSON.parse(toJson(answer.body!).text) as { user: { id: number } };
  const cookie = newCookie();
  await deps.db.write(openSession(setup, user.id, cookie, null));
  return cookie;
}

async function checkCode(setup: Setup, typed: string): Promise<void> {
  const attempts = new Attempts(setup, makeSetupLimits(setup.address()));
  const [found] = await setup.deps.db.read([attempts.read]);
  attempts.check(found!);
  if (isSetupCode(setup.deps.secretsKey, typed)) return;
  await attempts.countFailure();
  throw new Problem(422, "validation_failed", "The set-up code is wrong.", {
    errors: [fieldError("code", "format", "The set-up code is wrong.")],
  });
}

function composeBody(text: (name: string) => string, password: string): unknown {
  const [language, country] = [text("language"), text("country")];
  const code = `${language}-${country}`;
  return {
    name: text("name"),
    timezone: { name: text("timezone") },
    language,
    currency: text("currency"),
    billing: { country },
    ...(findLocale(code) ? { locale: { code } } : {}),
    user: { first_name: text("first_name"), last_name: text("last_name"), email: text("email"), password },
  };
}
