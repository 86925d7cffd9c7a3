/** Made-up companies and people. Their addresses end in `.example`, which receives no mail. */
import { fold } from "../../core/text.ts";
import type { Pool } from "./pools.ts";
import type { Random } from "./random.ts";

export interface Person {
  readonly salutation: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly email: string;
  readonly phone_number: string;
}

export function makePerson(random: Random, pool: Pool, domain: string): Person {
  const female = random.chance(50);
  const first_name = random.pick(female ? pool.female : pool.male);
  const last_name = random.pick(pool.last);
  const name = `${formatSlug(first_name)}.${formatSlug(last_name)}`;
  return {
    salutation: female ? pool.madam : pool.sir,
    first_name,
    last_name,
    email: `${random.chance(20) ? name + random.below(100) : name}@${domain}`,
    phone_number: makePhone(random, pool),
  };
}

export interface Business {
  readonly name: string;
  readonly domain: string;
}

export function makeBusiness(random: Random, pool: Pool): Business {
  const names = random.chance(30)
    ? `${random.pick(pool.last)} & ${random.pick(pool.last)}`
    : `${random.pick(pool.last)} ${random.pick(pool.trades)}`;
  const name = `${names} ${random.pick(pool.forms)}`;
  return { name, domain: `${formatSlug(names)}.example` };
}

export function makePhone(random: Random, pool: Pool): string {
  return random.pick(pool.phones).slice(0, -6) + String(random.below(1_000_000)).padStart(6, "0");
}

/** Makes text fit for a domain or an address. */
export function formatSlug(text: string): string {
  return fold(text).replaceAll(/[^a-z0-9]+/g, "-").replaceAll(/^-|-$/g, "") || "x";
}
