/** Reads drivers, and users who sign in through them. */
import { eq } from "drizzle-orm";
import { drizzle, type Param, prepareQuery } from "../../db/prepared_statements.ts";
import { sql } from "../../db/statements.ts";
import { open } from "../../platform/crypto.ts";
import type { Result, Statement } from "../../platform/database/database.ts";
import { type SsoDriverRow, ssoDrivers } from "./table.ts";

/** A driver with its plain secret, which must not appear in answers or logs. */
export type Driver = Pick<SsoDriverRow, "provider_name" | "issuer" | "client_id" | "client_secret">;

/** A driver, by company and name. */
export interface DriverKey {
  readonly company_id: number;
  readonly provider_name: string;
}

/** A company's drivers in their order; read with `readDrivers`. */
export const driversOf = prepareQuery((companyId: Param<number>) =>
  drizzle.select().from(ssoDrivers).where(eq(ssoDrivers.company_id, companyId)).orderBy(ssoDrivers.position)
);

/** A driver of a company that is not deleted; read with `readDrivers`. */
export function selectDriver(companyId: number, providerName: string): Statement {
  return sql`select d.company_id, d.provider_name, d.issuer, d.client_id, d.client_secret, d.position
    from sso_drivers d join companies c on c.id = d.company_id
    where d.company_id = ${companyId} and d.provider_name = ${providerName} and c.deleted_at is null`;
}

export function readDrivers(secretsKey: Uint8Array, found: Result): Driver[] {
  return found.rows.map((row) => {
    const driver = row as SsoDriverRow;
    return { ...driver, client_secret: open(secretsKey, driver.client_secret) };
  });
}

/** The drivers of a company that is not deleted, for links; read with `readDriverKeys`. */
export function selectDriverKeys(companyId: number | null): Statement {
  return sql`select d.company_id, d.provider_name from sso_drivers d join companies c on c.id = d.company_id
    where d.company_id = ${companyId} and c.deleted_at is null order by d.position`;
}

export function readDriverKeys(found: Result): DriverKey[] {
  return found.rows.map((row) => ({
    company_id: row.company_id as number,
    provider_name: row.provider_name as string,
  }));
}

/** The drivers of the company that owns an application; read with `readDriverKeys`. */
export function selectDriverKeysOfApplication(clientId: string): Statement {
  return sql`select d.company_id, d.provider_name from applications a join companies c on c.id = a.company_id
    join sso_drivers d on d.company_id = a.company_id
    where a.client_id = ${clientId.replaceAll("\0", "")} and c.deleted_at is null order by d.position`;
}

/** The user with the subject at the provider: `id`, or no row. */
export function selectUserAtProvider(companyId: number, providerName: string, subject: string): Statement {
  return sql`select u.id from users u join companies c on c.id = u.company_id where u.company_id = ${companyId}
    and u.sso_provider = ${providerName} and u.sso_user_id = ${subject} and u.deleted_at is null and c.deleted_at is null`;
}
