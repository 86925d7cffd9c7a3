/** The made-up company's products, and the offers in its cases. */
import { formatTimestamp } from "../../core/time.ts";
import { insertAll } from "../../db/statements.ts";
import type { Database } from "../../platform/database/database.ts";
import type { ProductDetail } from "../../sales/case_parts/product_details.ts";
import { products } from "../../sales/products/record.ts";
import { indexProductWords, selectProductSeq } from "../../sales/products/write.ts";
import type { Organisation } from "./organisation.ts";
import type { Random } from "./random.ts";

export interface Product {
  readonly id: string;
  readonly name: string;
  readonly list_price: number;
}

/** Names with prices in thousands. */
const models = {
  "City electric": 27,
  "Compact estate": 34,
  "Family estate": 46,
  "Saloon": 52,
  "Seven-seater": 58,
  "Delivery van": 39,
};

export async function makeProducts(
  db: Database,
  random: Random,
  { companyId, adminId }: Organisation,
  begin: number,
): Promise<readonly Product[]> {
  const at = formatTimestamp(begin);
  const made = Object.entries(models).map(([name, thousands]) => ({
    id: random.uuid(begin),
    name,
    list_price: thousands * 1_000 - 10,
  }));
  await db.write([
    insertAll(
      products,
      made.map((product) => ({
        ...product,
        company_id: companyId,
        type: "vehicle",
        tax: 19,
        created_by: adminId,
        created_at: at,
        updated_at: at,
        version: 1,
      })),
    ),
    ...made.map(({ id, name }) => indexProductWords(selectProductSeq(id), { company_id: companyId, name })),
  ]);
  return made;
}

/** Returns an offer of one product, sometimes with a discount. `at`: epoch milliseconds. */
export function makeOffer(random: Random, offered: readonly Product[], at: number): ProductDetail {
  const { list_price, ...product } = random.pick(offered);
  const moment = formatTimestamp(at);
  const line = {
    ...product,
    quantity: random.chance(5) ? 2 : 1,
    type: "vehicle",
    price: list_price,
    discount: random.chance(40) ? 250 * (1 + random.below(8)) : null,
    comment: null,
    folded: null,
  };
  return { id: random.uuid(at), products: [line], created_at: moment, updated_at: moment };
}

/** Returns the value of an offer. */
export function computeOfferValue({ products }: ProductDetail): number {
  return products.reduce(
    (sum, { quantity, price, discount }) => sum + quantity * (price ?? 0) - (discount ?? 0),
    0,
  );
}
