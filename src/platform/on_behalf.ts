/** The company for which work is done, for queues in which companies take turns and whose callers do not know it. */
import { AsyncLocalStorage } from "node:async_hooks";

const companies = new AsyncLocalStorage<number | null>();

/** Does work for a company; null: for a client that belongs to none. */
export function workForCompany<T>(company: number | null, work: () => T): T {
  return companies.run(company, work);
}

/**
 * Returns the company of the current work; null for none. The service's own work can have that of earlier work, since
 * Deno 2.9.6 keeps it for the next task of the event loop: use it for turns alone.
 */
export function getCompanyOfWork(): number | null {
  return companies.getStore() ?? null;
}
