/** Endpoints of `/folders`: the files that are in a folder or root of the file manager, as attachments of it. */
import { type Endpoint, endpoint } from "../../http/endpoint.ts";
import { AttachedFile, AttachedFilePage, AttachmentsBody, AttachmentsQuery } from "../attachments/schema.ts";
import { downloadPlaced, getPlaced, listPlaced } from "./list.ts";
import { putFiles, takeOutFiles } from "./put.ts";

const tag = "Files of folders";
const folder = { folder_id: "text" } as const;
const one = { ...folder, file_id: "uuid" } as const;
const describedParams = {
  folder_id: {
    example: "company:1",
    description: "The id of a folder, or a root: `company:<company_id>`, `group:<group_id>`, " +
      "`team:<team_id>` or `user:<user_id>`.",
    pattern: "^((company|group|team|user):[1-9][0-9]*|[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12})$",
  },
};

export const folderFileEndpoints: Endpoint[] = [
  endpoint({
    method: "get",
    path: "/v1/folders/:folder_id/files",
    operation: "listFolderFiles",
    tag,
    summary: "List the files of a folder or root",
    description: "The newest addition first. Does not include the files of folders in it.",
    params: folder,
    describedParams,
    query: AttachmentsQuery,
    answers: { 200: { description: "A page of files.", schema: AttachedFilePage } },
  }, (ctx, { params, query, url }) => listPlaced(ctx, params.folder_id, query, url)),
  endpoint({
    method: "post",
    path: "/v1/folders/:folder_id/files",
    operation: "attachFolderFiles",
    tag,
    summary: "Put files into a folder or root",
    description:
      "Moves files from their current place. Files that are already there do not change. For users who may " +
      "change the files and write the folder. 422 `exists` for a file that the caller may not " +
      "read.",
    params: folder,
    describedParams,
    body: AttachmentsBody,
    answers: { 204: { description: "The files are in the folder or root.", schema: null } },
  }, (ctx, { params, body }) => putFiles(ctx, params.folder_id, body.file_ids)),
  endpoint({
    method: "delete",
    path: "/v1/folders/:folder_id/files",
    operation: "detachFolderFiles",
    tag,
    summary: "Take files out of a folder or root",
    description: "The files stay, without a place in the file manager. Ids of other files change nothing. " +
      "For users who may write the folder.",
    params: folder,
    describedParams,
    body: AttachmentsBody,
    answers: { 204: { description: "The files are no longer in the folder or root.", schema: null } },
  }, (ctx, { params, body }) => takeOutFiles(ctx, params.folder_id, body.file_ids)),
  endpoint({
    method: "get",
    path: "/v1/folders/:folder_id/files/:file_id",
    operation: "getFolderFile",
    tag,
    summary: "Get a file of a folder or root",
    params: one,
    describedParams,
    answers: { 200: { description: "The file.", schema: AttachedFile } },
  }, (ctx, { params }) => getPlaced(ctx, params.folder_id, params.file_id)),
  endpoint({
    method: "get",
    path: "/v1/folders/:folder_id/files/:file_id/download",
    operation: "downloadFolderFile",
    tag,
    summary: "Download a file of a folder or root",
    params: one,
    describedParams,
    answers: {
      303: {
        description: "`Location` is a link to the content, which needs no token for 5 minutes.",
        schema: null,
      },
    },
  }, (ctx, { params }) => downloadPlaced(ctx, params.folder_id, params.file_id)),
];
