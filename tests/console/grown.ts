/** A made-up company with long lists: what the pages of the console show at most. */
import { makeId } from "../../src/core/ids.ts";
import { formatTimestamp } from "../../src/core/time.ts";
import { insertAll } from "../../src/db/statements.ts";
import { notifications } from "../../src/delivery/notifications/table.ts";
import { invitations } from "../../src/identity/invitations/table.ts";
import { importKept } from "../../src/integration/imports/table.ts";
import { attachments, files } from "../../src/library/table.ts";
import { indexName } from "../../src/library/write.ts";
import { makeRandom } from "../../src/cli/seed/random.ts";
import { correspondences } from "../../src/messages/correspondence/table.ts";
import { templates } from "../../src/messages/templates/record.ts";
import { activities } from "../../src/sales/activities/table.ts";
import { notes } from "../../src/sales/notes/record.ts";
import { savedFilters } from "../../src/customers/saved_filters/table.ts";
import type { Actor, TestApp } from "../support/app.ts";
import { fillCompany, listPlaces } from "./places.ts";

export interface GrownCompany {
  readonly admin: Actor;
  /** A user of a dealer team, which has the case and the customer with the most. */
  readonly dealer: Actor;
  /** The addresses of all pages, and of the lists that people open all day. */
  readonly addresses: readonly string[];
}

/** Sizes of what one record or person has. */
const long = { activitiesOfCase: 1_000, notesOfCustomer: 400, filesOfRecord: 100, noticesOfPerson: 200 };
const copies = 60;

const many = { contacts: 600, accounts: 150, cases: 2_500, leads: 400, teams: 40, users: 120 };

/**
 * Makes the company. Its leads still wait, as seen by a browser that has the time of the machine. `sizes`: other
 * numbers of its records; `lengths`: of what one of them has.
 */
export async function growCompany(app: TestApp, sizes = many, lengths = long): Promise<GrownCompany> {
  const admin = await fillCompany(app, sizes);
  const places = await listPlaces(app);
  const idIn = (kind: string) =>
    places.map((place) => new RegExp(`^/app/${kind}/([\\w-]{36})$`).exec(place)?.[1]).find(Boolean)!;
  const [case_id, contact_id, account_id] = [idIn("cases"), idIn("contacts"), idIn("accounts")];
  const [owner] = await app.sql("select team_id from cases where id = ?", case_id);
  const [user] = await app.sql(
    "select id from users where user_type = 3 and active_team_id = ? limit 1",
    owner!.team_id!,
  );
  const dealer = { id: Number(user?.id ?? admin.id) } as Actor;
  await app.deps.db.write([
    { sql: "update contacts set team_id = ? where id = ?", args: [owner!.team_id!, contact_id] },
    { sql: "update accounts set team_id = ? where id = ?", args: [owner!.team_id!, account_id] },
    { sql: "update leads set team_id = ? where state = 'assigned'", args: [owner!.team_id!] },
    {
      sql: "update leads set escalates_at = ? where escalates_at is not null",
      args: [formatTimestamp(Date.now() + 50 * 3_600_000)],
    },
  ]);
  await addMany(app, { admin, dealer, case_id, contact_id, account_id }, lengths);
  await addCopies(app, { admin, dealer, case_id, contact_id, account_id });
  return {
    admin,
    dealer,
    addresses: [...places, "/app/leads?view=all", "/app/cases?view=list&show=all", "/app/cases?show=all"],
  };
}

interface Subjects {
  readonly admin: Actor;
  readonly dealer: Actor;
  readonly case_id: string;
  readonly contact_id: string;
  readonly account_id: string;
}

async function addMany(
  app: TestApp,
  { admin, dealer, case_id, contact_id, account_id }: Subjects,
  { activitiesOfCase, notesOfCustomer, filesOfRecord, noticesOfPerson }: typeof long,
): Promise<void> {
  const random = makeRandom(7);
  const now = app.clock.now();
  const write = makeWriter(random);
  const times = (count: number) => Array.from({ length: count }, (_, at) => at);
  const stamp = (at: number) => formatTimestamp(now - at * 3_600_000);
  const stamps = (at: number) => ({ created_at: stamp(at), updated_at: stamp(at) });
  const [type] = await app.sql(
    "select json_object('id', id, 'name', name) as it from activity_types limit 1",
  );
  const [owner] = await app.sql("select company_id from users where id = ?", admin.id);
  const company_id = Number(owner!.company_id);
  const of = { company_id, user_id: dealer.id };
  const listed = [["case", case_id], ["contact", contact_id], ["account", account_id]] as const;
  const stored = listed.flatMap(([entity_type, entity_id]) =>
    times(filesOfRecord).map((at) => ({
      entity_type,
      entity_id,
      id: makeId(now - at),
      name: `${write(3)}.pdf`,
      at,
    }))
  );
  const note = (at: number) => ({ ...of, note: `<p>${write(60)}</p>`, mentions: 0, ...stamps(at) });
  await app.deps.db.write([
    insertAll(
      activities,
      times(activitiesOfCase).map((at) => ({
        ...of,
        id: makeId(now - at * 3_600_000),
        case_id,
        activity_types: `[${String(type!.it)}]`,
        communication_channel: "phone" as const,
        note: write(60),
        ...stamps(at),
      })),
    ),
    {
      sql: "update cases set activity_count = activity_count + ? where id = ?",
      args: [activitiesOfCase, case_id],
    },
    insertAll(notes, times(notesOfCustomer).map((at) => ({ ...note(at), id: 1_000_000 + at, contact_id }))),
    insertAll(notes, times(notesOfCustomer).map((at) => ({ ...note(at), id: 2_000_000 + at, account_id }))),
    insertAll(
      files,
      stored.map(({ id, entity_type, name, at }) => ({
        ...of,
        user_id: entity_type === "account" ? admin.id : dealer.id,
        id,
        name,
        name_key: id,
        type: "application/pdf",
        size: 100_000 + at,
        digest: id,
        media: "document",
        object_key: id,
        ...stamps(at),
      })),
    ),
    ...stored.map(({ id, name }) => indexName({ id, company_id, name })),
    insertAll(
      attachments,
      stored.map(({ id: file_id, entity_type, entity_id, at }) => ({
        company_id,
        entity_type,
        entity_id,
        file_id,
        attached_by: dealer.id,
        attached_at: stamp(at),
      })),
    ),
    insertAll(
      correspondences,
      times(50).map((at) => ({
        ...of,
        id: makeId(now - at),
        case_id,
        type: "email" as const,
        direction: "out" as const,
        status: "sent" as const,
        recipient: "ada@example.org",
        subject: write(6),
        content: `<p>${write(60)}</p>`,
        ...stamps(at),
      })),
    ),
    insertAll(
      templates,
      times(150).map((at) => ({
        ...of,
        id: 1_000 + at,
        type: "email" as const,
        title: write(3),
        content: `<p>${write(30)}</p>`,
        ...stamps(at),
      })),
    ),
    insertAll(
      savedFilters,
      times(60).map((at) => ({
        id: makeId(now - at),
        company_id,
        kind: "contact",
        private: 0,
        name: write(3),
        filter: "[]",
        created_by: admin.id,
        ...stamps(at),
      })),
    ),
    insertAll(
      notifications,
      [admin, dealer].flatMap(({ id: user_id }) =>
        times(noticesOfPerson).map((at) => ({
          company_id,
          user_id,
          id: makeId(now - at),
          type: "custom",
          data: "{}",
          message: write(12),
          unsent: 0,
          created_at: stamp(at),
        }))
      ),
    ),
  ]);
}

/** Adds what a person, an administrator and an import have more of than a page shows. */
async function addCopies(app: TestApp, { admin, account_id, contact_id }: Subjects): Promise<void> {
  const id = "substr(id, 1, 24) || printf('%012x', n.copy)";
  const copy = async (table: string, own: Readonly<Record<string, string>>, where = "true") => {
    const found = await app.sql("select name from pragma_table_xinfo(?) where hidden = 0", table);
    const columns = found.map(({ name }) => String(name));
    const numbers = JSON.stringify(Array.from({ length: copies }, (_, at) => at + 1));
    await app.deps.db.write([{
      sql: `insert into ${table} ("${columns.join('", "')}")
        select ${columns.map((name) => own[name] ?? `"${name}"`).join(", ")}
        from (select * from ${table} where ${where} limit 1) cross join (select value as copy from json_each(?)) n`,
      args: [numbers],
    }]);
  };
  const [member] = await app.sql("select company_id from users where id = ?", admin.id);
  const now = app.clock.now();
  const at = formatTimestamp(now);
  await app.deps.db.write([
    {
      sql: "update imports set status = 'reverted', reverted = ?",
      args: [JSON.stringify({ deleted: 0, restored: 0, kept: copies })],
    },
    insertAll(
      invitations,
      Array.from({ length: copies }, (_, n) => ({
        company_id: Number(member!.company_id),
        email: `ada${n}@example.org`,
        email_key: `ada${n}@example.org`,
        token_hash: `hash ${n}`,
        role_ids: "[]",
        team_ids: "[]",
        created_by: admin.id,
        expires_at: now + 86_400_000,
        created_at: at,
        updated_at: at,
      })),
    ),
    insertAll(
      importKept,
      (await app.sql(
        "select i.id, i.company_id, n.value as at from imports i cross join json_each(?) n",
        JSON.stringify(Array.from({ length: copies }, (_, at) => at + 1)),
      ))
        .map((row) => ({
          company_id: Number(row.company_id),
          import_id: String(row.id),
          row: Number(row.at),
          entity: "contact",
          record_id: makeId(now),
          reason: "changed" as const,
        })),
    ),
    {
      sql: `update contacts set account_id = ? where b2c = 0 and id in
        (select id from contacts where b2c = 0 limit ${copies})`,
      args: [account_id],
    },
    {
      sql:
        `update cases set account_id = ?, contact_id = ? where id in (select id from cases limit ${copies})`,
      args: [account_id, contact_id],
    },
  ]);
  const ofBoth = (early: string, late: string) => `iif(n.copy <= ${copies / 2}, ${early}, ${late})`;
  const task = {
    id,
    user_id: String(admin.id),
    stage: ofBoth("stage", "'later'"),
    start_at: ofBoth("start_at", `'${formatTimestamp(now + 80_000_000)}'`),
    end_at: ofBoth("end_at", `'${formatTimestamp(now + 90_000_000)}'`),
  };
  await copy("tasks", task, "stage = 'overdue'");
  await copy("import_errors", { seq: "null", row: "100 + n.copy" });
  await copy("imports", { id, status: "'done'", object_key: "null", file_id: "null" });
  await copy("exports", { id });
  await copy("lead_types", { id });
  await copy("relations_paths", { id });
}

/** Makes texts of words that are as different as those of prose, so that compression shrinks them as little. */
function makeWriter(random: ReturnType<typeof makeRandom>): (words: number) => string {
  const syllables = "an ber co den el for ga hin is jo kal lu mer nor ost per qua ro sen tu un vor wi zer"
    .split(" ");
  const known = Array.from(
    { length: 800 },
    () => Array.from({ length: 1 + random.below(4) }, () => random.pick(syllables)).join(""),
  );
  return (words) => Array.from({ length: words }, () => random.pick(known)).join(" ");
}
