/** Endpoints of `/filemanager`. */
import { type Endpoint, endpoint } from "../../http/endpoint.ts";
import { mostBytes } from "../content.ts";
import { File } from "../schema.ts";
import { type Belonging, belongings } from "../table.ts";
import { createFolder } from "./create_folder.ts";
import { deleteFiles, deleteManagedFile } from "./delete_files.ts";
import { deleteFolder } from "./delete_folder.ts";
import { downloadManagedFile } from "./get_file.ts";
import { getFolder, listItems } from "./list.ts";
import {
  DownloadLink,
  FileBatch,
  Folder,
  FolderBody,
  FolderChange,
  FolderQuery,
  FolderWithItems,
  ItemPage,
  ItemQuery,
  ManagedFileChange,
  uploadFields,
  UploadQuery,
} from "./schema.ts";
import { updateManagedFile } from "./update_file.ts";
import { updateFolder } from "./update_folder.ts";
import { uploadFile } from "./upload_file.ts";

const tag = "File manager";
const oneFolder = { folder_id: "uuid" } as const;
const oneFile = { file_id: "uuid" } as const;
const form = { file: { most: mostBytes, description: `Any file, at most ${mostBytes} bytes.` } };
const writers =
  "In the company's: admins; in a group's: its group admins; in a team's: its team admins and its " +
  "group's admins; in a user's own: the user. Admins also in groups' and teams'.";

export const managerEndpoints: Endpoint[] = [
  endpoint({
    method: "get",
    path: "/v1/filemanager",
    operation: "listFileManager",
    tag,
    summary: "List the folders and files at the root",
    description: "By name, folders first.",
    query: ItemQuery,
    answers: { 200: { description: "A page of folders and files.", schema: ItemPage } },
  }, (ctx, { query, url }) => listItems(ctx, query, url)),
  endpoint({
    method: "post",
    path: "/v1/filemanager/folders",
    operation: "createFolder",
    tag,
    summary: "Create a folder",
    description: writers,
    query: UploadQuery,
    body: FolderBody,
    answers: { 200: { description: "The folder.", schema: Folder } },
    conflicts: ["folder_mismatch"],
  }, (ctx, { query, body }) => createFolder(ctx, body, query)),
  endpoint({
    method: "get",
    path: "/v1/filemanager/folders/:folder_id",
    operation: "getFolder",
    tag,
    summary: "Get a folder with the folders and files directly in it",
    params: oneFolder,
    query: FolderQuery,
    answers: { 200: { description: "The folder with a page of its items.", schema: FolderWithItems } },
  }, (ctx, { params, query, url }) => getFolder(ctx, params.folder_id, query, url)),
  endpoint({
    method: "put",
    path: "/v1/filemanager/folders/:folder_id",
    operation: "updateFolder",
    tag,
    summary: "Rename or move a folder",
    description:
      "It moves with all in it. Without `folder_id` it stays in its folder; from a root, `belongs_to` can " +
      "move it to another root.",
    params: oneFolder,
    body: FolderChange,
    answers: { 200: { description: "The updated folder.", schema: Folder } },
    conflicts: ["folder_mismatch"],
  }, (ctx, { params, body }) => updateFolder(ctx, params.folder_id, body)),
  endpoint({
    method: "delete",
    path: "/v1/filemanager/folders/:folder_id",
    operation: "deleteFolder",
    tag,
    summary: "Delete a folder with all in it",
    description: "Its files disappear from all records, too.",
    params: oneFolder,
    answers: { 204: { description: "The folder is deleted.", schema: null } },
  }, (ctx, { params }) => deleteFolder(ctx, params.folder_id)),
  endpoint({
    method: "delete",
    path: "/v1/filemanager/files/batch",
    operation: "deleteManagedFiles",
    tag,
    summary: "Delete several files: all of them or none",
    body: FileBatch,
    answers: { 204: { description: "The files are deleted.", schema: null } },
  }, (ctx, { body }) => deleteFiles(ctx, body.files)),
  endpoint({
    method: "get",
    path: "/v1/filemanager/files/:file_id",
    operation: "downloadManagedFile",
    tag,
    summary: "Download a file of the file manager",
    params: oneFile,
    answers: {
      303: {
        description: "`Location` and `url` are a link to the content, which needs no token for 5 minutes.",
        schema: DownloadLink,
      },
    },
  }, (ctx, { params }) => downloadManagedFile(ctx, params.file_id)),
  endpoint({
    method: "put",
    path: "/v1/filemanager/files/:file_id",
    operation: "updateManagedFile",
    tag,
    summary: "Rename or move a file",
    description:
      "Without `folder_id` it stays in its folder; from a root, `belongs_to` can move it to another root.",
    params: oneFile,
    body: ManagedFileChange,
    answers: { 200: { description: "The updated file.", schema: File } },
    conflicts: ["folder_mismatch"],
  }, (ctx, { params, body }) => updateManagedFile(ctx, params.file_id, body)),
  endpoint({
    method: "delete",
    path: "/v1/filemanager/files/:file_id",
    operation: "deleteManagedFile",
    tag,
    summary: "Delete a file of the file manager",
    params: oneFile,
    answers: { 204: { description: "The file is deleted.", schema: null } },
  }, (ctx, { params }) => deleteManagedFile(ctx, params.file_id)),
  uploadToRoot("/v1/filemanager/files/company", "uploadCompanyFile", "company"),
  uploadToRoot("/v1/filemanager/files/group", "uploadGroupFile", "group"),
  uploadToRoot("/v1/filemanager/files/team", "uploadTeamFile", "team"),
  uploadToRoot("/v1/filemanager/files/user", "uploadUserFile", "user"),
  endpoint({
    method: "post",
    path: "/v1/filemanager/files/:belongs_to/:folder_id",
    operation: "uploadFileToFolder",
    tag,
    summary: "Upload a file into a folder",
    description: `${writers} Beyond \`FILE_QUOTA\`: 422 \`max\` at \`file\`.`,
    params: { belongs_to: "text", folder_id: "uuid" },
    describedParams: { belongs_to: { example: "team", enum: [...belongings] } },
    multipart: form,
    streamed: true,
    answers: { 201: { description: "The file.", schema: File } },
    conflicts: ["folder_mismatch"],
  }, (ctx, { params, incoming }) => uploadFile(ctx, params, incoming!, { inPath: true })),
];

/**
 * Returns the upload endpoint of a root. Each root has its own, because OpenAPI allows no parameter in the
 * position where other endpoints have the id of a file.
 */
function uploadToRoot(path: string, operation: string, belongs_to: Belonging): Endpoint {
  return endpoint({
    method: "post",
    path,
    operation,
    tag,
    summary: `Upload a file of the ${belongs_to}`,
    description:
      `${writers} Fields of the form come before the file. Beyond \`FILE_QUOTA\`: 422 \`max\` at \`file\`.`,
    query: uploadFields[belongs_to],
    body: uploadFields[belongs_to],
    multipart: form,
    streamed: true,
    answers: { 201: { description: "The file.", schema: File } },
    conflicts: ["folder_mismatch"],
  }, (ctx, { query, incoming }) => uploadFile(ctx, { ...query, belongs_to }, incoming!));
}
