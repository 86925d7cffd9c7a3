/** A made-up company with long lists: what the pages of the console show at most. */
import { newId } from "../../src/core/ids.ts";
import { formatTimestamp } from "../../src/core/time.ts";
import { insertAll } from "../../src/db/statements.ts";
import { notifications } from "../../src/delivery/notifications/table.ts";
import { attachments, files } from "../../src/library/table.ts";
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
const [activitiesOfCase, notesOfContact, filesOfRecord, noticesOfPerson] = [1_000, 400, 100, 200];

/** Makes the company. Its leads still wait, as seen by a browser that has the time of the machine. */
export async function growCompany(app: TestApp): Promise<GrownCompany> {
  const admin = await fillCompany(app, {
    contacts: 600,
    accounts: 150,
    cases: 2_500,
    leads: 400,
    teams: 40,
    users: 120,
  });
  const places = await listPlaces(app);
  const idIn = (kind: string) =>
    places.map((place) => new RegExp(`^/app/${kind}/([\\w-]{36})$`).exec(place)?.[1]).find(Boolean)!;
  const [case_id, contact_id, account_id] = [idIn("cases"), idIn("contacts"), idIn("accounts")];
  const [owner] = await app.sql("select team_id from cases where id = ?", case_id);
  const [user] = await app.sql(
    "select id from users where user_type = 3 and active_team_id = ? limit 1",
    owner!.team_id!,
  );
  const dealer = { id: Number(user!.id) } as Actor;
  await app.deps.db.write([
    { sql: "update contacts set team_id = ? where id = ?", args: [owner!.team_id!, contact_id] },
    { sql: "update accounts set team_id = ? where id = ?", args: [owner!.team_id!, account_id] },
    { sql: "update leads set team_id = ? where state = 'assigned'", args: [owner!.team_id!] },
    {
      sql: "update leads set escalates_at = ? where escalates_at is not null",
      args: [formatTimestamp(Date.now() + 50 * 3_600_000)],
    },
  ]);
  await addMany(app, { admin, dealer, case_id, contact_id, account_id });
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
    times(filesOfRecord).map((at) => ({ entity_type, entity_id, id: newId(now - at), at }))
  );
  const note = (at: number) => ({ ...of, note: `<p>${write(60)}</p>`, mentions: 0, ...stamps(at) });
  await app.deps.db.write([
    insertAll(
      activities,
      times(activitiesOfCase).map((at) => ({
        ...of,
        id: newId(now - at * 3_600_000),
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
    insertAll(notes, times(notesOfContact).map((at) => ({ ...note(at), id: 1_000_000 + at, contact_id }))),
    insertAll(notes, times(notesOfContact).map((at) => ({ ...note(at), id: 2_000_000 + at, account_id }))),
    insertAll(
      files,
      stored.map(({ id, at }) => ({
        ...of,
        id,
        name: `${write(3)}.pdf`,
        name_key: id,
        type: "application/pdf",
        size: 100_000 + at,
        digest: id,
        media: "document",
        object_key: id,
        ...stamps(at),
      })),
    ),
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
        id: newId(now - at),
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
        id: newId(now - at),
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
          id: newId(now - at),
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
