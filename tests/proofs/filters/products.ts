/** Products in their categories, and the product details of activities. */
import type { Actor, Body } from "../../support/app.ts";
import { nameValues } from "../../customers/fields_world.ts";
import type { Facts } from "./evaluator.ts";
import { type Dice, listSome, readAnswer } from "./world.ts";

/** A product that product details can name. */
export interface Goods {
  readonly id: string;
  /** The ids of its categories at the end. */
  readonly categories: readonly number[];
}

/**
 * Creates products in no category, in one and in two. The last product is deleted at the end, so it has no
 * category.
 */
export async function newGoods(admin: Actor): Promise<Goods[]> {
  const ids: number[] = [];
  for (const name of ["Oils", "Cars"]) {
    ids.push((await readAnswer(admin, "POST", "/v1/products/categories", { name }, 201)).id);
  }
  const goods: Goods[] = [];
  for (const [name, among] of [["Van", []], ["ÖL & Fett", [0]], ["van", [0, 1]], ["ÜBER 1", [1]]] as const) {
    const categories = among.map((n) => ids[n]!);
    const body = { category: { id: categories }, fixed_fields: nameValues({ name }) };
    const { id } = await readAnswer(admin, "POST", "/v1/products", body, 201);
    goods.push({ id, categories });
  }
  return goods.with(-1, { ...goods.at(-1)!, categories: [] });
}

export async function deleteLast(admin: Actor, goods: readonly Goods[]): Promise<void> {
  const path = `/v1/products/${goods.at(-1)!.id}?with_related_products=false`;
  await readAnswer(admin, "DELETE", path, undefined, 204);
}

/** Returns random product details for the body of an activity. */
export function makeDetails(random: Dice, goods: readonly Goods[]): object[] {
  return Array.from({ length: random.below(3) }, () => ({
    products: Array.from({ length: 1 + random.below(2) }, () => ({
      id: random.of(goods).id,
      quantity: random.of([null, 1, 2, 5]),
      comment: random.of([null, "", "Fast & cheap", "ÜBER Nacht", "fast"]),
    })),
  }));
}

/** Returns the facts of the products in the product details of an activity, which filters select by. */
export function listDetailed(
  goods: readonly Goods[],
  { id: of, created_at, product_details }: Body,
): Facts[] {
  return product_details.flatMap(({ products }: Body) =>
    products.map(({ id, name, quantity, comment }: Body): Facts => ({
      id: `${id} of ${of}`,
      values: {
        category: goods.find((product) => product.id === id)!.categories,
        quantity: listSome(quantity),
        comment: listSome(comment),
        name: [name],
        created_at: [created_at],
      },
      below: {},
    }))
  );
}
