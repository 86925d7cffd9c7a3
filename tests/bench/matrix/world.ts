/** The database that the matrix reads. It is kept between runs, under a name that identifies its content. */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { createApp } from "../../../src/app.ts";
import { loadConfig } from "../../../src/config.ts";
import { migrationsFolder, openBox } from "../../../src/entry/box.ts";
import { makeId } from "../../../src/core/ids.ts";
import { sha256 } from "../../../src/platform/crypto.ts";
import { textField } from "./cells.ts";
import { makeWorld } from "../world.ts";
import { memoryLog } from "../../support/ports.ts";

export interface MatrixWorld {
  readonly folder: string;
  readonly file: string;
  /** Bearer tokens. */
  readonly admin: string;
  readonly member: string;
}

/** The service on a world, called without a socket. */
export interface Service extends AsyncDisposable {
  /** Sends a GET without a body, otherwise a POST with it. */
  call(path: string, token: string, body?: string): Promise<{ status: number; text: string }>;
}

/**
 * Creates the world, which takes about 25 s for 100,000 contacts, unless an earlier run left it below the
 * temporary folder.
 */
export async function openWorld(
  contacts: number,
  fresh: boolean,
  more: { users?: number } = {},
): Promise<MatrixWorld> {
  const temporary = Deno.env.get("TMPDIR") ?? "/tmp";
  const folder = join(
    temporary,
    `wayline-matrix-texts-${contacts}-${Object.values(more).join("")}${schemaHash()}`,
  );
  const described = join(folder, "world.json");
  if (fresh) rmSync(folder, { recursive: true, force: true });
  if (!existsSync(described)) {
    const made = `${folder}-${Deno.pid}`;
    mkdirSync(made, { recursive: true });
    const { admin, member } = await makeWorld(made, {
      contacts,
      accounts: contacts / 5,
      cases: contacts * 0.3,
      target: "http://127.0.0.1:9",
      ...more,
    });
    addTexts(join(made, "crm.db"));
    writeFileSync(join(made, "world.json"), JSON.stringify({ admin, member }));
    // Renamed when complete, so that no run finds a partial world.
    rmSync(folder, { recursive: true, force: true });
    renameSync(made, folder);
  }
  const { admin, member } = JSON.parse(readFileSync(described, "utf8"));
  return { folder, file: join(folder, "crm.db"), admin, member };
}

/** Gives each contact a custom text. One in 26 begins with each letter, independently of the name. */
function addTexts(file: string): void {
  using db = new DatabaseSync(file);
  db.exec(
    `insert into fields (id, company_id, owner_type, name, label, type, created_by, created_at, updated_at)
    select '${makeId()}', company_id, owner_type, '${textField}', 'Remark', 'text', created_by, created_at, updated_at
    from fields where name = 'preferred_model';
    insert into custom_values (field, owner, text, b2c, team_id)
    select f.seq, c.seq, char(97 + c.seq * 7 % 26) || ' ' || c.last_name_key, c.b2c, c.team_id
    from contacts c join fields f on f.company_id = c.company_id and f.name = '${textField}';
    analyze`,
  );
}

/** Starts the service in this process. */
export async function serviceOn({ file, folder }: MatrixWorld): Promise<Service> {
  const config = loadConfig({ DATABASE_URL: `file:${file}`, STORAGE_URL: `file:${folder}/files` });
  const box = await openBox(config, { log: memoryLog() });
  const app = createApp(box.deps);
  return {
    async call(path, token, body) {
      const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
      const response = await app.fetch(
        new Request(
          `http://127.0.0.1${path}`,
          body === undefined ? { headers } : { method: "POST", headers, body },
        ),
      );
      return { status: response.status, text: await response.text() };
    },
    [Symbol.asyncDispose]: () => box.close(),
  };
}

/** Returns a hash of the schema for the name of the world. */
function schemaHash(): string {
  const files = readdirSync(migrationsFolder).filter((name) => name.endsWith(".sql")).sort();
  return sha256(files.map((name) => readFileSync(join(migrationsFolder, name), "utf8")).join()).slice(0, 12);
}
