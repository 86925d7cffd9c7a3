/** Lists of files: a member's own and permitted ones, those attached to a record, and those of a root. */
import assert from "node:assert/strict";
import { deleteAt, type Id, type Kind, postRecord, withDirections, type World } from "./world.ts";

const upload = ({ admin }: World, name: string | null, fields = {}): Promise<Id> =>
  postRecord(admin, "/v1/files", { name: `${name}.txt`, data: "", ...fields });

const file: Kind = {
  name: "files",
  path: "/v1/files",
  sorts: withDirections(["created_at"]),
  fallback: "created_at",
  parameter: "sort",
  shared: true,
  list: () => "/v1/files",
  make: (world, { name }) =>
    upload(world, name, { permissions: [{ type: "company", value: world.company.id }] }),
  async happen({ admin }, id, what) {
    if (what !== "remove") return [];
    await deleteAt(admin, `/v1/files/${id}`);
    return "left";
  },
  key: (record) => record.created_at,
};

/** The files of contacts and leads are listed by the same code. */
function describeFiles(name: string, path: string, list: (world: World) => string): Kind {
  return {
    name: `the files of ${name}`,
    path,
    sorts: [],
    fallback: "attached_at",
    parameter: "sort",
    shared: true,
    list,
    async make(world, { name }) {
      const id = await upload(world, name);
      const attached = await world.admin.call("POST", list(world), { file_ids: [id] });
      assert.equal(attached.status, 204, attached.text);
      return id;
    },
    async happen(world, id, what) {
      if (what !== "remove") return [];
      const detached = await world.admin.call("DELETE", list(world), { file_ids: [id] });
      assert.equal(detached.status, 204, detached.text);
      return "left";
    },
    key: (record) => record.attached_at,
  };
}

export const files: readonly Kind[] = [
  file,
  describeFiles(
    "an account",
    "/v1/accounts/:account_id/files",
    ({ account }) => `/v1/accounts/${account}/files`,
  ),
  describeFiles("a case", "/v1/cases/:case_id/files", (world) => `/v1/cases/${world.case}/files`),
  describeFiles(
    "a root",
    "/v1/folders/:folder_id/files",
    ({ company }) => `/v1/folders/company:${company.id}/files`,
  ),
];
