import { startTarget, type Target } from "../support/listener.ts";
import { type Company, withCompany } from "./company.ts";

/** Registers a test with a company and a webhook target that is not subscribed yet. */
export function withTarget(name: string, test: (company: Company, target: Target) => Promise<void>): void {
  Deno.test(name, () =>
    withCompany(async (company) => {
      const target = startTarget();
      try {
        await test(company, target);
      } finally {
        await target.close();
      }
    }));
}
