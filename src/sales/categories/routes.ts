import { type Endpoint, endpoint } from "../../http/endpoint.ts";
import { page, parsePaging } from "../../http/lists.ts";
import { createCategory } from "./create.ts";
import type { StopFilters } from "../../customers/fields/stop_filters.ts";
import { deleteCategory } from "../products/delete_category.ts";
import { Category, CategoryBody, CategoryChange, type CategoryRow, presentCategory } from "./record.ts";
import { categoryList, CategoryListQuery, CategoryPage, getCategory, listCategories } from "./queries.ts";
import { updateCategory } from "./update.ts";

const tag = "Products";
const right = "products.manage";
const one = { category_id: "integer" } as const;

/** `stopFilters` stops the stored filters that name a deleted category. */
export const declareCategoryEndpoints = (stopFilters: StopFilters): Endpoint[] => [
  endpoint({
    method: "get",
    path: "/v1/products/categories",
    operation: "listProductCategories",
    tag,
    summary: "List the categories of products",
    query: CategoryListQuery,
    answers: { 200: { description: "A page of categories.", schema: CategoryPage } },
  }, async (ctx, { query, url }) => {
    const paging = parsePaging(query, categoryList);
    const { rows, total } = await listCategories(ctx, paging);
    const at = { url, ctx };
    return page(at, paging, rows, total, (row) => presentCategory(row as CategoryRow));
  }),
  endpoint({
    method: "post",
    path: "/v1/products/categories",
    operation: "createProductCategory",
    tag,
    summary: "Create a category of products",
    right,
    body: CategoryBody,
    answers: { 201: { description: "The new category.", schema: Category } },
  }, (ctx, { body }) => createCategory(ctx, body)),
  endpoint({
    method: "get",
    path: "/v1/products/categories/:category_id",
    operation: "getProductCategory",
    tag,
    summary: "Get a category of products",
    params: one,
    answers: { 200: { description: "The category.", schema: Category } },
  }, (ctx, { params }) => getCategory(ctx, params.category_id)),
  endpoint({
    method: "put",
    path: "/v1/products/categories/:category_id",
    operation: "updateProductCategory",
    tag,
    summary: "Rename a category of products",
    right,
    params: one,
    body: CategoryChange,
    answers: { 200: { description: "The updated category.", schema: Category } },
  }, (ctx, { params, body }) => updateCategory(ctx, params.category_id, body)),
  endpoint({
    method: "delete",
    path: "/v1/products/categories/:category_id",
    operation: "deleteProductCategory",
    tag,
    summary: "Delete a category of products",
    description: "Its products stay and leave the category.",
    right,
    params: one,
    answers: { 204: { description: "The category is deleted.", schema: null } },
  }, (ctx, { params }) => deleteCategory(ctx, params.category_id, stopFilters)),
];
