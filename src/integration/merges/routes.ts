import { type Endpoint, endpoint } from "../../http/endpoint.ts";
import { answerList } from "../../http/lists.ts";
import type { Paging } from "../../lists/paging.ts";
import { mergeAccounts, mergeContacts } from "./merge.ts";
import { getMerge, listMerges, mergeList, presentMerge } from "./queries.ts";
import {
  Merge,
  MergeBody,
  MergedAccount,
  MergedContact,
  MergeListQuery,
  MergePage,
  Undone,
} from "./schema.ts";
import { undoMerge } from "./undo.ts";

const tag = "Merges";

const description =
  "The record `from_id` goes: all that names it names this record afterwards, stored filters and templates " +
  "aside. Consent that is refused stays refused. GET of the other id is then 404 with `merged_into`. The merge " +
  "can be undone for 30 days.";

export const mergeEndpoints: Endpoint[] = [
  endpoint({
    method: "post",
    path: "/v1/accounts/:account_id/merge",
    operation: "mergeAccounts",
    tag,
    summary: "Merge another account into this one",
    description: `${description} Of consumers the contacts merge too.`,
    right: "customers.delete",
    params: { account_id: "uuid" },
    body: MergeBody,
    answers: { 200: { description: "The account after the merge, and what moved.", schema: MergedAccount } },
    conflicts: ["merge_running"],
  }, async (ctx, { params, body }) => await mergeAccounts(ctx, params.account_id, body)),
  endpoint({
    method: "post",
    path: "/v1/contacts/:contact_id/merge",
    operation: "mergeContacts",
    tag,
    summary: "Merge another contact into this one",
    description: `${description} A consumer's account goes with its contact.`,
    right: "customers.delete",
    params: { contact_id: "uuid" },
    body: MergeBody,
    answers: { 200: { description: "The contact after the merge, and what moved.", schema: MergedContact } },
    conflicts: ["merge_running"],
  }, async (ctx, { params, body }) => await mergeContacts(ctx, params.contact_id, body)),
  endpoint({
    method: "get",
    path: "/v1/merges",
    operation: "listMerges",
    tag,
    summary: "List merges",
    description: "Those whose record the caller sees, the newest first.",
    query: MergeListQuery,
    answers: { 200: { description: "The merges.", schema: MergePage } },
  }, async (ctx, input) => {
    const read = (paging: Paging) => listMerges(ctx, input.query, paging);
    return await answerList(ctx, { list: mergeList, present: presentMerge }, input, read);
  }),
  endpoint({
    method: "get",
    path: "/v1/merges/:merge_id",
    operation: "getMerge",
    tag,
    summary: "Get a merge",
    params: { merge_id: "uuid" },
    answers: { 200: { description: "The merge.", schema: Merge } },
  }, async (ctx, { params }) => await getMerge(ctx, params.merge_id)),
  endpoint({
    method: "post",
    path: "/v1/merges/:merge_id/undo",
    operation: "undoMerge",
    tag,
    summary: "Undo a merge",
    description:
      "Within 30 days: the other record comes back under its id, with what it had and all that moved. What " +
      "somebody has changed, deleted or moved since stays as it is, and is listed in `kept`. Later merges of the " +
      "same records are undone first.",
    right: "customers.delete",
    params: { merge_id: "uuid" },
    answers: { 200: { description: "What is back, and what stays.", schema: Undone } },
    conflicts: ["merge_running", "merge_undone", "merge_covered"],
  }, async (ctx, { params }) => await undoMerge(ctx, params.merge_id)),
];
