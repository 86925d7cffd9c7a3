/** The SQL that fills a grown database. Row i of one kind is related to row i of the other kinds. */

/** Returns the UUID of row `i` of a kind: an SQL expression if `i` is one, a UUID if `i` is a number. */
export function toUuid(kind: keyof typeof kinds, i: string | number): string {
  if (typeof i === "number") return `01939c5e-7d3a-7${kinds[kind]}-8000-${i.toString(16).padStart(12, "0")}`;
  return `printf('01939c5e-7d3a-7${kinds[kind]}-8000-%012x', ${i})`;
}

const kinds = {
  account: "001",
  contact: "002",
  case: "003",
  lead: "004",
  activity: "005",
  task: "006",
  path: "007",
  lead_type: "008",
  milestone: "009",
  product: "00a",
  timeline_event: "00b",
  side_path: "00c",
  side_milestone: "00d",
  file: "00e",
  folder: "00f",
  campaign: "010",
  message: "011",
  automated: "012",
  automated_send: "013",
  set: "014",
  rank: "015",
  schedule: "016",
  import: "017",
} as const;

/** Custom fields of accounts and of contacts by name. Only rows 401 to 420 have the `value`. */
export const customField = {
  word: { type: "text", option: null, value: null },
  story: { type: "multi_line", option: null, value: null },
  size: { type: "numeric", option: null, value: 21 },
  since: { type: "date", option: null, value: "2024-02-29" },
  vip: { type: "boolean", option: null, value: true },
  colour: {
    type: "single_choice",
    option: "01939c5e-7d3a-7fff-8000-000000000001",
    value: "01939c5e-7d3a-7fff-8000-000000000001",
  },
  extras: {
    type: "multiple_choice",
    option: "01939c5e-7d3a-7fff-8000-000000000002",
    value: "01939c5e-7d3a-7fff-8000-000000000002",
  },
} as const;

/** Returns the word that 20 rows share: those whose number divided by 20, rounded down, is the group. */
export function makeWord(group: number): string {
  return `k${String(group).padStart(7, "0")}`;
}

/** Returns the time of creation of row `i`: `i` minutes after `start`. */
export function madeAt(i: number): string {
  return new Date((start + i * 60) * 1000).toISOString().slice(0, 19).replace("T", " ");
}

const start = 1_600_000_000;
const created = `datetime(${start} + i * 60, 'unixepoch')`;
/** Times in a different order from that of the ids. */
const shuffleTimes = (rows: number) => `datetime(${start} + (i * 7919) % ${rows} * 60, 'unixepoch')`;
const word = (scope: string) => `printf('${scope}k%07d', i / 20)`;
/** Spreads the rows evenly over fifty teams and no team. Everybody sees the records without a team. */
const team = "nullif(i % 51, 0)";
/** A tenth of the rows belongs to the team of the caller `person`. */
const sometimesOwn = "iif(i % 10 = 0, 1000000001, 2000001 + i % 50)";
const user = "10 + i / 20";
/**
 * Three in eight leads wait for the agency. The first 20 are escalated and have their own team, the next 20
 * are revoked.
 */
const status =
  "case when i <= 20 then 'escalated' when i <= 40 then 'revoked' when i % 8 = 1 then 'assignable' " +
  "when i % 8 = 3 then 'rejected' when i % 8 = 5 then 'escalated' else 'assigned' end";

/**
 * Uses two agency teams, so that the totals by team, agency and state are as many with few rows as with many.
 */
const agency = "case i % 49 when 0 then null when 7 then 7 else 21 end";

export function manySales(rows: number): string[] {
  const first = toUuid("account", 1);
  const at = shuffleTimes(rows);
  return [
    `insert into users (id, company_id, first_name, last_name, email, email_key, timezone, locale, created_at,
     updated_at)
     ${series(rows / 20 + 1)} select 9 + i, 1, 'Bo', 'User', 's' || i || '@example.org',
     's' || i || '@example.org',
     'UTC', 'en-GB', ${created}, ${created} from n`,
    ...path(1, toUuid("path", 0), toUuid("milestone", 0)),
    ...path(1, toUuid("side_path", 0), toUuid("side_milestone", 0)),
    leadType(1, toUuid("lead_type", 0)),
    leadType(1, toUuid("lead_type", 1)),
    `insert into accounts (seq, id, company_id, team_id, user_id, external_id, name, name_key, name_words,
       city,
       created_with_lead_type_id, created_with_lead_source, last_activity_at, created_at, updated_at)
     ${series(rows)} select i, ${toUuid("account", "i")}, 1, ${team}, ${user}, 'e' || i, 'Name ' || i,
       ${word("")},
     'c1zname ' || ${word("c1z")}, 'Hamburg', iif(i <= 20, '${toUuid("lead_type", 1)}', null),
     iif(i <= 20, 'fair', null), ${at}, ${created}, ${at} from n`,
    "insert into accounts_search (rowid, words) select seq, name_words from accounts",
    `update accounts set address = ${wordAt}, zip_code = ${wordAt}, city = ${wordAt}, state_region = ${wordAt},
       vat = ${wordAt}, website = ${wordAt}, name = ${wordAt}, country = iif(${rare}, 'AT', 'DE')`,
    // A fifth of the contacts belong to the first account, and about ten to each other account that has any.
    `insert into contacts (seq, id, company_id, account_id, team_id, user_id, status, first_name, last_name,
       email,
       last_name_key, name_words, last_activity_at, created_at, updated_at)
     ${series(rows)} select i, ${toUuid("contact", "i")}, 1,
     iif(i % 5 = 0, '${first}', ${toUuid("account", "2 + i / 12")}), ${team}, ${user}, 'lead', 'Ada',
       'Name ' || i,
     'c' || i || '@example.org', ${word("")}, 'c1zada ' || ${word("c1z")}, ${at}, ${created}, ${at} from n`,
    "insert into contacts_search (rowid, words) select seq, name_words from contacts",
    `update contacts set salutation = ${wordAt}, first_name = ${wordAt}, last_name = ${wordAt}, email = ${wordAt},
       phone_number = ${wordAt}, phone_key = ${wordAt}, title = ${wordAt}, status = iif(${rare}, 'customer', 'lead')`,
    ...customFields("account", 1, rows),
    ...customFields("contact", 1 + Object.keys(customField).length, rows),
    `insert into cases (seq, id, company_id, case_number, team_id, user_id, account_id, contact_id,
       relations_path_id,
       status, chance_of_success, latest_activity_at, important_key, recent_key, lead_type_id, lead_source,
       stock_vehicle_id, highest_milestone_id, highest_milestone_type, highest_milestone_at, created_at,
       updated_at)
     ${series(rows)} select i, ${toUuid("case", "i")}, 1, i, ${team}, ${user},
     iif(i between 401 and 420, '${toUuid("account", 58)}', ${toUuid("account", "i")}),
     ${toUuid("contact", "i")}, iif(i <= 20, '${toUuid("side_path", 0)}', '${toUuid("path", 0)}'),
       iif(i % 3 = 0, 'closed', 'open'), 10, ${at}, '1 ' || ${at},
     iif(i % 3 = 0, '2 ', '3 ') || ${at} || ' ' || ${at}, iif(i <= 20, '${toUuid("lead_type", 1)}', null),
     iif(i <= 20, 'fair', null), iif(i <= 20, '${toUuid("task", 0)}', null),
     iif(i <= 20, '${toUuid("side_milestone", 0)}', '${toUuid("milestone", 0)}'), iif(i <= 20, 'offer', null),
     ${created}, ${created}, ${at} from n`,
    `insert into case_numbers (company_id, last) values (1, ${rows})`,
    // Half of the activities, and one more, belong to one case.
    `insert into activities (id, company_id, case_id, user_id, activity_types, created_at, updated_at)
     ${series(rows)} select ${toUuid("activity", "i")}, 1,
     iif(i % 2 = 0, '${toUuid("case", 7)}',
     ${toUuid("case", "i")}), ${user}, '[]', ${at}, ${at} from n`,
    `update cases set activity_count = ${rows / 2 + 1} where id = '${toUuid("case", 7)}'`,
    // Half of the e-mails belong to the same case.
    `insert into correspondences (id, company_id, case_id, type, direction, status, content, created_at,
     updated_at)
     ${series(rows)} select ${toUuid("message", "i")}, 1,
     iif(i % 2 = 0, '${toUuid("case", 7)}',
     ${toUuid("case", "i")}), 'email', 'in', 'received', 'Hello', ${at},
     ${at} from n`,
    // A quarter of the tasks each is completed, overdue, pending and later.
    `insert into tasks (id, company_id, case_id, team_id, type, user_id, start_at, end_at, completed_at, stage,
       created_at, updated_at)
     ${series(rows)} select ${toUuid("task", "i")}, 1, ${toUuid("case", "i")}, ${team}, 'call', ${user},
     case i % 4 when 2 then datetime('now', '-1 day', '-' || i || ' seconds')
       when 3 then datetime('now', '+1 day', '+' || i || ' seconds') else ${at} end,
     case when i % 4 > 1 then datetime('now', '+90 days') else datetime(${at}, '+30 minutes') end,
     iif(i % 4 = 0, ${at}, null),
     case i % 4 when 0 then 'completed' when 1 then 'overdue' when 2 then 'pending' else 'later' end, ${at}, ${at}
     from n`,
    `insert into timeline_events (id, company_id, case_id, title, occurred_at, created_at, updated_at)
     ${series(rows)} select ${toUuid("timeline_event", "i")}, 1,
     ${toUuid("case", "i")}, 'Visit', ${at}, ${at},
     ${at}
     from n`,
    `insert into leads (seq, id, company_id, lead_type_id, team_id, user_id, agency_team_id, state, status,
       lead_source,
       external_weight, escalates_at, created_at, updated_at)
     ${series(rows)} select i, ${toUuid("lead", "i")}, 1, iif(i <= 20, '${toUuid("lead_type", 1)}',
       '${toUuid("lead_type", 0)}'), iif(i <= 20, 51, ${team}), null, ${agency}, ${status}, ${status},
       iif(i <= 20, 'fair', 'web'),
     i % 101, '2099-01-01 00:00:00', ${created}, ${at} from n`,
    `insert into lead_transitions (lead_id, kind, at, team_id)
     ${series(rows)} select ${toUuid("lead", "i")}, 'assignment', ${at}, ${team} from n where i % 51 > 0`,
    // Values by which filters find twenty leads each.
    `update leads set user_id = 10 + seq / 20, interest = printf('k%07d', seq / 20),
       words = printf('c1zk%07d', seq / 20)`,
    `update lead_types set name = 'Rare' where id = '${toUuid("lead_type", 1)}'`,
    `insert into groups (id, company_id, name, created_at, updated_at) values (1, 1, 'Group', '', '')`,
    `insert into teams (id, company_id, group_id, name, timezone, locale, created_at, updated_at)
     values (52, 1, 1, 'Small', 'UTC', 'en-GB', '2023-01-01 00:00:00', '')`,
    "update leads set team_id = 52 where seq between 701 and 720",
    "update contacts set team_id = 52 where seq between 701 and 720",
    "update accounts set updated_at = '2019-01-01 00:00:0' || (seq - 40) where seq between 40 and 42",
    `update leads set original_contact_id = ${toUuid("contact", "seq")} where seq <= 20 or seq between 701
      and 720`,
    "update cases set status = 'declined' where seq between 861 and 880",
    `insert into case_milestones (case_id, activity_type_id, activity_id, done_at)
     select id, '${toUuid("side_milestone", 0)}', id, created_at from cases where seq between 401 and 420`,
    "update leads set expires_at = '2098-01-01 00:00:00' where seq between 741 and 760",
    "update leads set hidden = 1, deleted_at = '2024-01-01 00:00:00' where seq between 761 and 780",
    `update leads set original_account_id = ${toUuid("account", "seq")},
      original_contact_id = ${toUuid("contact", "seq")} where seq between 801 and 820`,
    `insert into lead_transitions (lead_id, kind, at, team_id)
     select id, 'rejection', updated_at, 7 from leads where seq between 821 and 840`,
    // Two in three notes are on a case and its activity, the others on an account and a contact.
    `insert into notes (id, company_id, team_id, user_id, note, case_id, activity_id, account_id, contact_id,
       created_at, updated_at)
     ${series(rows)} select i, 1, ${team}, 1, 'Note ' || i, iif(i % 3 > 0, ${toUuid("case", "i")}, null),
     iif(i % 3 > 0, ${toUuid("activity", "i")}, null),
     iif(i % 3 = 0, ${toUuid("account", "2 + i / 12")}, null),
     iif(i % 3 = 0, ${toUuid("contact", "i")}, null), ${created}, ${at} from n`,
    `insert into notes_search (rowid, words) ${series(rows)} select i, 'c1znote ' || ${word("c1z")} from n`,
    `insert into product_categories (id, company_id, name, created_at, updated_at)
     ${series(rows)} select i, 1, 'Category ' || i, ${created}, ${at} from n`,
    `insert into products (seq, id, company_id, name, list_price, created_at, updated_at)
     ${series(rows)} select i, ${toUuid("product", "i")}, 1, 'Product ' || i, i, ${created}, ${at} from n`,
    `insert into products_in_categories (product_id, category_id, place)
     ${series(rows)} select ${toUuid("product", "i")}, 1 + i / 20, 0 from n`,
    `insert into related_products (product_id, related_id, place)
     ${series(rows)} select ${toUuid("product", "i")}, ${toUuid("product", "1 + i / 20")}, 0 from n`,
    // Each user owns twenty files. The whole company may read files 401 to 420.
    `insert into files (seq, id, company_id, user_id, name, name_key, type, size, digest, media, object_key,
       created_at, updated_at)
     ${series(rows)} select i, ${toUuid("file", "i")}, 1, i / 20, 'File ' || i, 'file ' || i, '', 1, '',
     'application/octet-stream', 'o' || i, ${created}, ${at} from n`,
    `insert into files_search (rowid, words) ${series(rows)} select i, 'c1zfile ' || ${word("c1z")} from n`,
    // From the thousandth file on, each folder has twenty, but one folder has half of all files. Twenty are
    // at the root of the company.
    `insert into folders (id, company_id, user_id, name, name_key, belongs_to, belongs_to_id, created_at, updated_at)
     ${series(rows / 20 + 1)} select ${toUuid("folder", "i")}, 1, i, 'Folder ' || i, 'folder ' || i,
     iif(i <= 60, 'company', 'user'), iif(i <= 60, 1, i), ${created}, ${created} from n`,
    `update files set folder_id = ${toUuid("folder", "1 + seq / 20")} where seq >= 1000`,
    `update files set folder_id = '${toUuid("folder", 45)}' where seq > ${rows / 2}`,
    "update files set belongs_to = 'company', belongs_to_id = 1 where seq between 501 and 520",
    "update files set placed_by = 1, placed_at = created_at where seq >= 1000 or seq between 501 and 520",
    // Each record has one file; the records of row 58 have twenty.
    ...(["account", "contact", "case", "lead"] as const).flatMap((kind) => [
      `insert into attachments (entity_type, entity_id, file_id, company_id, attached_by, attached_at)
       ${series(rows)} select '${kind}', ${toUuid(kind, "i")},
       ${toUuid("file", "i")}, 1, 1, ${created} from n`,
      `insert into attachments (entity_type, entity_id, file_id, company_id, attached_by, attached_at)
       select '${kind}', '${toUuid(kind, 58)}', id, 1, 1, created_at
       from files where seq between 401 and 419`,
    ]),
    `insert into file_permissions (file_id, type, value, company_id, created_at)
     select id, 'company', 1, 1, created_at from files where seq between 401 and 420`,
    // Notifications of both callers. Each has read all but twenty, one by one.
    `insert into notifications (id, company_id, user_id, type, sender_id, data, message, read_at, unsent, created_at)
     ${series(rows * 2)} select 'n' || i, 1, 1 + i % 2, 'custom', 10 + i / 40, '{}', 'Message ' || i,
     iif(i / 40 = 10, null, ${created}), 0, ${created} from n`,
    // A campaign to all contacts, of which twenty messages have failed.
    `insert into indicator_sets (id, company_id, user_id, private, team_id, name, indicators, created_at,
     updated_at)
     ${series(rows)} select ${toUuid("set", "i")}, 2, 2000000 + i, i % 3 = 0, iif(i % 3 = 0, null,
     ${sometimesOwn}), 'Sales', '["cases.closed"]', ${created},
     ${created} from n`,
    `insert into stream_events (company_id, user_id, type, key, data, created_at, updated_at)
     ${series(rows)} select 2, iif(i <= 1000, 1000000002, 2000000 + i), 'new_level', 'level_' || i, '{}',
     ${created}, ${created} from n`,
    // Each report has one recipient and its own indicator set. The caller receives a thousand of the reports.
    `insert into scheduled_reports (id, company_id, user_id, name, indicator_set_id, frequency, filters, zone,
     created_at, updated_at) ${series(rows)} select ${toUuid("schedule", "i")}, 2, 2000000 + i, 'Sales',
     ${toUuid("set", "i")}, 'week', '{}', 'UTC', ${created}, ${created} from n`,
    `insert into scheduled_report_recipients (report_id, user_id) ${series(rows)}
      select ${toUuid("schedule", "i")}, iif(i <= 1000, 1000000002, 3000000 + i) from n`,
    `insert into ranks (id, company_id, team_id, name, icon, rule, created_at, updated_at)
     ${series(rows)} select ${toUuid("rank", "i")}, 2, ${sometimesOwn}, 'Rank', 'star', 'emails_sent',
     ${created},
     ${created} from n`,
    `insert into campaigns (seq, id, company_id, user_id, type, status, name, created_at, updated_at)
     values (1, '${toUuid("campaign", 0)}', 1, 1, 'email', 'sent', 'Campaign', '', '')`,
    `insert into campaign_messages (id, company_id, campaign_id, contact_id, status, created_at, updated_at)
     ${series(rows)} select i, 1, '${toUuid("campaign", 0)}', ${toUuid("contact", "i")},
     iif(i between 401 and 420, 'failed', 'sent'), ${created}, ${created} from n`,
    // All belong to one case, and all but twenty were sent.
    `insert into automated_sends (id, company_id, case_id, activity_id, activity_type_id, definition_id, message_id,
     name, subject, due_at, case_status, status, origin, created_at, updated_at)
     ${series(rows)} select ${toUuid("automated_send", "i")}, 1,
     '${toUuid("case", 7)}', '', '', '', '', 'Thanks',
     'Hello', ${start} * 1000 + i * 60000, 'open', iif(i between 401 and 420, 'pending', 'sent'), '', ${created},
     ${created} from n`,
    // Two subscriptions to every event. Of each, twenty deliveries wait, and every third of the others has
    // failed.
    `insert into webhooks (id, company_id, user_id, target_url, event_name, created_at, updated_at)
     values (1, 1, 1, 'http://127.0.0.1:9/1', '*', '', ''), (2, 1, 1, 'http://127.0.0.1:9/2', '*', '', '')`,
    `insert into outbox (id, company_id, event_name, entity_type, entity_id, sequence, body, created_at)
     ${series(rows)} select 'e' || i, 1, 'case_created', 'case', ${toUuid("case", "i")}, 1, '{}', ${created}
     from n`,
    `insert into deliveries (id, company_id, webhook_id, event_id, status, due_at, created_at)
     ${series(rows * 2)} select 'd' || i, 1, 1 + i % 2, 'e' || ((i + 1) / 2),
     iif(i / 40 = 10, 'pending', iif(i % 3 = 0, 'failed', 'delivered')), 4000000000000, ${created} from n`,
    // An import of which every row failed, and left a record as it was.
    `insert into imports (id, company_id, maker_id, name, entity, format, status, match, on_match, refusals,
     reading,
     bytes, removed_at, created_at)
     values ('${toUuid("import", 1)}', 1, 1, 'file.csv', 'accounts', 'csv', 'reverted', 'none', 'update',
     'fail',
     '{}', 1, 4000000000000, '')`,
    `insert into import_errors (company_id, import_id, row, code, message)
     ${series(rows)} select 1, '${toUuid("import", 1)}', i, 'required', '' from n`,
    `insert into import_kept (company_id, import_id, row, entity, record_id, reason)
     ${series(rows)} select 1, '${toUuid("import", 1)}', i, 'accounts', ${toUuid("account", "i")}, 'changed'
     from n`,
  ];
}

const wordAt = "printf('k%07d', seq / 20)";
const rare = "seq between 401 and 420";

/**
 * Returns the SQL of a custom field of each type, and of its values. Only the `rare` rows have the rare
 * value.
 */
function customFields(owner: "account" | "contact", first: number, rows: number): string[] {
  return Object.entries(customField).flatMap(([name, { type, option, value }], index) => {
    const seq = first + index;
    const options = option === null ? "[]" : JSON.stringify([{ id: option, value: "One", sort: 1 }]);
    const [text, number] = value === null
      ? ["printf('k%07d', i / 20)", "null"]
      : typeof value === "string"
      ? [`'${value}'`, "null"]
      : ["null", String(Number(value))];
    const those = value === null ? series(rows) : `${series(420)}`;
    return [
      `insert into fields (seq, id, company_id, owner_type, name, label, type, options, created_at,
       updated_at)
       values (${seq}, '01939c5e-7d3a-7ffe-8000-${String(seq).padStart(12, "0")}', 1, '${owner}', '${name}',
       '${name}',
       '${type}', '${options}', '', '')`,
      `insert into custom_values (field, owner, place, text, number, b2c, team_id)
       ${those} select ${seq}, i, 0, ${text}, ${number}, 0, ${team} from n
       where ${value === null ? "1" : "i > 400"}`,
    ];
  });
}

export function manyPeople(rows: number): string[] {
  const names = "timezone, locale, created_at, updated_at";
  return [
    `insert into groups (id, company_id, name, created_at, updated_at)
     ${series(rows)} select 2000000 + i, 2, 'Group ' || i, ${created}, ${created} from n`,
    `insert into teams (id, company_id, group_id, name, ${names})
     ${series(rows)} select 2000000 + i, 2, 2000000 + i / 20, 'Team ' || i, 'UTC', 'en-GB', ${created},
     ${created}
     from n`,
    `insert into teams_search (rowid, words) ${series(rows)} select 2000000 + i, 'c2zteam ' || ${word("c2z")}
      from n`,
    `insert into users (id, company_id, first_name, last_name, email, email_key, ${names})
     ${series(rows)} select 2000000 + i, 2, 'Bo', 'User ' || i, 'p' || i || '@example.org',
     'p' || i || '@example.org',
     'UTC', 'en-GB', ${created}, ${created} from n`,
    `insert into users_search (rowid, words) ${series(rows)} select 2000000 + i, 'c2zbo ' || ${word("c2z")}
      from n`,
    `insert into team_members (user_id, team_id) ${series(rows)} select 2000000 + i, 2000000 + i from n`,
    `insert into roles (id, company_id, name, created_at, updated_at)
     ${series(rows)} select 2000000 + i, 2, 'Role ' || i, ${created}, ${created} from n`,
    ...path(2, toUuid("path", "i"), toUuid("milestone", "i"), rows),
    leadType(2, toUuid("lead_type", "2 + i"), rows),
    `insert into templates (id, company_id, team_id, user_id, type, title, content, created_at, updated_at)
     ${series(rows)} select 2000000 + i, 2, ${sometimesOwn}, 1, iif(i <= 20, 'letter', 'email'), 'Template',
     'x',
     ${created}, ${created} from n`,
    `insert into templates_search (rowid, words) ${series(rows)} select 2000000 + i,
      'c2ztemplate ' || ${word("c2z")} from n`,
    `insert into automated_communications (id, company_id, team_id, name, created_at, updated_at)
     ${series(rows)} select ${toUuid("automated", "i")}, 2, ${sometimesOwn},
     'Follow-up', ${created}, ${created}
     from n`,
    `insert into campaigns (seq, id, company_id, team_id, user_id, type, status, name, created_at, updated_at)
     ${series(rows)} select 2000000 + i, ${toUuid("campaign", "i")}, 2, ${sometimesOwn}, 1, 'email', 'draft',
     'Campaign',
     ${created}, ${created} from n`,
    `insert into campaigns_search (rowid, words) ${series(rows)} select 2000000 + i,
      'c2zcampaign ' || ${word("c2z")} from n`,
  ];
}

/**
 * Returns the SQL of one relations path without a team, or of `rows` paths of teams, each with a milestone.
 */
function path(company: number, id: string, milestone: string, rows?: number): string[] {
  const [from, pathId, typeId] = rows === undefined
    ? ["select 1 as i", `'${id}'`, `'${milestone}'`]
    : [`select i from n`, id, milestone];
  const all = rows === undefined ? "" : series(rows);
  const owner = rows === undefined ? "null" : sometimesOwn;
  return [
    `insert into relations_paths (id, company_id, team_id, name, created_at, updated_at)
     ${all} select ${pathId}, ${company}, ${owner}, 'Path', ${created}, ${created} from (${from})`,
    `insert into activity_types (id, company_id, relations_path_id, is_milestone, name, sort_order)
     ${all} select ${typeId}, ${company}, ${pathId}, 1, 'Offer', 1 from (${from})`,
  ];
}

function leadType(company: number, id: string, rows?: number): string {
  const written = rows === undefined ? `'${id}'` : id;
  const [from, owner, paths] = rows === undefined
    ? ["select 1 as i", "null", `'["${toUuid("path", 0)}"]'`]
    : ["select i from n", sometimesOwn, `'["' || ${toUuid("path", "i")} || '"]'`];
  return `insert into lead_types (id, company_id, team_id, name, relations_path_ids, created_at, updated_at)
    ${rows === undefined ? "" : series(rows)} select ${written}, ${company}, ${owner}, 'Type', ${paths},
    ${created},
    ${created} from (${from})`;
}

function series(rows: number): string {
  return `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${rows})`;
}
