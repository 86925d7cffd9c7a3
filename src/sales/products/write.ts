/** The parts of a commit that changes products. */
import type { EventName } from "../../core/events.ts";
import type { CustomValues } from "../../fields/custom_fields.ts";
import { makeId } from "../../core/ids.ts";
import { searchTokens } from "../../core/text.ts";
import type { Initial } from "../../records/members.ts";
import type { FieldAuthor } from "../../db/commit.ts";
import { markShown } from "../../db/alters.ts";
import { changeValues } from "../../db/custom_values.ts";
import type { EventDraft } from "../../db/outbox.ts";
import {
  guardVersions,
  insert,
  insertAll,
  remove,
  type Sql,
  sql,
  updateVersioned,
} from "../../db/statements.ts";
import { guardChanged, type Statement } from "../../platform/database/database.ts";
import {
  presentProduct,
  type ProductFacts,
  type productMembers,
  products,
  productsInCategories,
  relatedProducts,
} from "./record.ts";

/** The values of a request; absent members stay. */
export interface ProductValues {
  /** The columns that the body sets as it is. */
  readonly plain: Partial<Initial<typeof productMembers>>;
  readonly fixed: Partial<Pick<ProductFacts, "name" | "list_price" | "purchase_price" | "type" | "tax">>;
  readonly custom: CustomValues;
  readonly categories?: ProductFacts["categories"];
  readonly related?: ProductFacts["related"];
}

/** The product after a change, its statements and its event. */
export interface ProductWrite {
  readonly product: ProductFacts;
  readonly statements: readonly Statement[];
  readonly event: EventDraft;
}

export function makeProduct(
  author: FieldAuthor,
  company_id: number,
  { plain, fixed, custom, categories = [], related = [] }: ProductValues & {
    readonly plain: Initial<typeof productMembers>;
  },
): ProductWrite {
  const row = {
    ...plain,
    id: makeId(author.now),
    company_id,
    name: fixed.name ?? "",
    list_price: fixed.list_price ?? null,
    purchase_price: fixed.purchase_price ?? null,
    type: fixed.type ?? null,
    tax: fixed.tax ?? null,
    custom: JSON.stringify(custom),
    created_by: author.caller?.userId ?? null,
    created_at: author.at,
    updated_at: author.at,
  };
  const product: ProductFacts = { ...row, seq: 0, categories, related };
  return {
    product,
    statements: [
      guardVersions("product_categories", categories),
      insert(products, row),
      indexProductWords(selectProductSeq(row.id), row),
      ...insertCategories(product),
      ...insertRelated(product),
      ...changeValues(
        { owner: selectProductSeq(row.id), fields: author.fields.all.product.custom },
        {},
        custom,
      ),
    ],
    event: draftProductEvent("product_created", product, author),
  };
}

/** Guards the versions of the row and of the categories that it shows. */
export function changeProduct(
  author: FieldAuthor,
  before: ProductFacts,
  values: Partial<ProductValues>,
): ProductWrite {
  const { plain = {}, fixed = {}, custom, categories, related } = values;
  const set = {
    ...plain,
    ...fixed,
    ...(custom && { custom: JSON.stringify(custom) }),
    updated_at: author.at,
  };
  const product: ProductFacts = {
    ...before,
    ...set,
    categories: categories ?? before.categories,
    related: related ?? before.related,
    version: before.version + 1,
  };
  const owned = { owner: selectProductSeq(before.id), fields: author.fields.all.product.custom };
  return {
    product,
    statements: [
      guardVersions("product_categories", product.categories),
      updateVersioned(products, set, before),
      guardChanged("product"),
      ...(product.name === before.name ? [] : [indexProductWords(selectProductSeq(before.id), product)]),
      ...(categories
        ? markShown([remove(productsInCategories, { product_id: before.id }), ...insertCategories(product)])
        : []),
      ...(related
        ? markShown([remove(relatedProducts, { product_id: before.id }), ...insertRelated(product)])
        : []),
      ...(custom ? changeValues(owned, JSON.parse(before.custom), custom) : []),
    ],
    event: draftProductEvent("product_updated", product, author),
  };
}

/** All users of the company see products, so the event has no team. */
export function draftProductEvent(
  name: EventName,
  product: ProductFacts,
  { fields }: FieldAuthor,
): EventDraft {
  return {
    name,
    entity: { type: "product", id: product.id, team_id: null, created_by: product.created_by },
    body: presentProduct(product, fields.all),
  };
}

/** Writes the words of the product into the full-text index. `seq` may be SQL. */
export function indexProductWords(
  seq: number | Sql,
  { company_id, name }: Pick<ProductFacts, "company_id" | "name">,
): Statement {
  return sql`insert or replace into products_search (rowid, words)
    values (${seq}, ${searchTokens(`c${company_id}z`, [name])})`;
}

function insertCategories({ id, categories }: ProductFacts): Statement[] {
  if (categories.length === 0) return [];
  const rows = categories.map((category, place) => ({ product_id: id, category_id: category.id, place }));
  return [insertAll(productsInCategories, rows)];
}

function insertRelated({ id, related }: ProductFacts): Statement[] {
  if (related.length === 0) return [];
  return [
    insertAll(relatedProducts, related.map((related_id, place) => ({ product_id: id, related_id, place }))),
  ];
}

/** SQL: the number of the row of a product. */
export function selectProductSeq(id: string): Sql {
  return sql`(select seq from products where id = ${id})`;
}
