import { ok } from "../../core/answer.ts";
import { type FieldError, fieldError, invalid } from "../../core/errors.ts";
import { markShown } from "../../db/alters.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { insertAll, remove } from "../../db/statements.ts";
import { checkMatch } from "../../http/conditional.ts";
import { seal } from "../../platform/crypto.ts";
import { checkTarget } from "../../platform/egress.ts";
import { companyById, readOwn } from "../companies/queries.ts";
import { changeCompany } from "../companies/write.ts";
import { checkMay } from "./get.ts";
import { isMasked, maskSecret, presentDrivers } from "./present.ts";
import { type Driver, driversOf, readDrivers } from "./queries.ts";
import type { GivenSsoDriver } from "./schema.ts";
import { ssoDrivers } from "./table.ts";

/** Returns 200 with the updated list. Removes drivers that are not in it. */
export async function updateSso(
  ctx: Context,
  companyId: number,
  given: readonly GivenSsoDriver[],
) {
  checkMay(ctx, companyId);
  const { db, config, secretsKey } = ctx.deps;
  const [companyFound, found] = await db.read([companyById(companyId), driversOf(companyId)]);
  const { version } = readOwn(companyFound);
  const before = readDrivers(secretsKey, found!);
  checkMatch(ctx, () => presentDrivers(before));
  const errors: FieldError[] = [];
  const drivers = given.map((driver, index): Driver => {
    const fault = findFault(driver.issuer, config.webhookAllowPrivate);
    if (fault !== null) errors.push(fieldError(`[${index}].issuer`, "format", `The address ${fault}.`));
    const client_secret = chooseSecret(driver, before);
    if (client_secret === null) {
      const code = driver.client_secret === undefined ? "required" : "format";
      const why = "Must be the secret itself: none is stored for this issuer and client_id.";
      errors.push(fieldError(`[${index}].client_secret`, code, why));
    }
    return { ...driver, client_secret: client_secret ?? "" };
  });
  if (errors.length > 0) throw invalid(...errors);
  const rows = drivers.map((driver, position) => ({
    company_id: companyId,
    provider_name: driver.provider_name,
    issuer: driver.issuer,
    client_id: driver.client_id,
    client_secret: seal(secretsKey, driver.client_secret),
    position,
  }));
  return await commit(ctx, {
    statements: [
      ...changeCompany({ id: companyId, version }),
      // Answers mask the secrets.
      {
        ...remove(ssoDrivers, { company_id: companyId }),
        alters: drivers.some(({ client_secret }, index) => client_secret !== before[index]?.client_secret),
      },
      ...markShown(rows.length > 0 ? [insertAll(ssoDrivers, rows)] : []),
    ],
    answer: ok(presentDrivers(drivers)),
  });
}

/**
 * Returns the secret to store; null when there is none. A stored secret is kept only for the same issuer and
 * client id: otherwise an admin could have it sent to another server.
 */
function chooseSecret(given: GivenSsoDriver, before: readonly Driver[]): string | null {
  const { issuer, client_id, client_secret } = given;
  if (client_secret !== undefined && !isMasked(client_secret)) return client_secret;
  const stored = before.filter((driver) => driver.issuer === issuer && driver.client_id === client_id)
    .filter((driver) => client_secret === undefined || maskSecret(driver.client_secret) === client_secret);
  const same = stored.find(({ provider_name }) => provider_name === given.provider_name) ?? stored[0];
  return same?.client_secret ?? null;
}

function findFault(issuer: string, allowPrivate: boolean): string | null {
  const refused = checkTarget(issuer, allowPrivate);
  if (refused !== null) return refused;
  if (!allowPrivate && !/^https:/i.test(issuer)) return "must begin with https://";
  return /[?#]/.test(issuer) ? "must have no query and no fragment" : null;
}
