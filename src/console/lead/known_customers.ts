/** Customers that are known already, and that a lead may be about. */
import { Problem } from "../../core/errors.ts";
import type { Visit } from "../visit.ts";

export interface KnownCustomer {
  readonly id: string;
  readonly name: string | null;
  readonly email: string | null;
  readonly phone_number: string | null;
  readonly account: { readonly id: string; readonly name: string | null };
}

interface Find {
  readonly contact: Omit<KnownCustomer, "account"> | null;
  readonly account: KnownCustomer["account"];
  readonly reasons: readonly string[];
}

/** Returns the contacts with the e-mail address or the phone number of the lead. An equal name is no question. */
export async function readKnownCustomers({ call }: Visit, lead_id: string): Promise<KnownCustomer[]> {
  const { data } = await call<{ data: readonly Find[] }>("listLeadDuplicates", { params: { lead_id } });
  return data.flatMap(({ contact, account, reasons }) =>
    contact && (reasons.includes("email") || reasons.includes("phone_number")) ? { ...contact, account } : []
  );
}

/** Does the same for a page, which is shown while the search is busy. The form asks again when it is sent. */
export async function showKnownCustomers(visit: Visit, lead_id: string): Promise<KnownCustomer[]> {
  try {
    return await readKnownCustomers(visit, lead_id);
  } catch (error) {
    if (error instanceof Problem && error.status === 503) return [];
    throw error;
  }
}
