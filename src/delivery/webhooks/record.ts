/** The webhook subscription, described once. */
import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { z } from "zod";
import { eventNames, everyEvent } from "../../core/events.ts";
import { flag } from "../../db/columns.ts";
import { declareReferences, leaveTo } from "../../db/references.ts";
import { refusal } from "../../http/validate.ts";
import { isHttpUrl } from "../../core/lines.ts";
import { filledText, orShown, text as givenText } from "../../http/zod.ts";
import {
  computed,
  internal,
  numberedId,
  optionalFlag,
  readOnly,
  stamps,
  versioned,
  writeOnly,
} from "../../records/kinds.ts";
import { columns, forAnswer, forChange, forCreate, type Members, presenter } from "../../records/members.ts";

export const WebhookEvent = z.object({
  id: z.int().meta({ example: 12 }),
  event_name: z.string().meta({ example: "lead_created" }),
}).meta({ id: "WebhookEvent", description: "An event to subscribe to. Its id never changes." });

const scopes = ["global", "user"] as const;
const successStatuses = ["200", "2xx"] as const;

const targetUrl = givenText(2048).refine(isHttpUrl, refusal("format", "Must be an http or https URL."))
  .meta({ format: "uri", description: "Unique in the company. Always called with POST." });
const event = orShown("event_name", z.enum([everyEvent, ...eventNames])).meta({
  description: "`*` subscribes to everything.",
});

export const webhookMembers = {
  id: numberedId(3),
  company_id: internal(integer().notNull()),
  user_id: readOnly(integer().notNull(), z.int().meta({ example: 7 })),
  target_url: {
    column: text().notNull(),
    shown: z.string().meta({ example: "https://example.org/hooks/crm" }),
    create: targetUrl,
    change: targetUrl.optional(),
  },
  /** Its compared form; null in rows from before. */
  target_key: internal(text()),
  webhook_event: { shown: WebhookEvent, create: event, change: event.optional() },
  /** An event name, or `*`. */
  event_name: internal(text().notNull()),
  /** Sealed with the secrets key. */
  verification_token: {
    column: text(),
    shown: z.string().nullable().meta({
      description: "Visible to the subscription's own user only.",
      example: "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD",
    }),
    create: filledText(255).nullish().meta({
      description: "Signs each request. A token that begins with `whsec_` holds its key in base64.",
    }),
    change: filledText(255).nullish().meta({
      description: "A new token signs from now on, and the previous one for another 24 hours: " +
        "`webhook-signature` has both signatures, `X-Service-Verification-Hash` uses the new token. " +
        "Null ends signing, for the subscription's own user.",
    }),
    stored: "code",
  },
  /** Sealed: JSON [[token, until], …] of previous tokens that still sign; epoch milliseconds. */
  previous_token: internal(text()),
  /** When the last previous token ends, epoch milliseconds. */
  previous_token_until: internal(integer()),
  scope: {
    column: text({ enum: scopes }).notNull().default("global"),
    shown: z.enum(scopes),
    ...writeOnly(
      z.enum(scopes).nullish().meta({
        description:
          "`global` (default): everything that the user sees; `user`: records that the user created.",
      }),
    ),
    otherwise: "global",
  },
  /** The statuses that count as success: 200 alone, or any from 200 to 299. */
  success_status: {
    column: text({ enum: successStatuses }).notNull().default("200"),
    shown: z.enum(successStatuses),
    ...writeOnly(
      z.enum(successStatuses).nullish().meta({
        description: "`200` (default): only 200 is success; `2xx`: every status from 200 to 299 is.",
      }),
    ),
    otherwise: "200",
  },
  ordered: optionalFlag({
    description:
      "Whether the deliveries of a record are sent one after the other, in the order of its events.",
    example: false,
  }),
  paused: {
    shown: z.boolean(),
    change: z.boolean().nullish().meta({
      description: "A paused subscription receives nothing. Events of the pause can be recovered.",
    }),
  },
  paused_at: internal(text()),
  /** Set by DELETE and by a target that answers 410; the latter can be restored. */
  deleted_at: internal(text()),
  target_gone: internal(flag()),
  inherited_at: computed(
    z.string().nullable().meta({
      description: "When it came from a deleted user to this one, paused; null when this user created it.",
      example: null,
    }),
  ),
  /** When this user inherited it from a deleted user, who may have seen more; null otherwise. */
  owned_since: internal(text()),
  /** First failure since the last success, epoch milliseconds; null without failures. */
  failing_since: internal(integer()),
  /** Failures since then. */
  failures: internal(integer().notNull().default(0)),
  ...stamps(),
  ...versioned,
} satisfies Members;

/** Webhook subscriptions. Each commit fans its events out over them in its own batch. */
export const webhooks = sqliteTable("webhooks", columns(webhookMembers), (table) => [
  uniqueIndex("webhooks_url").on(table.company_id, table.target_url).where(sql`${table.deleted_at} is null`),
  uniqueIndex("webhooks_target").on(table.company_id, table.target_key).where(
    sql`${table.deleted_at} is null and ${table.target_key} is not null`,
  ),
  // All subscriptions of a company, including deleted ones.
  index("webhooks_by_company").on(table.company_id),
  // Fan-out of events, including to paused subscriptions.
  index("webhooks_by_event").on(table.company_id, table.event_name).where(sql`${table.deleted_at} is null`),
  index("webhooks_failing").on(table.failing_since).where(sql`${table.failing_since} is not null`),
  index("webhooks_rotating").on(table.previous_token_until).where(
    sql`${table.previous_token_until} is not null`,
  ),
]);

/** What its columns name, and what happens when that is deleted. */
export const webhookReferences = declareReferences(webhooks, {
  // With a successor it is paused.
  user_id: { user: leaveTo("delivery/webhooks/deletion.ts#webhookReassignment", "reassign", "step") },
});

export const Webhook = z.object(forAnswer(webhookMembers))
  .meta({ id: "Webhook", description: "A subscription. Each event is sent by POST to its target." });

export const WebhookBody = z.object(forCreate(webhookMembers)).meta({
  id: "WebhookBody",
  example: { target_url: "https://example.org/hooks/crm", webhook_event: "*", verification_token: "s3cret" },
});

export const WebhookChange = z.object(forChange(webhookMembers)).meta({
  id: "WebhookChange",
  description: "Absent fields keep their values.",
  example: { verification_token: "n3w s3cret", paused: false },
});

export type WebhookRow = typeof webhooks.$inferSelect;
export type WebhookBody = z.output<typeof WebhookBody>;
export type WebhookChange = z.output<typeof WebhookChange>;

export const presentWebhookMembers = presenter(webhookMembers, Webhook);
