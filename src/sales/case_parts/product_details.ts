/** The products that the activities of a case offer: their record, SQL and wire shape. */
import { sql } from "../../db/statements.ts";

/** One product of a detail. */
export interface ProductLine {
  readonly id: string;
  readonly name: string;
  readonly quantity: number;
  readonly type: string | null;
  readonly price: number | null;
  readonly discount: number | null;
  readonly comment: string | null;
  /** Case-folded texts, where SQLite's `lower` gives another text. Filters compare them. */
  readonly folded: Readonly<Record<string, string>> | null;
}

export interface ProductDetail {
  readonly id: string;
  readonly products: readonly ProductLine[];
  readonly created_at: string;
  readonly updated_at: string;
}

/** SQL: the details of the case `cs` as a JSON list. */
export const detailsOfCase =
  sql`(select json_group_array(json(d.value) order by d.value ->> 'created_at', d.value ->> 'id')
  from activities detailed, json_each(detailed.product_details) d
  where detailed.case_id = cs.id and detailed.product_details <> '[]')`;

export function presentDetails(details: readonly ProductDetail[]) {
  return details.map(presentDetail);
}

export function presentDetail({ id, products, created_at, updated_at }: ProductDetail) {
  return { id, products: products.map(({ folded: _, ...line }) => line), created_at, updated_at };
}

/** Sorts details by time and place in their activity, as `detailsOfCase` reads them. */
export function orderDetails(details: readonly ProductDetail[]): ProductDetail[] {
  const key = ({ created_at, id }: ProductDetail) => `${created_at} ${id}`;
  return details.toSorted((one, other) => (key(one) < key(other) ? -1 : 1));
}
