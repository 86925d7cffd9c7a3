/** Endpoints of the files of accounts, contacts, cases and leads. */
import { type Endpoint, endpoint } from "../../http/endpoint.ts";
import { attachFiles, detachFiles } from "./attach.ts";
import { downloadAttached, getAttached, listAttached } from "./list.ts";
import { accountFiles, caseFiles, contactFiles, leadFiles, type RecordKind } from "./records.ts";
import { AttachedFile, AttachedFilePage, AttachmentsBody, AttachmentsQuery } from "./schema.ts";

export const attachmentEndpoints: Endpoint[] = [
  ...makeFileEndpoints(
    {
      all: "/v1/accounts/:account_id/files",
      one: "/v1/accounts/:account_id/files/:file_id",
      download: "/v1/accounts/:account_id/files/:file_id/download",
    },
    "Account",
    "an account",
    accountFiles,
    {
      account_id: "uuid",
    },
  ),
  ...makeFileEndpoints(
    {
      all: "/v1/accounts/:account_id/contacts/:contact_id/files",
      one: "/v1/accounts/:account_id/contacts/:contact_id/files/:file_id",
      download: "/v1/accounts/:account_id/contacts/:contact_id/files/:file_id/download",
    },
    "Contact",
    "a contact",
    contactFiles,
    {
      account_id: "uuid",
      contact_id: "uuid",
    },
  ),
  ...makeFileEndpoints(
    {
      all: "/v1/cases/:case_id/files",
      one: "/v1/cases/:case_id/files/:file_id",
      download: "/v1/cases/:case_id/files/:file_id/download",
    },
    "Case",
    "a case",
    caseFiles,
    { case_id: "uuid" },
  ),
  ...makeFileEndpoints(
    {
      all: "/v1/leads/:lead_id/files",
      one: "/v1/leads/:lead_id/files/:file_id",
      download: "/v1/leads/:lead_id/files/:file_id/download",
    },
    "Lead",
    "a lead",
    leadFiles,
    { lead_id: "uuid" },
  ),
];

interface Paths {
  readonly all: string;
  readonly one: string;
  readonly download: string;
}

/**
 * Returns the endpoints of a kind of record. `name` is a part of the operations, `record` of the summaries.
 */
function makeFileEndpoints(
  paths: Paths,
  name: string,
  record: string,
  kind: RecordKind,
  params: Readonly<Record<string, "uuid">>,
): Endpoint[] {
  const tag = kind.right === "customers.update" ? "Files of customers" : "Files of sales";
  const one = { ...params, file_id: "uuid" } as const;
  return [
    endpoint({
      method: "get",
      path: paths.all,
      operation: `list${name}Files`,
      tag,
      summary: `List the files of ${record}`,
      description: "The newest attachment first.",
      params,
      query: AttachmentsQuery,
      answers: { 200: { description: "A page of files.", schema: AttachedFilePage } },
    }, (ctx, { params, query, url }) => listAttached(ctx, kind, params, query, url)),
    endpoint({
      method: "post",
      path: paths.all,
      operation: `attach${name}Files`,
      tag,
      summary: `Attach files to ${record}`,
      description: "Everybody who sees the record may then read the files. Files that are attached already " +
        "stay as they are. 422 `exists` for a file that the caller may not read.",
      right: kind.right,
      params,
      body: AttachmentsBody,
      answers: { 204: { description: "The files are attached.", schema: null } },
    }, (ctx, { params, body }) => attachFiles(ctx, kind, params, body.file_ids)),
    endpoint({
      method: "delete",
      path: paths.all,
      operation: `detach${name}Files`,
      tag,
      summary: `Detach files from ${record}`,
      description: "The files themselves stay. Ids of files that are not attached change nothing.",
      right: kind.right,
      params,
      body: AttachmentsBody,
      answers: { 204: { description: "The files are detached.", schema: null } },
    }, (ctx, { params, body }) => detachFiles(ctx, kind, params, body.file_ids)),
    endpoint({
      method: "get",
      path: paths.one,
      operation: `get${name}File`,
      tag,
      summary: `Get a file of ${record}`,
      params: one,
      answers: { 200: { description: "The file.", schema: AttachedFile } },
    }, (ctx, { params }) => getAttached(ctx, kind, params)),
    endpoint({
      method: "get",
      path: paths.download,
      operation: `download${name}File`,
      tag,
      summary: `Download a file of ${record}`,
      params: one,
      answers: {
        303: {
          description: "`Location` is a link to the content, which needs no token for 5 minutes.",
          schema: null,
        },
      },
    }, (ctx, { params }) => downloadAttached(ctx, kind, params)),
  ];
}
