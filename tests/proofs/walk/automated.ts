/** The automated communications of a case. */
import { makeId } from "../../../src/core/ids.ts";
import { sql } from "../../../src/db/statements.ts";
import type { Kind } from "./world.ts";

export const automatedSends: Kind = {
  name: "automated communications of a case",
  path: "/v1/cases/:case_id/automated-communications",
  sorts: [],
  fallback: "send_at",
  parameter: "sort",
  shared: true,
  list: (world) => `/v1/cases/${world.case}/automated-communications`,
  async make(world, { day }) {
    const id = makeId();
    await world.app.deps.db.write([
      sql`insert into automated_sends (id, company_id, case_id, activity_id, activity_type_id, definition_id,
        message_id, name, subject, due_at, case_status, status, origin, created_at, updated_at)
        values (${id}, ${world.company.id}, ${world.case}, '', '', '', '', 'Thanks', 'Hello',
        ${Date.UTC(2098, 0, day)}, 'open', 'pending', '', '', '')`,
    ]);
    return id;
  },
  async happen({ app }, id) {
    await app.deps.db.write([sql`update automated_sends set status = 'sent' where id = ${String(id)}`]);
    return [];
  },
  key: (record) => record.send_at,
};
