/**
 * Personal data: which columns and places hold it, and how long it stays after its person was deleted. The
 * guide of operations shows the list; a test deletes people and looks for what is left of them, and refuses a
 * column of text that is on no list.
 */
import { lifetimes } from "./lifetimes.ts";

export interface KindOfData {
  readonly name: string;
  /** The other place that has it, next to the database. */
  readonly otherPlace?: string;
  /** Until when it stays, in words of the guide. */
  readonly until: string;
  /** The longest time after its record was deleted, in milliseconds; 0 or none: it goes with the record. */
  readonly after?: number;
  /** Columns by table. */
  readonly columns: Readonly<Record<string, string>>;
}

export const personalData: readonly KindOfData[] = [
  {
    name: "Accounts and contacts",
    until: "they are deleted",
    columns: {
      accounts: "external_id name address zip_code city state_region country vat website custom name_key " +
        "name_words folded created_with_lead_source",
      contacts: "external_id salutation first_name last_name email phone_number title custom last_name_key " +
        "name_words folded phone_key e164 created_with_lead_source",
      custom_values: "text",
    },
  },
  {
    name: "Leads, cases, activities, tasks, notes, timeline",
    until: "they, or the account or contact that they are about, are deleted",
    columns: {
      leads: "interest lead_source lead_user lead_data account contact folded words countdown_key",
      lead_transitions: "rejection_reason",
      cases: "decline_reason lead_source important_key recent_key close_key",
      case_status_changes: "reason",
      activities: "communication_channel note correspondence product_details extra_steps",
      tasks: "note",
      notes: "note",
      timeline_events: "title content",
      facts: "subject zone",
    },
  },
  {
    name: "E-mails and letters of cases, with files that arrived and lie nowhere else",
    otherPlace: "files",
    until: "their case is deleted",
    columns: {
      correspondences: "sender recipient subject content parts margins message_key thread error",
      automated_sends: "name subject reason",
    },
  },
  {
    name: "Messages of campaigns, and printed letters",
    otherPlace: "files",
    until: "their contact or campaign is deleted",
    columns: { campaign_messages: "email email_key error values subject object" },
  },
  {
    name: "Refused addresses",
    until: "the refusal is lifted; after its contact was deleted as a keyed hash alone",
    columns: { refusals: "hash reason channel email_key e164" },
  },
  {
    name: "Imports: their file, faults, first rows, and what a revert needs",
    otherPlace: "files",
    until: "30 days after they ended; counts and names a year",
    columns: {
      imports: "name reading preview object_key",
      import_errors: "column path message value",
      import_changes: "before after",
      import_keys: "key",
    },
  },
  {
    name: "Uploaded files and folders",
    otherPlace: "files",
    until: "somebody deletes them",
    columns: {
      files: "name name_key digest media object_key picture_key",
      folders: "name name_key",
      objects: "key",
    },
  },
  {
    name: "Names of users",
    until: "their company is erased: records and figures show who they belong to",
    columns: { users: "first_name last_name" },
  },
  {
    name: "All else of users: address, phone, title, picture, signature, password hash, devices, choices",
    otherPlace: "files",
    until: "the user is deleted",
    columns: {
      users:
        "email email_key phone_number job_title profile_picture signature_email password_hash sso_provider " +
        "sso_user_id locale timezone",
      devices: "token",
      preferences: "chosen",
      recent_records: "opened",
      game_players: "state",
      stream_events: "key data",
    },
  },
  {
    name: "Sessions of the pages, with browser and network address",
    until: "they end, 90 days at most; with the user at once",
    columns: { sessions: "hash id user_agent address" },
  },
  {
    name: "Sign-ins, tokens and links",
    until: "they end, a week at most",
    after: lifetimes.refreshToken,
    columns: {
      access_tokens: "hash",
      refresh_tokens: "hash",
      authorization_codes: "hash redirect_uri code_challenge",
      device_codes: "hash",
      sign_ons: "hash browser provider_name kept",
      password_resets: "hash",
      invitations: "email email_key token_hash role_ids team_ids",
      attempts: "key",
    },
  },
  {
    name: "Notifications",
    until: "their reader is deleted; of contacts and e-mails they have the id alone",
    columns: { notifications: "data message" },
  },
  {
    name: "Mails that wait or failed",
    until: "30 days after the last attempt",
    after: lifetimes.endedMail,
    columns: { mails: "to_address subject body error objects" },
  },
  {
    name: "Events, and the log of webhooks",
    until: "30 days after they happened",
    after: lifetimes.event,
    columns: {
      outbox: "body",
      deliveries: "signed error hidden_fields",
      delivery_attempts: "error response_excerpt",
    },
  },
  {
    name: "Answers kept under an `Idempotency-Key`",
    until: "24 hours",
    after: lifetimes.idempotencyKey,
    columns: { idempotency_keys: "key fingerprint body sealed headers" },
  },
  {
    name: "Words of deleted records in the search",
    until: "a week",
    after: lifetimes.deletedWords,
    columns: {},
  },
  {
    name: "Previews, printed documents and charts",
    otherPlace: "files",
    until: "a day at most",
    after: lifetimes.chart,
    columns: { report_charts: "svg" },
  },
  {
    name: "Exports of figures, and their files",
    otherPlace: "files",
    until: "30 days",
    after: lifetimes.reportExport,
    columns: { report_exports: "columns failure", report_export_rows: "rows" },
  },
  {
    name: "Exports of records, and their files",
    otherPlace: "files",
    until: "30 days",
    after: lifetimes.recordExport,
    columns: { exports: "columns filter" },
  },
  {
    name: "Merged accounts and contacts, for the undo",
    until: "30 days after the merge, or its record is deleted",
    after: lifetimes.merge,
    columns: { merges: "kept", merge_rows: "before after" },
  },
  {
    name: "Delivered reports, which name users",
    otherPlace: "files",
    until: "their readers are deleted, 100,000 newer ones have come, or the company is erased",
    columns: { report_deliveries: "data failure", scheduled_reports: "filters failure" },
  },
  {
    name: "Work that could not be done",
    until: "it is done, or its record is gone",
    after: lifetimes.event,
    columns: { set_aside: "record error", staged_work: "payload error" },
  },
  {
    name: "Texts and settings of the company: templates, campaigns, filters, fields, teams and the like",
    until: "somebody changes or deletes them, or the company is erased",
    columns: {
      companies:
        "name invoice_email address_1 address_2 zip_code city state country phone_number website vat " +
        "logo_1 logo_2 timezone locale language currency theme product_mode",
      teams:
        "name address_1 address_2 zip_code city state country phone_number website vat timezone locale custom",
      groups: "name",
      roles: "name",
      deleted_names: "name",
      applications: "name redirect_uri secret_hash secret_hint previous_secret_hash",
      sso_drivers: "provider_name issuer client_secret",
      webhooks: "target_url target_key verification_token previous_token",
      fields: "name label validation options links",
      saved_filters: "name filter query query_names owner reader stopped_reason",
      templates: "title content",
      campaigns: "name description subject content sender filter task snapshot stopped_reason",
      campaign_settings: "domain domain_slug unsubscribe_url",
      automated_communications: "name description icon",
      automated_messages: "name subject content attachments chosen_by",
      products: "name custom",
      product_categories: "name",
      relations_paths: "name",
      activity_types: "name description content_suggestions extra_step_name additional_steps " +
        "automated_communications",
      lead_types: "name folded icon escalation_user_ids team_settings",
      indicator_sets: "name indicators",
      scheduled_reports: "name",
      report_deliveries: "name",
      ranks: "name icon rule members",
      json_pool: "text",
    },
  },
];

/** Columns that hold ids, moments, kinds and states in every table, and nothing of a person. */
export const impersonal =
  /^(?:id|at|.+_ids?|.+_at|status|state|stage|type|.+_types?|kind|scope|origin|version|reader)$/;

/** Further such columns, by table. */
export const impersonalIn: Readonly<Record<string, string>> = {
  activity_types: "set_status",
  automated_communications: "owner reader",
  automated_sends: "case_status",
  campaign_messages: "tally",
  campaigns: "owner reader",
  case_status_changes: "from_status to_status",
  cases: "estimated_close_date",
  correspondences: "direction",
  exports: "entity format failure",
  deliveries: "entity",
  fact_dims: "key lead_source types teams",
  feed_epochs: "epoch",
  field_orders: "items",
  file_totals: "readers",
  files: "belongs_to readers",
  folder_contents: "place",
  folders: "belongs_to",
  import_changes: "entity",
  import_errors: "code",
  import_kept: "entity reason",
  imports: "entity format match on_match refusals encoding delimiter decimal date_format failure reverted",
  indicator_sets: "owner reader",
  json_pool: "name",
  key_checks: "sealed",
  leases: "name holder",
  mails: "about_kind",
  merge_rows: "table_name column_name",
  merges: "moved",
  outbox: "event_name",
  ranks: "owner reader",
  recoveries: "until",
  relations_paths: "owner reader",
  report_deliveries: "once",
  report_exports: "format",
  role_rights: "right_name",
  scheduled_reports: "frequency next_date zone",
  set_aside: "queue",
  staged_work: "subject holder",
  templates: "owner reader",
  webhooks: "event_name owned_since success_status",
};

/** The longest time after a deletion, in milliseconds. */
export const longestAfter = Math.max(...personalData.map(({ after = 0 }) => after));
