/** Events of before, for a feed that has many: written by SQL, since a million changes by calls would take an hour. */
import { DatabaseSync } from "node:sqlite";

/** Adds about so many events of the contacts of a database, in turns, as changes of a minute ago. */
export function addEvents(file: string, events: number): void {
  const connection = new DatabaseSync(file);
  const begun = performance.now();
  connection.exec("pragma synchronous = off");
  const { contacts } = connection.prepare("select count(*) as contacts from contacts").get() as {
    contacts: number;
  };
  const at = new Date(Date.now() - 60_000).toISOString().replace("T", " ").slice(0, 19);
  const add = connection.prepare(
    `insert into outbox (id, company_id, event_name, entity_type, entity_id, sequence,
    executor_id, team_id, created_by, body, created_at, recorded_at)
    select printf('%08x-0000-7000-8000-%012x', ?1, c.seq), c.company_id, 'contact_updated', 'contact', c.id, ?1,
    c.user_id, c.team_id, c.created_by, json_object('id', c.id, 'status', c.status, 'fixed_fields', json_array(
      json_object('name', 'first_name', 'value', c.first_name), json_object('name', 'last_name', 'value', c.last_name),
      json_object('name', 'email', 'value', c.email), json_object('name', 'phone_number', 'value', c.phone_number)),
      'custom_fields', json_array(), 'external_id', c.external_id, 'created_at', c.created_at, 'updated_at', ?2),
    ?2, ?3 from contacts c order by c.seq`,
  );
  for (let round = 1; round * contacts <= events; round++) add.run(round, at, Date.now() - 60_000);
  connection.close();
  const seconds = Math.round((performance.now() - begun) / 1_000);
  console.log(`Added ${Math.floor(events / contacts) * contacts} events in ${seconds} s.`);
}
