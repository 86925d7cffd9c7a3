import { type Endpoint, endpoint } from "../../http/endpoint.ts";
import { page, parsePaging } from "../../http/lists.ts";
import { createProduct } from "./create.ts";
import type { StopFilters } from "../../customers/fields/stop_filters.ts";
import { deleteProduct } from "./delete.ts";
import { z } from "zod";
import { queryBoolean } from "../../http/zod.ts";
import {
  getProduct,
  listProducts,
  productList,
  ProductListQuery,
  ProductPage,
  readProductRow,
} from "./queries.ts";
import { presentProduct, Product, ProductBody, ProductChange } from "./record.ts";
import { updateProduct } from "./update.ts";

const tag = "Products";
const right = "products.manage";
const one = { product_id: "uuid" } as const;

const DeleteProductQuery = z.object({
  with_related_products: queryBoolean.optional().meta({
    description: "Whether to delete its related products too, but not theirs; default: true.",
  }),
});

/** `stopFilters` stops the stored filters that name the category of a deleted product. */
export const declareProductEndpoints = (stopFilters: StopFilters): Endpoint[] => [
  endpoint({
    method: "get",
    path: "/v1/products",
    operation: "listProducts",
    tag,
    summary: "List the products of the company",
    query: ProductListQuery,
    answers: { 200: { description: "A page of products.", schema: ProductPage } },
  }, async (ctx, { query, url }) => {
    const paging = parsePaging(query, productList);
    const { rows, total } = await listProducts(ctx, query, paging);
    const at = { url, ctx };
    return page(at, paging, rows, total, (row) => presentProduct(readProductRow(row), ctx.fields.seen));
  }),
  endpoint({
    method: "post",
    path: "/v1/products",
    operation: "createProduct",
    tag,
    summary: "Create a product",
    right,
    body: ProductBody,
    answers: { 201: { description: "The product.", schema: Product } },
  }, (ctx, { body }) => createProduct(ctx, body)),
  endpoint({
    method: "get",
    path: "/v1/products/:product_id",
    operation: "getProduct",
    tag,
    summary: "Get a product",
    params: one,
    answers: { 200: { description: "The product.", schema: Product } },
  }, (ctx, { params }) => getProduct(ctx, params.product_id)),
  endpoint({
    method: "put",
    path: "/v1/products/:product_id",
    operation: "updateProduct",
    tag,
    summary: "Change a product",
    right,
    params: one,
    body: ProductChange,
    answers: { 200: { description: "The updated product.", schema: Product } },
  }, (ctx, { params, body }) => updateProduct(ctx, params.product_id, body)),
  endpoint(
    {
      method: "delete",
      path: "/v1/products/:product_id",
      operation: "deleteProduct",
      tag,
      summary: "Delete a product, and by default its related products",
      description: "Leads and activities keep their copy of it. Other products lose the reference.",
      right,
      params: one,
      query: DeleteProductQuery,
      answers: { 204: { description: "The product is deleted.", schema: null } },
    },
    (ctx, { params, query }) =>
      deleteProduct(ctx, params.product_id, query.with_related_products ?? true, stopFilters),
  ),
];
