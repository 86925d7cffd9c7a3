/** Endpoints of `/files`. Those that need no bearer token are in `serve.ts`. */
import { type Endpoint, endpoint } from "../../http/endpoint.ts";
import { page, parsePaging } from "../../http/lists.ts";
import { readFileRow } from "../access.ts";
import { FileWithToken } from "../schema.ts";
import { createFile } from "./create.ts";
import { deleteFile } from "./delete.ts";
import { downloadFile, getFile, getUsage } from "./get.ts";
import { fileList, listFiles } from "./list.ts";
import { presentWithToken } from "./present.ts";
import { replaceFile } from "./replace.ts";
import {
  FileBody,
  FileChange,
  FileListQuery,
  FilePage,
  FileReplacement,
  FileUsage,
  uploadLimit,
} from "./schema.ts";
import { updateFile } from "./update.ts";

const tag = "Files";
const one = { file_id: "uuid" } as const;

export const fileEndpoints: Endpoint[] = [
  endpoint({
    method: "get",
    path: "/v1/files",
    operation: "listFiles",
    tag,
    summary: "List the caller's files, and those that the company, groups and teams of the caller may read",
    query: FileListQuery,
    answers: { 200: { description: "A page of files.", schema: FilePage } },
  }, async (ctx, { query, url }) => {
    const paging = parsePaging(query, fileList);
    const { rows, total } = await listFiles(ctx, query, paging);
    const present = (row: typeof rows[number]) => presentWithToken(ctx, readFileRow(row));
    return page({ url, ctx }, paging, rows, total, present);
  }),
  endpoint({
    method: "post",
    path: "/v1/files",
    operation: "createFile",
    tag,
    summary: "Upload a file in base64",
    description: "The file has no place in the file manager. Beyond `FILE_QUOTA`: 422 `max` at `data`.",
    body: FileBody,
    bodyLimit: uploadLimit,
    answers: { 201: { description: "The file.", schema: FileWithToken } },
  }, (ctx, { body }) => createFile(ctx, body)),
  endpoint({
    method: "get",
    path: "/v1/files/usage",
    operation: "getFileUsage",
    tag,
    summary: "Get the number of the company's files and their bytes",
    answers: { 200: { description: "All files of the company.", schema: FileUsage } },
  }, (ctx) => getUsage(ctx)),
  endpoint({
    method: "get",
    path: "/v1/files/:file_id",
    operation: "getFile",
    tag,
    summary: "Get a file",
    params: one,
    answers: { 200: { description: "The file.", schema: FileWithToken } },
  }, (ctx, { params }) => getFile(ctx, params.file_id)),
  endpoint({
    method: "put",
    path: "/v1/files/:file_id",
    operation: "updateFile",
    tag,
    summary: "Change the name, permissions or publicity of a file",
    description: "For its owner, users who may write its folder, and admins who may read it.",
    params: one,
    body: FileChange,
    answers: { 200: { description: "The updated file.", schema: FileWithToken } },
  }, (ctx, { params, body }) => updateFile(ctx, params.file_id, body)),
  endpoint({
    method: "put",
    path: "/v1/files/:file_id/replace",
    operation: "replaceFile",
    tag,
    summary: "Replace the content of a file",
    description: "Ends its download tokens, links and published picture. A public file needs the right " +
      "`files.publish`. Beyond `FILE_QUOTA`: 422 `max` at `data`.",
    params: one,
    body: FileReplacement,
    bodyLimit: uploadLimit,
    answers: { 200: { description: "The file.", schema: FileWithToken } },
  }, (ctx, { params, body }) => replaceFile(ctx, params.file_id, body)),
  endpoint({
    method: "get",
    path: "/v1/files/:file_id/download",
    operation: "downloadFile",
    tag,
    summary: "Download a file",
    params: one,
    answers: {
      303: {
        description: "`Location` is a link to the content, which needs no token for 5 minutes.",
        schema: null,
      },
    },
  }, (ctx, { params }) => downloadFile(ctx, params.file_id)),
  endpoint({
    method: "delete",
    path: "/v1/files/:file_id",
    operation: "deleteFile",
    tag,
    summary: "Delete a file",
    description:
      "For its owner, users who may write its folder, and admins who may read it. It disappears from all " +
      "records and folders.",
    params: one,
    answers: { 204: { description: "The file is deleted.", schema: null } },
  }, (ctx, { params }) => deleteFile(ctx, params.file_id)),
];
