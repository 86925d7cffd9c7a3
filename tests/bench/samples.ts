/**
 * Calls for the bench, chosen from the database so that each has the same number or share of matches at every
 * size.
 */
import type { Database, Row, Value } from "../../src/platform/database/database.ts";
import type { Asked } from "./load.ts";

export interface Samples {
  readonly accounts: readonly Asked[];
  /** Phone calls to record as activities of open cases. */
  readonly activities: readonly Asked[];
  /** Two words with about 100 matches. */
  readonly search: readonly Asked[];
  /** The first three letters of a last name and a month of creation: one of a thousand contacts. */
  readonly prefixAndMonth: readonly Asked[];
  /** A custom single choice: one of a hundred contacts. */
  readonly choice: readonly Asked[];
  /** A milestone that is done: one of a hundred contacts. */
  readonly milestone: readonly Asked[];
  /** The first letter of a last name: eight of a hundred contacts. */
  readonly letter: readonly Asked[];
  /** Letters within a last name. */
  readonly within: readonly Asked[];
}

export async function takeSamples(db: Database, companyId: number): Promise<Samples> {
  const rows = async (sql: string, ...args: Value[]): Promise<Row[]> => {
    const [found] = await db.read([{ sql, args: [companyId, ...args] }]);
    return found!.rows;
  };
  const contacts = Number((await rows("select count(*) as n from contacts where company_id = ?"))[0]!.n);
  const names = await rows(
    "select first_name || ' ' || last_name as name from contacts where company_id = ? " +
      "group by first_name, last_name order by abs(count(*) - 100) limit 20",
  );
  const letters = await rows(
    "select lower(substr(last_name, 1, 1)) as start, count(*) as n from contacts where company_id = ? " +
      "and last_name glob '[A-Za-z]*' group by 1 order by abs(count(*) - ?2 * 0.08) limit 5",
    contacts,
  );
  const months = await rows(
    "select lower(substr(last_name, 1, 3)) as start, substr(created_at, 1, 7) as month, count(*) as n " +
      "from contacts where company_id = ? and last_name glob '[A-Za-z][A-Za-z][A-Za-z]*' group by 1, 2 " +
      "order by abs(count(*) - ?2 * 0.001), 1, 2 limit 50",
    contacts,
  );
  const inner = await rows(
    "select lower(substr(last_name, 2, 4)) as part, count(*) as n from contacts where company_id = ? " +
      "and last_name glob '[A-Za-z][a-z][a-z][a-z][a-z]*' group by 1 order by abs(count(*) - ?2 * 0.005), 1 limit 50",
    contacts,
  );
  const [option] = await rows(
    "select f.id as field, o.value ->> 'id' as option from fields f, json_each(f.options) o " +
      "where f.company_id = ? and f.name = 'preferred_model' and o.value ->> 'value' = 'Pickup'",
  );
  const [rare] = await rows(
    "select id from activity_types where company_id = ? and name = 'Fleet agreement'",
  );
  const [call] = await rows("select id from activity_types where company_id = ? and name = 'Call back'");
  const open = await rows(
    "select id from cases where company_id = ? and status = 'open' order by seq % 997, seq limit 1000",
  );
  const accounts = await rows(
    "select id from accounts where company_id = ? and b2c = 0 order by seq % 997, seq limit 1000",
  );
  const nameCondition = (operator: string, value: unknown) => ({
    field: "b2b_contact.fixed_fields.last_name",
    operator,
    value,
  });
  const filter = (...nodes: unknown[]): Asked => ({ path: "/v1/contacts/filter", body: { filter: nodes } });
  return {
    activities: open.map(({ id }) => ({
      path: `/v1/cases/${id}/activities`,
      body: { activity_type_ids: [call!.id], communication_channel: "phone", note: "Call again next week." },
    })),
    accounts: accounts.map(({ id }) => ({ path: `/v1/accounts/${id}` })),
    search: names.map(({ name }) => ({ path: `/v1/contacts?search=${encodeURIComponent(String(name))}` })),
    prefixAndMonth: months.map(({ start, month }) =>
      filter(
        nameCondition("sw", start),
        { field: "contact.created_at", operator: "gte", value: `${month}-01 00:00:00` },
        { field: "contact.created_at", operator: "lt", value: `${nextMonth(String(month))}-01 00:00:00` },
      )
    ),
    choice: [filter({
      field: `b2b_contact.custom_fields.id.${option!.field}`,
      operator: "eq",
      value: option!.option,
    })],
    milestone: [filter({ field: "case.milestones.id", operator: "eq", value: rare!.id })],
    letter: letters.map(({ start }) => filter(nameCondition("sw", start))),
    within: inner.map(({ part }) => filter(nameCondition("ct", part))),
  };
}

function nextMonth(month: string): string {
  const [year, of] = month.split("-").map(Number);
  return of === 12 ? `${year! + 1}-01` : `${year}-${String(of! + 1).padStart(2, "0")}`;
}
