/**
 * A page of 10 takes at most twice as long in a folder of 100,000 files as in one of 10, and at a record with
 * ten files among a million attachments as among ten. It measures times, so it is not part of the suite,
 * which records the plans of the same lists:
 * `deno test -A --config tests/deno.json tests/library/large_lists.ts`.
 */
import assert from "node:assert/strict";
import { copyFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { nameFields } from "../sales/leads_world.ts";
import { startApp } from "../support/app.ts";
import { inFolder } from "../support/engines.ts";
import { type Server, startProcess } from "../support/process.ts";
import { serve } from "../support/service.ts";
import { makeEnvironment } from "./served.ts";

/** Other programs disturb both measurements, so the best of this many rounds counts. */
const rounds = 5;
const calls = 40;
const folderId = "01939c5e-7d3a-7c3f-8a55-0a4be5a1a001";

Deno.test("a page of a large folder, and of a record among a million attachments, takes at most twice the time", () =>
  inFolder(async (home) => {
    const [small, large] = [`${home}/small`, `${home}/large`];
    for (const folder of [small, large]) Deno.mkdirSync(folder);
    const { token, account } = await makeDatabases(small, large);
    fill(small, { files: 10, attachments: 10, account });
    fill(large, { files: 100_000, attachments: 1_000_000, account });
    const servers = await Promise.all(
      [small, large].map((folder) => startProcess(serve, makeEnvironment(folder), { timeoutMs: 60_000 })),
    );
    try {
      for (
        const path of [
          `/v1/filemanager/folders/${folderId}?per_page=10`,
          `/v1/accounts/${account}/files?per_page=10`,
        ]
      ) {
        const ratios: number[] = [];
        for (let round = 0; round < rounds && Math.min(Infinity, ...ratios) > 2; round++) {
          const [few, many] = await medians(servers, path, token);
          console.log(`${path}: ${few!.toFixed(2)} ms, ${many!.toFixed(2)} ms`);
          ratios.push(many! / few!);
        }
        assert.ok(Math.min(...ratios) <= 2, `${path}: ${ratios.map((ratio) => ratio.toFixed(1)).join(", ")}`);
      }
    } finally {
      for (const server of servers) await server.kill("SIGKILL");
    }
  }));

/** Makes the same database in each folder, of a company with an account. */
async function makeDatabases(...folders: readonly string[]): Promise<{ token: string; account: string }> {
  await using app = await startApp();
  app.clock.move(Date.now() - app.clock.now());
  const { admin } = await app.company();
  const { body } = await admin.call("POST", "/v1/accounts", { fixed_fields: nameFields({ name: "One" }) });
  for (const folder of folders) {
    await app.deps.db.script(`vacuum into '${folder}/crm.db'`);
    copyFileSync(`${app.folder}/secrets.key`, `${folder}/secrets.key`);
  }
  return { token: admin.token, account: body.id };
}

interface Size {
  readonly files: number;
  readonly attachments: number;
  readonly account: string;
}

/**
 * Inserts files into one folder, and attachments: ten of the account, the others of records that do not
 * exist.
 */
function fill(folder: string, { files, attachments, account }: Size): void {
  using db = new DatabaseSync(`${folder}/crm.db`, { enableForeignKeyConstraints: false });
  db.exec("pragma synchronous = off");
  const at = "'2026-01-01 00:00:00'";
  const series = (n: number) =>
    `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${n})`;
  const fileId = (i: string) => `printf('01939c5e-7d3a-7c3f-8a56-%012x', ${i})`;
  db.exec(`begin;
    insert into folders (id, company_id, user_id, name, name_key, belongs_to, belongs_to_id, created_at,
    updated_at)
    values ('${folderId}', 1, 1, 'F', 'f', 'company', 1, ${at}, ${at});
    insert into files (seq, id, company_id, user_id, name, name_key, type, size, digest, media, object_key,
    folder_id,
      created_at, updated_at) ${series(files)} select i, ${fileId("i")}, 1, 1, 'File ' || i,
    printf('file %06d', i), '',
      1, '', 'application/octet-stream', 'k' || i, '${folderId}', ${at}, ${at} from n;
    insert into attachments (entity_type, entity_id, file_id, company_id, attached_by,
    attached_at) ${series(attachments)} select 'account', iif(i <= 10, '${account}', 'record ' || (i / 10)),
    ${fileId(`1 + i % ${files}`)}, 1, 1, ${at} from n;
    commit`);
}

/** Returns the median milliseconds of a call to each server. The servers take turns. */
async function medians(servers: readonly Server[], path: string, token: string): Promise<number[]> {
  const times: number[][] = servers.map(() => []);
  for (let n = 0; n < calls; n++) {
    for (const [index, { url }] of servers.entries()) {
      const begun = performance.now();
      const reply = await fetch(url + path, { headers: { "Authorization": `Bearer ${token}` } });
      const text = await reply.text();
      times[index]!.push(performance.now() - begun);
      assert.equal(reply.status, 200, text);
    }
  }
  return times.map((each) => each.sort((one, other) => one - other)[calls / 2]!);
}
