/** Products in their categories, and what activities detail of them, written as rows. */
import type { Actor, Body, TestApp } from "../../support/app.ts";
import { named } from "../../customers/fields_world.ts";
import type { Facts } from "./evaluator.ts";
import { answer, type Dice, some } from "./world.ts";

/** A product as details name it. */
export interface Goods {
  readonly id: string;
  readonly name: string;
  /** The ids of its categories. */
  readonly categories: readonly number[];
}

/** In no category, in one, in two; and one that has been deleted since. */
export async function newGoods(admin: Actor): Promise<Goods[]> {
  const ids: number[] = [];
  for (const name of ["Oils", "Cars"]) {
    ids.push((await answer(admin, "POST", "/v1/products/categories", { name }, 201)).id);
  }
  const goods: Goods[] = [];
  const lines = [["Van", []], ["ÖL & Fett", [0]], ["van", [0, 1]], ["Straße 1", [1]]] as const;
  for (const [name, among] of lines) {
    const categories = among.map((n) => ids[n]!);
    const body = { category: { id: categories }, fixed_fields: named({ name }) };
    const { id } = await answer(admin, "POST", "/v1/products", body, 201);
    goods.push({ id, name, categories });
  }
  const [gone] = goods.splice(3);
  await answer(admin, "DELETE", `/v1/products/${gone!.id}?with_related_products=false`, undefined, 204);
  return [...goods, { ...gone!, categories: [] }];
}

/** Some products for the activity: the records that filters are about. */
export async function detailed(
  app: TestApp,
  random: Dice,
  goods: readonly Goods[],
  activity: Body,
): Promise<Facts[]> {
  const facts: Facts[] = [];
  const details: object[] = [];
  for (let left = random.below(3); left > 0; left--) {
    const products: object[] = [];
    for (let more = 1 + random.below(2); more > 0; more--) {
      const { id, name, categories } = random.of(goods);
      const quantity = random.of([null, 1, 2, 5]);
      const comment = random.of([null, "", "Fast & cheap", "ÜBER Nacht", "fast"]);
      const lowered = loweredOf({ name, comment });
      products.push({ id, name, quantity, comment, type: null, price: 1, discount: null, ...lowered });
      const values = {
        category: categories,
        quantity: some(quantity),
        comment: some(comment),
        name: [name],
        created_at: [activity.created_at],
      };
      facts.push({ id: `${id} of ${activity.id}`, values, below: {} });
    }
    details.push({ id: `detail ${left}`, products });
  }
  await app.deps.db.write([{
    sql: "update activities set product_details = ? where id = ?",
    args: [JSON.stringify(details), activity.id],
  }]);
  return facts;
}

/** Beside a product: its texts in lower case where they hold letters beyond ASCII. */
function loweredOf(texts: Readonly<Record<string, string | null>>): object {
  const beyond = Object.entries(texts).flatMap(([name, text]) =>
    text !== null && /[^\p{ASCII}]/u.test(text) ? [[name, text.toLowerCase()]] : []
  );
  return beyond.length > 0 ? { lowered: Object.fromEntries(beyond) } : {};
}
