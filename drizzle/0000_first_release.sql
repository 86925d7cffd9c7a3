CREATE TABLE `preferences` (
	`user_id` integer PRIMARY KEY NOT NULL,
	`chosen` text NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `recent_records` (
	`user_id` integer PRIMARY KEY NOT NULL,
	`opened` text NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `accounts` (
	`seq` integer PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`company_id` integer NOT NULL,
	`b2c` integer DEFAULT 0 NOT NULL,
	`external_id` text,
	`team_id` integer,
	`user_id` integer,
	`name` text,
	`address` text,
	`zip_code` text,
	`city` text,
	`state_region` text,
	`country` text,
	`vat` text,
	`website` text,
	`custom` text DEFAULT '{}' NOT NULL,
	`name_key` text NOT NULL,
	`name_words` text DEFAULT '' NOT NULL,
	`folded` text,
	`last_activity_at` text NOT NULL,
	`contact_count` integer DEFAULT 0 NOT NULL,
	`created_with_lead_type_id` text,
	`created_with_lead_source` text,
	`counts` integer DEFAULT 1 NOT NULL,
	`created_by` integer,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `accounts_id_unique` ON `accounts` (`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `accounts_external_id` ON `accounts` (`company_id`,`external_id`) WHERE "accounts"."external_id" is not null;--> statement-breakpoint
CREATE INDEX `accounts_by_activity` ON `accounts` (`company_id`,`last_activity_at`,`id`);--> statement-breakpoint
CREATE INDEX `accounts_by_team_activity` ON `accounts` (`company_id`,`team_id`,`last_activity_at`,`id`);--> statement-breakpoint
CREATE INDEX `accounts_by_created` ON `accounts` (`company_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `accounts_by_team_created` ON `accounts` (`company_id`,`team_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `accounts_by_updated` ON `accounts` (`company_id`,`updated_at`,`id`);--> statement-breakpoint
CREATE INDEX `accounts_by_team_updated` ON `accounts` (`company_id`,`team_id`,`updated_at`,`id`);--> statement-breakpoint
CREATE INDEX `accounts_by_name` ON `accounts` (`company_id`,`name_key`,`id`);--> statement-breakpoint
CREATE INDEX `accounts_by_team_name` ON `accounts` (`company_id`,`team_id`,`name_key`,`id`);--> statement-breakpoint
CREATE INDEX `accounts_by_user` ON `accounts` (`company_id`,`user_id`,`last_activity_at`,`id`);--> statement-breakpoint
CREATE INDEX `accounts_by_lead_type` ON `accounts` (`company_id`,`created_with_lead_type_id`) WHERE "accounts"."created_with_lead_type_id" is not null;--> statement-breakpoint
CREATE INDEX `accounts_by_lead_source` ON `accounts` (`company_id`,`created_with_lead_source`) WHERE "accounts"."created_with_lead_source" is not null;--> statement-breakpoint
CREATE INDEX `accounts_folded_name` ON `accounts` (`company_id`,case when folded ->> 'name' is null then lower(name) else folded ->> 'name' end,`created_at`,`b2c`,`team_id`) WHERE case when folded ->> 'name' is null then lower(name) else folded ->> 'name' end is not null;--> statement-breakpoint
CREATE INDEX `accounts_folded_address` ON `accounts` (`company_id`,case when folded ->> 'address' is null then lower(address) else folded ->> 'address' end,`b2c`) WHERE case when folded ->> 'address' is null then lower(address) else folded ->> 'address' end is not null;--> statement-breakpoint
CREATE INDEX `accounts_folded_zip_code` ON `accounts` (`company_id`,case when folded ->> 'zip_code' is null then lower(zip_code) else folded ->> 'zip_code' end,`b2c`) WHERE case when folded ->> 'zip_code' is null then lower(zip_code) else folded ->> 'zip_code' end is not null;--> statement-breakpoint
CREATE INDEX `accounts_folded_city` ON `accounts` (`company_id`,case when folded ->> 'city' is null then lower(city) else folded ->> 'city' end,`b2c`) WHERE case when folded ->> 'city' is null then lower(city) else folded ->> 'city' end is not null;--> statement-breakpoint
CREATE INDEX `accounts_folded_state_region` ON `accounts` (`company_id`,case when folded ->> 'state_region' is null then lower(state_region) else folded ->> 'state_region' end,`b2c`) WHERE case when folded ->> 'state_region' is null then lower(state_region) else folded ->> 'state_region' end is not null;--> statement-breakpoint
CREATE INDEX `accounts_folded_country` ON `accounts` (`company_id`,`country`,`b2c`) WHERE "accounts"."country" is not null;--> statement-breakpoint
CREATE INDEX `accounts_folded_vat` ON `accounts` (`company_id`,case when folded ->> 'vat' is null then lower(vat) else folded ->> 'vat' end,`b2c`) WHERE case when folded ->> 'vat' is null then lower(vat) else folded ->> 'vat' end is not null;--> statement-breakpoint
CREATE INDEX `accounts_folded_website` ON `accounts` (`company_id`,case when folded ->> 'website' is null then lower(website) else folded ->> 'website' end,`b2c`) WHERE case when folded ->> 'website' is null then lower(website) else folded ->> 'website' end is not null;--> statement-breakpoint
CREATE TABLE `contacts` (
	`seq` integer PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`company_id` integer NOT NULL,
	`b2c` integer DEFAULT 0 NOT NULL,
	`external_id` text,
	`team_id` integer,
	`user_id` integer,
	`status` text DEFAULT 'lead' NOT NULL,
	`account_id` text NOT NULL,
	`salutation` text,
	`first_name` text,
	`last_name` text,
	`email` text,
	`phone_number` text,
	`title` text,
	`custom` text DEFAULT '{}' NOT NULL,
	`consent_call` integer,
	`consent_call_at` text,
	`consent_email` integer,
	`consent_email_at` text,
	`consent_letter` integer,
	`consent_letter_at` text,
	`consent_sms` integer,
	`consent_sms_at` text,
	`last_name_key` text NOT NULL,
	`name_words` text DEFAULT '' NOT NULL,
	`folded` text,
	`phone_key` text,
	`e164` text,
	`last_activity_at` text NOT NULL,
	`created_with_lead_type_id` text,
	`created_with_lead_source` text,
	`created_by` integer,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `contacts_id_unique` ON `contacts` (`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `contacts_external_id` ON `contacts` (`company_id`,`external_id`) WHERE "contacts"."external_id" is not null;--> statement-breakpoint
CREATE INDEX `contacts_by_activity` ON `contacts` (`company_id`,`last_activity_at`,`id`);--> statement-breakpoint
CREATE INDEX `contacts_by_team_activity` ON `contacts` (`company_id`,`team_id`,`last_activity_at`,`id`);--> statement-breakpoint
CREATE INDEX `contacts_by_created` ON `contacts` (`company_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `contacts_by_team_created` ON `contacts` (`company_id`,`team_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `contacts_by_updated` ON `contacts` (`company_id`,`updated_at`,`id`);--> statement-breakpoint
CREATE INDEX `contacts_by_team_updated` ON `contacts` (`company_id`,`team_id`,`updated_at`,`id`);--> statement-breakpoint
CREATE INDEX `contacts_by_name` ON `contacts` (`company_id`,`last_name_key`,`id`);--> statement-breakpoint
CREATE INDEX `contacts_by_team_name` ON `contacts` (`company_id`,`team_id`,`last_name_key`,`id`);--> statement-breakpoint
CREATE INDEX `contacts_by_user` ON `contacts` (`company_id`,`user_id`,`last_activity_at`,`id`);--> statement-breakpoint
CREATE INDEX `contacts_by_account` ON `contacts` (`account_id`,`last_activity_at`,`id`);--> statement-breakpoint
CREATE INDEX `contacts_folded_salutation` ON `contacts` (`company_id`,case when folded ->> 'salutation' is null then lower(salutation) else folded ->> 'salutation' end,`b2c`) WHERE case when folded ->> 'salutation' is null then lower(salutation) else folded ->> 'salutation' end is not null;--> statement-breakpoint
CREATE INDEX `contacts_folded_first_name` ON `contacts` (`company_id`,case when folded ->> 'first_name' is null then lower(first_name) else folded ->> 'first_name' end,`b2c`) WHERE case when folded ->> 'first_name' is null then lower(first_name) else folded ->> 'first_name' end is not null;--> statement-breakpoint
CREATE INDEX `contacts_folded_last_name` ON `contacts` (`company_id`,case when folded ->> 'last_name' is null then lower(last_name) else folded ->> 'last_name' end,`created_at`,`b2c`,`team_id`,`status`) WHERE case when folded ->> 'last_name' is null then lower(last_name) else folded ->> 'last_name' end is not null;--> statement-breakpoint
CREATE INDEX `contacts_folded_email` ON `contacts` (`company_id`,case when folded ->> 'email' is null then lower(email) else folded ->> 'email' end,`b2c`) WHERE case when folded ->> 'email' is null then lower(email) else folded ->> 'email' end is not null;--> statement-breakpoint
CREATE INDEX `contacts_folded_phone_number` ON `contacts` (`company_id`,case when folded ->> 'phone_number' is null then lower(phone_number) else folded ->> 'phone_number' end,`b2c`) WHERE case when folded ->> 'phone_number' is null then lower(phone_number) else folded ->> 'phone_number' end is not null;--> statement-breakpoint
CREATE INDEX `contacts_by_phone` ON `contacts` (`company_id`,`phone_key`,`b2c`) WHERE "contacts"."phone_key" is not null;--> statement-breakpoint
CREATE INDEX `contacts_by_e164` ON `contacts` (`company_id`,`e164`) WHERE "contacts"."e164" is not null;--> statement-breakpoint
CREATE INDEX `contacts_folded_title` ON `contacts` (`company_id`,case when folded ->> 'title' is null then lower(title) else folded ->> 'title' end,`b2c`) WHERE case when folded ->> 'title' is null then lower(title) else folded ->> 'title' end is not null;--> statement-breakpoint
CREATE INDEX `contacts_by_status` ON `contacts` (`company_id`,`status`,`b2c`);--> statement-breakpoint
CREATE UNIQUE INDEX `contacts_b2c_single` ON `contacts` (`account_id`) WHERE "contacts"."b2c" = 1;--> statement-breakpoint
CREATE TABLE `custom_values` (
	`field` integer NOT NULL,
	`owner` integer NOT NULL,
	`place` integer DEFAULT 0 NOT NULL,
	`text` text,
	`number` real,
	`b2c` integer,
	`team_id` integer,
	PRIMARY KEY(`field`, `owner`, `place`),
	FOREIGN KEY (`field`) REFERENCES `fields`(`seq`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `custom_values_by_text` ON `custom_values` (`field`,`text`,`owner`,`b2c`,`team_id`) WHERE "custom_values"."text" is not null;--> statement-breakpoint
CREATE INDEX `custom_values_by_number` ON `custom_values` (`field`,`number`,`owner`,`b2c`,`team_id`) WHERE "custom_values"."number" is not null;--> statement-breakpoint
CREATE TABLE `field_orders` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`company_id` integer NOT NULL,
	`owner_type` text NOT NULL,
	`scope` text NOT NULL,
	`team_id` integer,
	`group_id` integer,
	`items` text NOT NULL,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `field_orders_one` ON `field_orders` (`company_id`,`owner_type`,`scope`);--> statement-breakpoint
CREATE TABLE `fields` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`company_id` integer NOT NULL,
	`owner_type` text NOT NULL,
	`name` text NOT NULL,
	`label` text NOT NULL,
	`type` text NOT NULL,
	`validation` text,
	`is_hidden` integer DEFAULT 0 NOT NULL,
	`is_read_only` integer DEFAULT 0 NOT NULL,
	`team_id` integer,
	`group_id` integer,
	`options` text DEFAULT '[]' NOT NULL,
	`links` text DEFAULT '[]' NOT NULL,
	`created_by` integer,
	`deleted_at` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `fields_id_unique` ON `fields` (`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `fields_name` ON `fields` (`company_id`,`owner_type`,`name`) WHERE "fields"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX `fields_by_company` ON `fields` (`company_id`,`seq`);--> statement-breakpoint
CREATE TABLE `refusals` (
	`seq` integer PRIMARY KEY NOT NULL,
	`company_id` integer NOT NULL,
	`hash` text NOT NULL,
	`reason` text NOT NULL,
	`channel` text DEFAULT 'email' NOT NULL,
	`email_key` text,
	`e164` text,
	`created_at` text NOT NULL,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `refusals_by_hash` ON `refusals` (`company_id`,`hash`,`reason`);--> statement-breakpoint
CREATE INDEX `refusals_by_email` ON `refusals` (`company_id`,`email_key`) WHERE "refusals"."email_key" is not null;--> statement-breakpoint
CREATE INDEX `refusals_by_e164` ON `refusals` (`company_id`,`e164`) WHERE "refusals"."e164" is not null;--> statement-breakpoint
CREATE TABLE `saved_filters` (
	`id` text PRIMARY KEY NOT NULL,
	`company_id` integer NOT NULL,
	`kind` text NOT NULL,
	`private` integer DEFAULT 0 NOT NULL,
	`team_id` integer,
	`group_id` integer,
	`kept_for` integer,
	`name` text NOT NULL,
	`filter` text NOT NULL,
	`query` text DEFAULT '{}' NOT NULL,
	`query_names` text,
	`position` integer DEFAULT 0 NOT NULL,
	`stopped_reason` text,
	`created_by` integer,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`owner` text GENERATED ALWAYS AS (iif(private, 'u' || created_by, coalesce('t' || team_id, 'g' || group_id, ''))) VIRTUAL,
	`reader` text GENERATED ALWAYS AS (iif(kept_for is null, owner, 'k' || kept_for)) VIRTUAL,
	`private_to` integer GENERATED ALWAYS AS (iif(private, created_by, null)) VIRTUAL,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `saved_filters_by_reader` ON `saved_filters` (`company_id`,`reader`,`kind`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `views_by_reader` ON `saved_filters` (`company_id`,`reader`,`position`,`id`);--> statement-breakpoint
CREATE INDEX `saved_filters_by_private` ON `saved_filters` (`company_id`,`private_to`,`kind`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `views_by_private` ON `saved_filters` (`company_id`,`private_to`,`position`,`id`);--> statement-breakpoint
CREATE INDEX `saved_filters_by_owner` ON `saved_filters` (`company_id`,`owner`);--> statement-breakpoint
CREATE TABLE `accounts_trigrams_stale` (
	`key` integer PRIMARY KEY NOT NULL
);
--> statement-breakpoint
CREATE TABLE `contacts_trigrams_stale` (
	`key` integer PRIMARY KEY NOT NULL
);
--> statement-breakpoint
CREATE TABLE `ageing` (
	`id` integer PRIMARY KEY NOT NULL,
	`reached` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `caller_changes` (
	`id` integer PRIMARY KEY NOT NULL,
	`n` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `event_sequences` (
	`company_id` integer NOT NULL,
	`entity_type` text NOT NULL,
	`entity_id` text NOT NULL,
	`last` integer NOT NULL,
	PRIMARY KEY(`company_id`, `entity_type`, `entity_id`)
);
--> statement-breakpoint
CREATE TABLE `fact_moments` (
	`id` integer PRIMARY KEY NOT NULL,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `feed_epochs` (
	`id` integer PRIMARY KEY NOT NULL,
	`epoch` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `feed_floors` (
	`company_id` integer PRIMARY KEY NOT NULL,
	`position` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `holds` (
	`id` integer PRIMARY KEY NOT NULL,
	`since` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `idempotency_keys` (
	`client_id` text NOT NULL,
	`user_id` integer NOT NULL,
	`key` text NOT NULL,
	`fingerprint` text NOT NULL,
	`status` integer NOT NULL,
	`body` text,
	`sealed` text,
	`headers` text DEFAULT '{}' NOT NULL,
	`expires_at` integer NOT NULL,
	PRIMARY KEY(`client_id`, `user_id`, `key`)
);
--> statement-breakpoint
CREATE INDEX `idempotency_keys_by_expiry` ON `idempotency_keys` (`expires_at`);--> statement-breakpoint
CREATE TABLE `json_pool` (
	`name` text PRIMARY KEY NOT NULL,
	`text` text NOT NULL,
	`company_id` integer,
	`used_at` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `json_pool_by_company` ON `json_pool` (`company_id`);--> statement-breakpoint
CREATE INDEX `json_pool_by_use` ON `json_pool` (`used_at`) WHERE "json_pool"."company_id" is not null;--> statement-breakpoint
CREATE TABLE `key_checks` (
	`id` integer PRIMARY KEY NOT NULL,
	`sealed` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `leases` (
	`name` text PRIMARY KEY NOT NULL,
	`holder` text NOT NULL,
	`until` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `mail_rate` (
	`id` integer PRIMARY KEY NOT NULL,
	`next_at` real NOT NULL
);
--> statement-breakpoint
CREATE TABLE `mails` (
	`id` text PRIMARY KEY NOT NULL,
	`to_address` text NOT NULL,
	`subject` text NOT NULL,
	`body` text NOT NULL,
	`status` text DEFAULT 'kept' NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`claims` integer DEFAULT 0 NOT NULL,
	`due_at` integer,
	`error` text,
	`created_at` text NOT NULL,
	`expires_at` integer NOT NULL,
	`lane` integer DEFAULT 0 NOT NULL,
	`about_kind` text,
	`about_id` text,
	`objects` text,
	`company_id` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `mails_expiring` ON `mails` (`expires_at`);--> statement-breakpoint
CREATE INDEX `mails_with_objects` ON `mails` (`objects`) WHERE "mails"."status" = 'pending' and "mails"."objects" is not null;--> statement-breakpoint
CREATE INDEX `mails_due` ON `mails` (`lane`,`due_at`,`id`) WHERE "mails"."status" = 'pending';--> statement-breakpoint
CREATE INDEX `mails_in_turn` ON `mails` (`lane`,`company_id`,`due_at`,`id`) WHERE "mails"."status" = 'pending';--> statement-breakpoint
CREATE TABLE `objects` (
	`key` text PRIMARY KEY NOT NULL,
	`company_id` integer NOT NULL,
	`type` text NOT NULL,
	`bytes` integer NOT NULL,
	`removed_from` integer,
	`replaced` integer DEFAULT 0 NOT NULL,
	`created_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `objects_by_company` ON `objects` (`company_id`);--> statement-breakpoint
CREATE INDEX `objects_to_remove` ON `objects` (`removed_from`) WHERE "objects"."removed_from" is not null;--> statement-breakpoint
CREATE INDEX `objects_for_moment` ON `objects` (`company_id`,`removed_from`,`bytes`) WHERE "objects"."removed_from" is not null;--> statement-breakpoint
CREATE TABLE `outbox` (
	`position` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`company_id` integer NOT NULL,
	`event_name` text NOT NULL,
	`entity_type` text NOT NULL,
	`entity_id` text NOT NULL,
	`sequence` integer NOT NULL,
	`executor_id` integer,
	`team_id` integer,
	`agency_team_id` integer,
	`created_by` integer,
	`body` text NOT NULL,
	`created_at` text NOT NULL,
	`recorded_at` integer DEFAULT (cast(unixepoch('subsec') * 1000 as integer)) NOT NULL,
	`team_before` integer,
	`agency_team_before` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `outbox_by_id` ON `outbox` (`id`);--> statement-breakpoint
CREATE INDEX `outbox_by_company` ON `outbox` (`company_id`,`position`);--> statement-breakpoint
CREATE INDEX `outbox_by_age` ON `outbox` (`recorded_at`);--> statement-breakpoint
CREATE TABLE `totals` (
	`company_id` integer NOT NULL,
	`kind` text NOT NULL,
	`team_id` integer NOT NULL,
	`status` text NOT NULL,
	`agency_team_id` integer NOT NULL,
	`n` integer NOT NULL,
	PRIMARY KEY(`company_id`, `kind`, `team_id`, `status`, `agency_team_id`)
);
--> statement-breakpoint
CREATE TABLE `devices` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`token` text NOT NULL,
	`user_id` integer NOT NULL,
	`type` text NOT NULL,
	`created_at` text NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `devices_token_unique` ON `devices` (`token`);--> statement-breakpoint
CREATE INDEX `devices_by_user` ON `devices` (`user_id`);--> statement-breakpoint
CREATE TABLE `notification_counts` (
	`user_id` integer PRIMARY KEY NOT NULL,
	`total` integer NOT NULL,
	`unread` integer NOT NULL,
	`user_deleted` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `notification_counts_of_deleted` ON `notification_counts` (`user_id`) WHERE "notification_counts"."user_deleted" = 1;--> statement-breakpoint
CREATE TABLE `notification_preferences` (
	`user_id` integer NOT NULL,
	`type` text NOT NULL,
	`app` integer NOT NULL,
	`mail` integer NOT NULL,
	`push` integer NOT NULL,
	PRIMARY KEY(`user_id`, `type`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `notification_reads` (
	`user_id` integer NOT NULL,
	`through` integer NOT NULL,
	`at` text NOT NULL,
	PRIMARY KEY(`user_id`, `through`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `notifications` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`company_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`type` text NOT NULL,
	`sender_id` integer,
	`data` text NOT NULL,
	`message` text,
	`read_at` text,
	`reopened` integer DEFAULT 0 NOT NULL,
	`unsent` integer NOT NULL,
	`expires_at` integer,
	`created_at` text NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `notifications_id_unique` ON `notifications` (`id`);--> statement-breakpoint
CREATE INDEX `notifications_by_user` ON `notifications` (`user_id`,`seq`);--> statement-breakpoint
CREATE INDEX `notifications_unread` ON `notifications` (`user_id`,`seq`) WHERE "notifications"."read_at" is null and "notifications"."expires_at" is null;--> statement-breakpoint
CREATE INDEX `notifications_reopened` ON `notifications` (`user_id`,`seq`) WHERE "notifications"."reopened" = 1;--> statement-breakpoint
CREATE INDEX `notifications_unsent` ON `notifications` (`seq`) WHERE "notifications"."unsent" > 0;--> statement-breakpoint
CREATE INDEX `notifications_expiring` ON `notifications` (`expires_at`) WHERE "notifications"."expires_at" is not null;--> statement-breakpoint
CREATE TABLE `pushes` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`notification_seq` integer NOT NULL,
	`device_id` integer NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`claims` integer DEFAULT 0 NOT NULL,
	`due_at` integer NOT NULL,
	FOREIGN KEY (`notification_seq`) REFERENCES `notifications`(`seq`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`device_id`) REFERENCES `devices`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `pushes_due` ON `pushes` (`due_at`,`id`);--> statement-breakpoint
CREATE INDEX `pushes_by_notification` ON `pushes` (`notification_seq`);--> statement-breakpoint
CREATE INDEX `pushes_by_device` ON `pushes` (`device_id`);--> statement-breakpoint
CREATE TABLE `webhooks` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`company_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`target_url` text NOT NULL,
	`target_key` text,
	`event_name` text NOT NULL,
	`verification_token` text,
	`previous_token` text,
	`previous_token_until` integer,
	`scope` text DEFAULT 'global' NOT NULL,
	`success_status` text DEFAULT '200' NOT NULL,
	`ordered` integer DEFAULT 0 NOT NULL,
	`paused_at` text,
	`deleted_at` text,
	`target_gone` integer DEFAULT 0 NOT NULL,
	`owned_since` text,
	`failing_since` integer,
	`failures` integer DEFAULT 0 NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `webhooks_url` ON `webhooks` (`company_id`,`target_url`) WHERE "webhooks"."deleted_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX `webhooks_target` ON `webhooks` (`company_id`,`target_key`) WHERE "webhooks"."deleted_at" is null and "webhooks"."target_key" is not null;--> statement-breakpoint
CREATE INDEX `webhooks_by_company` ON `webhooks` (`company_id`);--> statement-breakpoint
CREATE INDEX `webhooks_by_event` ON `webhooks` (`company_id`,`event_name`) WHERE "webhooks"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX `webhooks_failing` ON `webhooks` (`failing_since`) WHERE "webhooks"."failing_since" is not null;--> statement-breakpoint
CREATE INDEX `webhooks_rotating` ON `webhooks` (`previous_token_until`) WHERE "webhooks"."previous_token_until" is not null;--> statement-breakpoint
CREATE TABLE `deliveries` (
	`id` text PRIMARY KEY NOT NULL,
	`company_id` integer NOT NULL,
	`webhook_id` integer NOT NULL,
	`event_id` text NOT NULL,
	`status` text DEFAULT 'pending' NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`begun_after` integer DEFAULT 0 NOT NULL,
	`due_at` integer NOT NULL,
	`signed` text,
	`response_status` integer,
	`error` text,
	`duration_ms` integer,
	`created_at` text NOT NULL,
	`delivered_at` text,
	`entity` text,
	`parked` integer DEFAULT 0 NOT NULL,
	`again` integer DEFAULT 0 NOT NULL,
	`hidden_fields` text,
	FOREIGN KEY (`webhook_id`) REFERENCES `webhooks`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`event_id`) REFERENCES `outbox`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `deliveries_ready` ON `deliveries` (`webhook_id`,`parked`,`due_at`) WHERE "deliveries"."status" = 'pending';--> statement-breakpoint
CREATE INDEX `deliveries_in_order` ON `deliveries` (`webhook_id`,`entity`) WHERE "deliveries"."status" = 'pending' and "deliveries"."again" = 0 and "deliveries"."entity" is not null;--> statement-breakpoint
CREATE INDEX `deliveries_by_status` ON `deliveries` (`webhook_id`,`status`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `deliveries_by_event` ON `deliveries` (`event_id`);--> statement-breakpoint
CREATE INDEX `deliveries_by_age` ON `deliveries` (`created_at`) WHERE "deliveries"."status" <> 'pending';--> statement-breakpoint
CREATE TABLE `delivery_attempts` (
	`delivery_id` text NOT NULL,
	`number` integer NOT NULL,
	`at` text NOT NULL,
	`response_status` integer,
	`error` text,
	`duration_ms` integer,
	`response_excerpt` text,
	PRIMARY KEY(`delivery_id`, `number`),
	FOREIGN KEY (`delivery_id`) REFERENCES `deliveries`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `delivery_counts` (
	`webhook_id` integer NOT NULL,
	`status` text NOT NULL,
	`n` integer NOT NULL,
	PRIMARY KEY(`webhook_id`, `status`),
	FOREIGN KEY (`webhook_id`) REFERENCES `webhooks`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `recoveries` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`company_id` integer NOT NULL,
	`webhook_id` integer NOT NULL,
	`after_at` text NOT NULL,
	`after_id` text NOT NULL,
	`step_at` text,
	`step_id` text,
	`until` text NOT NULL,
	FOREIGN KEY (`webhook_id`) REFERENCES `webhooks`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `recoveries_by_webhook` ON `recoveries` (`webhook_id`);--> statement-breakpoint
CREATE TABLE `deleted_names` (
	`company_id` integer NOT NULL,
	`kind` text NOT NULL,
	`id` text NOT NULL,
	`name` text NOT NULL,
	PRIMARY KEY(`company_id`, `kind`, `id`)
);
--> statement-breakpoint
CREATE TABLE `fact_dims` (
	`id` integer PRIMARY KEY NOT NULL,
	`company_id` integer NOT NULL,
	`key` text NOT NULL,
	`relations_path_id` text GENERATED ALWAYS AS (key ->> 0) VIRTUAL,
	`lead_type_id` text GENERATED ALWAYS AS (key ->> 1) VIRTUAL,
	`lead_source` text GENERATED ALWAYS AS (key ->> 2) VIRTUAL,
	`from_lead` integer GENERATED ALWAYS AS (key ->> 3) VIRTUAL,
	`types` text GENERATED ALWAYS AS (key ->> 4) VIRTUAL,
	`milestone_types` text GENERATED ALWAYS AS (key ->> 5) VIRTUAL,
	`product_ids` text GENERATED ALWAYS AS (key ->> 6) VIRTUAL,
	`teams` text GENERATED ALWAYS AS (key ->> 7) VIRTUAL,
	`agency_team_id` integer GENERATED ALWAYS AS (key ->> 8) VIRTUAL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `fact_dims_key` ON `fact_dims` (`company_id`,`key`);--> statement-breakpoint
CREATE TABLE `facts` (
	`seq` integer PRIMARY KEY NOT NULL,
	`company_id` integer NOT NULL,
	`kind` integer NOT NULL,
	`at` integer NOT NULL,
	`recorded_at` integer NOT NULL,
	`user_id` integer,
	`zone` text,
	`team_id` integer,
	`dim_id` integer,
	`subject` text,
	`flags` integer DEFAULT 0 NOT NULL,
	`weight` integer DEFAULT 1 NOT NULL,
	`value` real,
	`value2` real
);
--> statement-breakpoint
CREATE INDEX `facts_by_kind` ON `facts` (`company_id`,`kind`,`at`,`user_id`,`team_id`,`dim_id`,`flags`,`weight`,`value`,`value2`);--> statement-breakpoint
CREATE INDEX `facts_by_delay` ON `facts` (`company_id`,(value >= 3600) + (value >= 14400) + (value >= 86400) + (value >= 345600) + (value >= 1382400) + (value >= 5529600) + (value >= 31536000),`at`) WHERE kind = 17;--> statement-breakpoint
CREATE INDEX `facts_by_subject` ON `facts` (`subject`,`kind`) WHERE "facts"."subject" is not null;--> statement-breakpoint
CREATE TABLE `applications` (
	`client_id` text PRIMARY KEY NOT NULL,
	`company_id` integer,
	`user_id` integer,
	`name` text NOT NULL,
	`redirect_uri` text,
	`secret_hash` text NOT NULL,
	`secret_hint` text NOT NULL,
	`previous_secret_hash` text,
	`previous_secret_until` integer,
	`trusted` integer DEFAULT 0 NOT NULL,
	`bootstrap` integer DEFAULT 0 NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `applications_by_company` ON `applications` (`company_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `applications_by_user` ON `applications` (`user_id`);--> statement-breakpoint
CREATE INDEX `applications_bootstrap` ON `applications` (`client_id`) WHERE "applications"."bootstrap" = 1;--> statement-breakpoint
CREATE TABLE `attempts` (
	`key` text PRIMARY KEY NOT NULL,
	`failures` integer NOT NULL,
	`until` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `attempts_by_age` ON `attempts` (`until`);--> statement-breakpoint
CREATE TABLE `access_tokens` (
	`hash` text PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`client_id` text NOT NULL,
	`user_id` integer,
	`family_id` text,
	`expires_at` integer NOT NULL,
	`created_at` text NOT NULL,
	FOREIGN KEY (`client_id`) REFERENCES `applications`(`client_id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `access_tokens_id_unique` ON `access_tokens` (`id`);--> statement-breakpoint
CREATE INDEX `access_tokens_by_user` ON `access_tokens` (`user_id`,`expires_at`);--> statement-breakpoint
CREATE INDEX `access_tokens_by_client` ON `access_tokens` (`client_id`);--> statement-breakpoint
CREATE INDEX `access_tokens_by_family` ON `access_tokens` (`family_id`);--> statement-breakpoint
CREATE INDEX `access_tokens_by_expiry` ON `access_tokens` (`expires_at`);--> statement-breakpoint
CREATE TABLE `authorization_codes` (
	`hash` text PRIMARY KEY NOT NULL,
	`client_id` text NOT NULL,
	`user_id` integer NOT NULL,
	`redirect_uri` text NOT NULL,
	`code_challenge` text,
	`family_id` text NOT NULL,
	`expires_at` integer NOT NULL,
	`used_at` integer,
	`kept_until` integer NOT NULL,
	`created_at` text NOT NULL,
	FOREIGN KEY (`client_id`) REFERENCES `applications`(`client_id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `authorization_codes_by_client` ON `authorization_codes` (`client_id`);--> statement-breakpoint
CREATE INDEX `authorization_codes_by_user` ON `authorization_codes` (`user_id`);--> statement-breakpoint
CREATE INDEX `authorization_codes_by_age` ON `authorization_codes` (`kept_until`);--> statement-breakpoint
CREATE TABLE `device_codes` (
	`hash` text PRIMARY KEY NOT NULL,
	`user_code` integer NOT NULL,
	`client_id` text NOT NULL,
	`user_id` integer,
	`denied` integer DEFAULT 0 NOT NULL,
	`poll_interval` integer NOT NULL,
	`poll_at` integer NOT NULL,
	`used_at` integer,
	`expires_at` integer NOT NULL,
	`kept_until` integer NOT NULL,
	`created_at` text NOT NULL,
	FOREIGN KEY (`client_id`) REFERENCES `applications`(`client_id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `device_codes_user_code_unique` ON `device_codes` (`user_code`);--> statement-breakpoint
CREATE INDEX `device_codes_by_client` ON `device_codes` (`client_id`);--> statement-breakpoint
CREATE INDEX `device_codes_by_user` ON `device_codes` (`user_id`);--> statement-breakpoint
CREATE INDEX `device_codes_by_age` ON `device_codes` (`kept_until`);--> statement-breakpoint
CREATE TABLE `refresh_tokens` (
	`hash` text PRIMARY KEY NOT NULL,
	`client_id` text NOT NULL,
	`user_id` integer NOT NULL,
	`family_id` text NOT NULL,
	`expires_at` integer NOT NULL,
	`used_at` integer,
	`repeats` integer DEFAULT 0 NOT NULL,
	`created_at` text NOT NULL,
	FOREIGN KEY (`client_id`) REFERENCES `applications`(`client_id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `refresh_tokens_by_client` ON `refresh_tokens` (`client_id`);--> statement-breakpoint
CREATE INDEX `refresh_tokens_by_family` ON `refresh_tokens` (`family_id`);--> statement-breakpoint
CREATE INDEX `refresh_tokens_by_user` ON `refresh_tokens` (`user_id`);--> statement-breakpoint
CREATE INDEX `refresh_tokens_by_expiry` ON `refresh_tokens` (`expires_at`);--> statement-breakpoint
CREATE TABLE `sessions` (
	`hash` text PRIMARY KEY NOT NULL,
	`id` text,
	`user_id` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`created_at` text NOT NULL,
	`last_used_at` integer,
	`user_agent` text,
	`address` text,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `sessions_by_user` ON `sessions` (`user_id`);--> statement-breakpoint
CREATE INDEX `sessions_by_expiry` ON `sessions` (`expires_at`);--> statement-breakpoint
CREATE TABLE `companies` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`invoice_email` text,
	`address_1` text,
	`address_2` text,
	`zip_code` text,
	`city` text,
	`state` text,
	`country` text,
	`phone_number` text,
	`website` text,
	`vat` text,
	`logo_1` text,
	`logo_2` text,
	`timezone` text NOT NULL,
	`locale` text NOT NULL,
	`language` text NOT NULL,
	`currency` text NOT NULL,
	`b2c_allow` integer DEFAULT 1 NOT NULL,
	`b2c_default` integer DEFAULT 0 NOT NULL,
	`theme` text DEFAULT 'default' NOT NULL,
	`product_mode` text DEFAULT 'advanced' NOT NULL,
	`default_account_id` text,
	`teams_can_create_relations_paths` integer DEFAULT 0 NOT NULL,
	`groups_can_create_relations_paths` integer DEFAULT 0 NOT NULL,
	`use_social_lookup` integer DEFAULT 0 NOT NULL,
	`email_tracking` integer DEFAULT 0 NOT NULL,
	`support` integer DEFAULT 0 NOT NULL,
	`plan_id` integer DEFAULT 1 NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`deleted_at` text,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE `groups` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`company_id` integer NOT NULL,
	`name` text NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `groups_by_created` ON `groups` (`company_id`,`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `invitations` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`company_id` integer NOT NULL,
	`email` text NOT NULL,
	`email_key` text DEFAULT '' NOT NULL,
	`token_hash` text NOT NULL,
	`role_ids` text NOT NULL,
	`team_ids` text NOT NULL,
	`created_by` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`created_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `invitations_token_hash_unique` ON `invitations` (`token_hash`);--> statement-breakpoint
CREATE INDEX `invitations_by_created` ON `invitations` (`company_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `invitations_by_creator` ON `invitations` (`created_by`);--> statement-breakpoint
CREATE INDEX `invitations_by_expiry` ON `invitations` (`expires_at`);--> statement-breakpoint
CREATE TABLE `role_rights` (
	`role_id` integer NOT NULL,
	`right_name` text NOT NULL,
	PRIMARY KEY(`role_id`, `right_name`),
	FOREIGN KEY (`role_id`) REFERENCES `roles`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `roles` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`company_id` integer NOT NULL,
	`name` text NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `roles_name` ON `roles` (`company_id`,`name`);--> statement-breakpoint
CREATE INDEX `roles_by_created` ON `roles` (`company_id`,`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `user_roles` (
	`user_id` integer NOT NULL,
	`role_id` integer NOT NULL,
	PRIMARY KEY(`user_id`, `role_id`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`role_id`) REFERENCES `roles`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `user_roles_by_role` ON `user_roles` (`role_id`,`user_id`);--> statement-breakpoint
CREATE TABLE `sign_ons` (
	`hash` text PRIMARY KEY NOT NULL,
	`browser` text NOT NULL,
	`company_id` integer NOT NULL,
	`provider_name` text NOT NULL,
	`kept` text NOT NULL,
	`expires_at` integer NOT NULL,
	`created_at` text NOT NULL,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `sign_ons_by_company` ON `sign_ons` (`company_id`);--> statement-breakpoint
CREATE INDEX `sign_ons_by_expiry` ON `sign_ons` (`expires_at`);--> statement-breakpoint
CREATE TABLE `sso_drivers` (
	`company_id` integer NOT NULL,
	`provider_name` text NOT NULL,
	`issuer` text NOT NULL,
	`client_id` text NOT NULL,
	`client_secret` text NOT NULL,
	`position` integer NOT NULL,
	PRIMARY KEY(`company_id`, `provider_name`),
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `teams` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`company_id` integer NOT NULL,
	`name` text NOT NULL,
	`address_1` text,
	`address_2` text,
	`zip_code` text,
	`city` text,
	`state` text,
	`country` text,
	`phone_number` text,
	`website` text,
	`vat` text,
	`timezone` text NOT NULL,
	`locale` text NOT NULL,
	`team_type` text,
	`group_id` integer,
	`use_social_lookup` integer DEFAULT 0 NOT NULL,
	`custom` text DEFAULT '{}' NOT NULL,
	`created_by` integer,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`group_id`) REFERENCES `groups`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `teams_by_created` ON `teams` (`company_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `dealers_by_created` ON `teams` (`company_id`,`created_at`,`id`) WHERE "teams"."team_type" = 'dealer';--> statement-breakpoint
CREATE INDEX `dealers_by_updated` ON `teams` (`company_id`,`updated_at`,`id`) WHERE "teams"."team_type" = 'dealer';--> statement-breakpoint
CREATE INDEX `teams_by_group` ON `teams` (`group_id`,`id`);--> statement-breakpoint
CREATE TABLE `team_members` (
	`user_id` integer NOT NULL,
	`team_id` integer NOT NULL,
	PRIMARY KEY(`user_id`, `team_id`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`team_id`) REFERENCES `teams`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `team_members_by_team` ON `team_members` (`team_id`,`user_id`);--> statement-breakpoint
CREATE TABLE `users` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`company_id` integer NOT NULL,
	`first_name` text NOT NULL,
	`last_name` text NOT NULL,
	`phone_number` text,
	`job_title` text,
	`email` text NOT NULL,
	`email_key` text NOT NULL,
	`email_notifications` integer DEFAULT 1 NOT NULL,
	`profile_picture` text,
	`locale` text NOT NULL,
	`timezone` text NOT NULL,
	`user_type` integer DEFAULT 3 NOT NULL,
	`signature_email` text,
	`active_team_id` integer,
	`system_user` integer DEFAULT 0 NOT NULL,
	`password_hash` text,
	`sso_provider` text,
	`sso_user_id` text,
	`created_by` integer,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`deleted_at` text,
	`version` integer DEFAULT 1 NOT NULL,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_email` ON `users` (`email_key`) WHERE "users"."deleted_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX `users_sso` ON `users` (`company_id`,`sso_provider`,`sso_user_id`) WHERE "users"."sso_provider" is not null and "users"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX `users_by_company` ON `users` (`company_id`);--> statement-breakpoint
CREATE INDEX `users_by_created` ON `users` (`company_id`,`created_at`,`id`) WHERE "users"."deleted_at" is null;--> statement-breakpoint
CREATE TABLE `password_resets` (
	`hash` text PRIMARY KEY NOT NULL,
	`user_id` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`created_at` text NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `password_resets_by_user` ON `password_resets` (`user_id`);--> statement-breakpoint
CREATE INDEX `password_resets_by_expiry` ON `password_resets` (`expires_at`);--> statement-breakpoint
CREATE TABLE `report_charts` (
	`id` text PRIMARY KEY NOT NULL,
	`company_id` integer NOT NULL,
	`svg` text NOT NULL,
	`expires_at` integer NOT NULL,
	`created_at` text NOT NULL,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `report_charts_expired` ON `report_charts` (`expires_at`);--> statement-breakpoint
CREATE INDEX `report_charts_by_company` ON `report_charts` (`company_id`);--> statement-breakpoint
CREATE TABLE `report_export_rows` (
	`export_id` text NOT NULL,
	`position` integer NOT NULL,
	`rows` text NOT NULL,
	PRIMARY KEY(`export_id`, `position`),
	FOREIGN KEY (`export_id`) REFERENCES `report_exports`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `report_exports` (
	`id` text PRIMARY KEY NOT NULL,
	`company_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`format` text NOT NULL,
	`status` text NOT NULL,
	`columns` text NOT NULL,
	`file_id` text,
	`failure` text,
	`attempts` integer DEFAULT 0 NOT NULL,
	`due_at` integer,
	`expires_at` integer NOT NULL,
	`created_at` text NOT NULL,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `report_exports_due` ON `report_exports` (`due_at`) WHERE "report_exports"."due_at" is not null;--> statement-breakpoint
CREATE INDEX `report_exports_in_turn` ON `report_exports` (`company_id`,`due_at`,`id`) WHERE "report_exports"."due_at" is not null;--> statement-breakpoint
CREATE INDEX `report_exports_expired` ON `report_exports` (`expires_at`);--> statement-breakpoint
CREATE INDEX `report_exports_by_user` ON `report_exports` (`company_id`,`user_id`);--> statement-breakpoint
CREATE TABLE `game_players` (
	`company_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`state` text NOT NULL,
	PRIMARY KEY(`company_id`, `user_id`),
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `game_reach` (
	`id` integer PRIMARY KEY NOT NULL,
	`seq` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `high_fives` (
	`event_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`created_at` text NOT NULL,
	PRIMARY KEY(`event_id`, `user_id`),
	FOREIGN KEY (`event_id`) REFERENCES `stream_events`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `stream_events` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`company_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`type` text NOT NULL,
	`key` text NOT NULL,
	`data` text NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `stream_events_once` ON `stream_events` (`user_id`,`type`,`key`);--> statement-breakpoint
CREATE INDEX `stream_events_by_created` ON `stream_events` (`company_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `stream_events_by_user` ON `stream_events` (`company_id`,`user_id`,`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `indicator_sets` (
	`id` text PRIMARY KEY NOT NULL,
	`company_id` integer NOT NULL,
	`name` text NOT NULL,
	`indicators` text NOT NULL,
	`user_id` integer NOT NULL,
	`private` integer DEFAULT 0 NOT NULL,
	`team_id` integer,
	`group_id` integer,
	`owner` text GENERATED ALWAYS AS (iif(private, 'u' || user_id, coalesce('t' || team_id, 'g' || group_id, ''))) VIRTUAL,
	`kept_for` integer,
	`reader` text GENERATED ALWAYS AS (iif(kept_for is null, owner, 'k' || kept_for)) VIRTUAL,
	`private_to` integer GENERATED ALWAYS AS (iif(private, user_id, null)) VIRTUAL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `indicator_sets_by_owner` ON `indicator_sets` (`company_id`,`owner`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `indicator_sets_by_reader` ON `indicator_sets` (`company_id`,`reader`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `indicator_sets_by_private` ON `indicator_sets` (`company_id`,`private_to`,`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `report_deliveries` (
	`id` text PRIMARY KEY NOT NULL,
	`company_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`scheduled_report_id` text,
	`name` text,
	`once` text,
	`start_at` text NOT NULL,
	`end_at` text NOT NULL,
	`data` text NOT NULL,
	`file_id` text,
	`failure` text,
	`created_at` text NOT NULL,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `report_deliveries_once` ON `report_deliveries` (`once`);--> statement-breakpoint
CREATE INDEX `report_deliveries_by_company` ON `report_deliveries` (`company_id`,`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `report_readers` (
	`report_id` text NOT NULL,
	`user_id` integer NOT NULL,
	`file_id` text,
	PRIMARY KEY(`report_id`, `user_id`),
	FOREIGN KEY (`report_id`) REFERENCES `report_deliveries`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `report_readers_by_file` ON `report_readers` (`file_id`,`user_id`);--> statement-breakpoint
CREATE TABLE `ranks` (
	`id` text PRIMARY KEY NOT NULL,
	`company_id` integer NOT NULL,
	`team_id` integer,
	`group_id` integer,
	`owner` text GENERATED ALWAYS AS (coalesce('t' || team_id, 'g' || group_id, '')) VIRTUAL,
	`kept_for` integer,
	`reader` text GENERATED ALWAYS AS (iif(kept_for is null, owner, 'k' || kept_for)) VIRTUAL,
	`created_by` integer,
	`members` text,
	`name` text NOT NULL,
	`icon` text NOT NULL,
	`rule` text NOT NULL,
	`relations_path_id` text,
	`milestone_id` text,
	`award_at` integer,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `ranks_by_created` ON `ranks` (`company_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `ranks_by_owner` ON `ranks` (`company_id`,`owner`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `ranks_by_reader` ON `ranks` (`company_id`,`reader`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `ranks_by_award` ON `ranks` (`award_at`);--> statement-breakpoint
CREATE TABLE `fact_rollup_reach` (
	`id` integer PRIMARY KEY NOT NULL,
	`seq` integer NOT NULL,
	`version` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `fact_rollups` (
	`company_id` integer NOT NULL,
	`measure` integer NOT NULL,
	`rollup` integer NOT NULL,
	`at` integer NOT NULL,
	`user_id` integer NOT NULL,
	`team_id` integer NOT NULL,
	`dim_id` integer NOT NULL,
	`total` real NOT NULL,
	PRIMARY KEY(`company_id`, `measure`, `rollup`, `at`, `user_id`, `team_id`, `dim_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `scheduled_report_recipients` (
	`report_id` text NOT NULL,
	`user_id` integer NOT NULL,
	PRIMARY KEY(`report_id`, `user_id`),
	FOREIGN KEY (`report_id`) REFERENCES `scheduled_reports`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `scheduled_report_recipients_by_user` ON `scheduled_report_recipients` (`user_id`,`report_id`);--> statement-breakpoint
CREATE TABLE `scheduled_reports` (
	`id` text PRIMARY KEY NOT NULL,
	`company_id` integer NOT NULL,
	`name` text NOT NULL,
	`indicator_set_id` text NOT NULL,
	`frequency` text NOT NULL,
	`filters` text NOT NULL,
	`user_id` integer NOT NULL,
	`next_date` text,
	`next_at` integer,
	`zone` text NOT NULL,
	`wanted_at` integer,
	`attempt_at` integer,
	`attempts` integer DEFAULT 0 NOT NULL,
	`failure` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `scheduled_reports_by_created` ON `scheduled_reports` (`company_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `scheduled_reports_by_user` ON `scheduled_reports` (`company_id`,`user_id`);--> statement-breakpoint
CREATE INDEX `scheduled_reports_by_set` ON `scheduled_reports` (`indicator_set_id`);--> statement-breakpoint
CREATE INDEX `scheduled_reports_next` ON `scheduled_reports` (`next_at`) WHERE "scheduled_reports"."next_at" is not null;--> statement-breakpoint
CREATE INDEX `scheduled_reports_next_by_frequency` ON `scheduled_reports` (`frequency`,`next_at`) WHERE "scheduled_reports"."next_at" is not null;--> statement-breakpoint
CREATE INDEX `scheduled_reports_wanted` ON `scheduled_reports` (`wanted_at`) WHERE "scheduled_reports"."wanted_at" is not null;--> statement-breakpoint
CREATE TABLE `exports` (
	`id` text PRIMARY KEY NOT NULL,
	`company_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`entity` text NOT NULL,
	`format` text NOT NULL,
	`status` text NOT NULL,
	`columns` text,
	`filter` text,
	`last_row` integer NOT NULL,
	`rows` integer DEFAULT 0 NOT NULL,
	`file_id` text,
	`failure` text,
	`attempts` integer DEFAULT 0 NOT NULL,
	`due_at` integer,
	`expires_at` integer NOT NULL,
	`created_at` text NOT NULL,
	`finished_at` text,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `exports_due` ON `exports` (`due_at`) WHERE "exports"."due_at" is not null;--> statement-breakpoint
CREATE INDEX `exports_in_turn` ON `exports` (`company_id`,`due_at`,`id`) WHERE "exports"."due_at" is not null;--> statement-breakpoint
CREATE INDEX `exports_expired` ON `exports` (`expires_at`);--> statement-breakpoint
CREATE INDEX `exports_by_user` ON `exports` (`company_id`,`user_id`,`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `import_changes` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`import_id` text NOT NULL,
	`row` integer NOT NULL,
	`entity` text NOT NULL,
	`record_id` text NOT NULL,
	`before` text,
	`after` text NOT NULL,
	FOREIGN KEY (`import_id`) REFERENCES `imports`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `import_changes_by_import` ON `import_changes` (`import_id`,`seq`);--> statement-breakpoint
CREATE INDEX `import_changes_by_record` ON `import_changes` (`record_id`,`import_id`);--> statement-breakpoint
CREATE TABLE `import_errors` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`company_id` integer NOT NULL,
	`import_id` text NOT NULL,
	`row` integer NOT NULL,
	`column` text,
	`path` text,
	`code` text NOT NULL,
	`message` text NOT NULL,
	`value` text,
	FOREIGN KEY (`import_id`) REFERENCES `imports`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `import_errors_by_import` ON `import_errors` (`import_id`,`row`,`seq`);--> statement-breakpoint
CREATE TABLE `import_kept` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`company_id` integer NOT NULL,
	`import_id` text NOT NULL,
	`row` integer NOT NULL,
	`entity` text NOT NULL,
	`record_id` text NOT NULL,
	`reason` text NOT NULL,
	FOREIGN KEY (`import_id`) REFERENCES `imports`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `import_kept_by_import` ON `import_kept` (`import_id`,`row`,`seq`);--> statement-breakpoint
CREATE TABLE `import_keys` (
	`import_id` text NOT NULL,
	`key` text NOT NULL,
	PRIMARY KEY(`import_id`, `key`),
	FOREIGN KEY (`import_id`) REFERENCES `imports`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `imports` (
	`id` text PRIMARY KEY NOT NULL,
	`company_id` integer NOT NULL,
	`maker_id` integer NOT NULL,
	`name` text NOT NULL,
	`entity` text NOT NULL,
	`format` text NOT NULL,
	`status` text NOT NULL,
	`dry_run` integer DEFAULT 0 NOT NULL,
	`match` text NOT NULL,
	`on_match` text NOT NULL,
	`refusals` text NOT NULL,
	`team_id` integer,
	`user_id` integer,
	`agency_team_id` integer,
	`reading` text NOT NULL,
	`encoding` text,
	`delimiter` text,
	`decimal` text,
	`date_format` text,
	`object_key` text,
	`bytes` integer NOT NULL,
	`file_id` text,
	`rows` integer,
	`place` integer DEFAULT 0 NOT NULL,
	`created` integer DEFAULT 0 NOT NULL,
	`updated` integer DEFAULT 0 NOT NULL,
	`skipped` integer DEFAULT 0 NOT NULL,
	`failed` integer DEFAULT 0 NOT NULL,
	`preview` text,
	`failure` text,
	`failure_row` integer,
	`reverted` text,
	`expires_at` integer,
	`removed_at` integer NOT NULL,
	`created_at` text NOT NULL,
	`started_at` text,
	`finished_at` text,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `imports_by_company` ON `imports` (`company_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `imports_by_maker` ON `imports` (`company_id`,`maker_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `imports_open` ON `imports` (`company_id`,`status`,`id`) WHERE "imports"."status" in ('queued', 'checking', 'running', 'reverting');--> statement-breakpoint
CREATE INDEX `imports_expired` ON `imports` (`expires_at`) WHERE "imports"."expires_at" is not null;--> statement-breakpoint
CREATE INDEX `imports_removed` ON `imports` (`removed_at`);--> statement-breakpoint
CREATE TABLE `merge_locks` (
	`record_id` text PRIMARY KEY NOT NULL,
	`merge_id` text NOT NULL,
	FOREIGN KEY (`merge_id`) REFERENCES `merges`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `merge_locks_by_merge` ON `merge_locks` (`merge_id`);--> statement-breakpoint
CREATE TABLE `merge_rows` (
	`merge_id` text NOT NULL,
	`table_name` text NOT NULL,
	`row_id` text NOT NULL,
	`column_name` text NOT NULL,
	`before` text,
	`after` text,
	PRIMARY KEY(`merge_id`, `table_name`, `row_id`, `column_name`),
	FOREIGN KEY (`merge_id`) REFERENCES `merges`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `merged_records` (
	`from_id` text PRIMARY KEY NOT NULL,
	`merge_id` text NOT NULL,
	`into_id` text NOT NULL,
	FOREIGN KEY (`merge_id`) REFERENCES `merges`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `merged_records_by_merge` ON `merged_records` (`merge_id`);--> statement-breakpoint
CREATE TABLE `merges` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`company_id` integer NOT NULL,
	`entity_type` text NOT NULL,
	`entity_id` text NOT NULL,
	`from_id` text NOT NULL,
	`root_id` text NOT NULL,
	`team_id` integer,
	`moved` text NOT NULL,
	`kept` text,
	`user_id` integer NOT NULL,
	`created_at` text NOT NULL,
	`undone_at` text,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `merges_id_unique` ON `merges` (`id`);--> statement-breakpoint
CREATE INDEX `merges_in_order` ON `merges` (`company_id`,`seq`,`id`);--> statement-breakpoint
CREATE INDEX `merges_by_team` ON `merges` (`company_id`,`team_id`,`seq`,`id`);--> statement-breakpoint
CREATE INDEX `merges_by_entity` ON `merges` (`entity_id`,`seq`,`id`);--> statement-breakpoint
CREATE INDEX `merges_by_root` ON `merges` (`root_id`);--> statement-breakpoint
CREATE INDEX `merges_kept` ON `merges` (`created_at`) WHERE "merges"."kept" is not null;--> statement-breakpoint
CREATE TABLE `attachments` (
	`entity_type` text NOT NULL,
	`entity_id` text NOT NULL,
	`file_id` text NOT NULL,
	`company_id` integer NOT NULL,
	`attached_by` integer NOT NULL,
	`attached_at` text NOT NULL,
	PRIMARY KEY(`entity_type`, `entity_id`, `file_id`),
	FOREIGN KEY (`file_id`) REFERENCES `files`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `attachments_by_record` ON `attachments` (`entity_type`,`entity_id`,`attached_at`,`file_id`);--> statement-breakpoint
CREATE INDEX `attachments_by_file` ON `attachments` (`file_id`);--> statement-breakpoint
CREATE TABLE `file_permissions` (
	`file_id` text NOT NULL,
	`type` text NOT NULL,
	`value` integer NOT NULL,
	`company_id` integer NOT NULL,
	`created_at` text NOT NULL,
	PRIMARY KEY(`file_id`, `type`, `value`),
	FOREIGN KEY (`file_id`) REFERENCES `files`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `file_permissions_by_value` ON `file_permissions` (`company_id`,`type`,`value`,`created_at`,`file_id`);--> statement-breakpoint
CREATE TABLE `file_totals` (
	`company_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`readers` text NOT NULL,
	`n` integer NOT NULL,
	PRIMARY KEY(`company_id`, `user_id`, `readers`)
);
--> statement-breakpoint
CREATE INDEX `file_totals_permitted` ON `file_totals` (`company_id`) WHERE "file_totals"."readers" <> '[]';--> statement-breakpoint
CREATE TABLE `file_usage` (
	`company_id` integer PRIMARY KEY NOT NULL,
	`files` integer NOT NULL,
	`bytes` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `files` (
	`seq` integer PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`company_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`name` text NOT NULL,
	`name_key` text NOT NULL,
	`type` text NOT NULL,
	`size` integer NOT NULL,
	`digest` text NOT NULL,
	`media` text NOT NULL,
	`object_key` text NOT NULL,
	`public` integer DEFAULT 0 NOT NULL,
	`folder_id` text,
	`belongs_to` text,
	`belongs_to_id` integer,
	`placed_by` integer,
	`placed_at` text,
	`picture_key` text,
	`readers` text DEFAULT '[]' NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`folder_id`) REFERENCES `folders`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `files_id_unique` ON `files` (`id`);--> statement-breakpoint
CREATE INDEX `files_by_owner` ON `files` (`company_id`,`user_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `files_by_creation` ON `files` (`company_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `files_by_folder` ON `files` (`folder_id`,`name_key`,`id`);--> statement-breakpoint
CREATE INDEX `files_at_root` ON `files` (`company_id`,`belongs_to`,`belongs_to_id`,`name_key`,`id`) WHERE "files"."belongs_to" is not null;--> statement-breakpoint
CREATE INDEX `files_placed_in_folder` ON `files` (`folder_id`,`placed_at`,`id`) WHERE "files"."folder_id" is not null;--> statement-breakpoint
CREATE INDEX `files_placed_at_root` ON `files` (`company_id`,`belongs_to`,`belongs_to_id`,`placed_at`,`id`) WHERE "files"."belongs_to" is not null;--> statement-breakpoint
CREATE TABLE `folder_contents` (
	`company_id` integer NOT NULL,
	`place` text NOT NULL,
	`folders` integer NOT NULL,
	`files` integer NOT NULL,
	PRIMARY KEY(`company_id`, `place`)
);
--> statement-breakpoint
CREATE TABLE `folders` (
	`id` text PRIMARY KEY NOT NULL,
	`company_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`name` text NOT NULL,
	`name_key` text NOT NULL,
	`folder_id` text,
	`belongs_to` text,
	`belongs_to_id` integer,
	`deleted_at` text,
	`removed_files` integer DEFAULT 0 NOT NULL,
	`removed_bytes` integer DEFAULT 0 NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`folder_id`) REFERENCES `folders`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `folders_by_folder` ON `folders` (`folder_id`,`name_key`,`id`);--> statement-breakpoint
CREATE INDEX `folders_at_root` ON `folders` (`company_id`,`belongs_to`,`belongs_to_id`,`name_key`,`id`) WHERE "folders"."belongs_to" is not null;--> statement-breakpoint
CREATE INDEX `folders_by_owner` ON `folders` (`company_id`,`user_id`);--> statement-breakpoint
CREATE INDEX `folders_in_removal` ON `folders` (`company_id`) WHERE "folders"."deleted_at" is not null;--> statement-breakpoint
CREATE TABLE `automated_communications` (
	`id` text PRIMARY KEY NOT NULL,
	`company_id` integer NOT NULL,
	`team_id` integer,
	`group_id` integer,
	`owner` text GENERATED ALWAYS AS (coalesce('t' || team_id, 'g' || group_id, '')) VIRTUAL,
	`kept_for` integer,
	`reader` text GENERATED ALWAYS AS (iif(kept_for is null, owner, 'k' || kept_for)) VIRTUAL,
	`created_by` integer,
	`name` text NOT NULL,
	`description` text,
	`icon` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `automated_communications_by_created` ON `automated_communications` (`company_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `automated_communications_by_owner` ON `automated_communications` (`company_id`,`owner`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `automated_communications_by_reader` ON `automated_communications` (`company_id`,`reader`,`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `automated_messages` (
	`id` text PRIMARY KEY NOT NULL,
	`company_id` integer NOT NULL,
	`definition_id` text NOT NULL,
	`position` integer NOT NULL,
	`name` text NOT NULL,
	`delay_days` integer NOT NULL,
	`offset_from_midnight` integer NOT NULL,
	`template_id` integer,
	`subject` text NOT NULL,
	`content` text NOT NULL,
	`attachments` text DEFAULT '[]' NOT NULL,
	`chosen_by` text DEFAULT '{}' NOT NULL,
	FOREIGN KEY (`definition_id`) REFERENCES `automated_communications`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `automated_messages_by_definition` ON `automated_messages` (`definition_id`,`position`);--> statement-breakpoint
CREATE INDEX `automated_messages_by_template` ON `automated_messages` (`company_id`,`template_id`) WHERE "automated_messages"."template_id" is not null;--> statement-breakpoint
CREATE TABLE `campaign_settings` (
	`company_id` integer PRIMARY KEY NOT NULL,
	`domain` text,
	`domain_slug` text,
	`consent_enable` integer DEFAULT 0 NOT NULL,
	`consent_custom` integer DEFAULT 0 NOT NULL,
	`unsubscribe_url` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `campaign_settings_slug` ON `campaign_settings` (`domain_slug`) WHERE "campaign_settings"."domain_slug" is not null;--> statement-breakpoint
CREATE TABLE `campaign_messages` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`company_id` integer NOT NULL,
	`campaign_id` text NOT NULL,
	`contact_id` text NOT NULL,
	`team_id` integer,
	`email` text,
	`email_key` text,
	`status` text NOT NULL,
	`tally` text GENERATED ALWAYS AS (campaign_id || ' ' || status) VIRTUAL,
	`due_at` integer DEFAULT 0 NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`claims` integer DEFAULT 0 NOT NULL,
	`error` text,
	`values` text,
	`subject` text,
	`object` text,
	`letter_size` integer,
	`letter_crc` integer,
	`task_id` text,
	`sent_at` text,
	`opened_at` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`campaign_id`) REFERENCES `campaigns`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `campaign_messages_contact` ON `campaign_messages` (`campaign_id`,`contact_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `campaign_messages_email` ON `campaign_messages` (`campaign_id`,`email_key`) WHERE "campaign_messages"."email_key" is not null;--> statement-breakpoint
CREATE INDEX `campaign_messages_by_campaign` ON `campaign_messages` (`campaign_id`,`id`);--> statement-breakpoint
CREATE INDEX `campaign_messages_by_status` ON `campaign_messages` (`campaign_id`,`status`,`id`);--> statement-breakpoint
CREATE INDEX `campaign_messages_due` ON `campaign_messages` (`campaign_id`,`due_at`,`id`) WHERE "campaign_messages"."status" = 'pending';--> statement-breakpoint
CREATE INDEX `campaign_messages_untried` ON `campaign_messages` (`campaign_id`) WHERE "campaign_messages"."status" = 'pending' and "campaign_messages"."error" is null;--> statement-breakpoint
CREATE INDEX `campaign_messages_taskless` ON `campaign_messages` (`campaign_id`,`id`) WHERE "campaign_messages"."task_id" = '';--> statement-breakpoint
CREATE INDEX `campaign_messages_by_contact` ON `campaign_messages` (`contact_id`);--> statement-breakpoint
CREATE TABLE `campaigns` (
	`seq` integer PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`company_id` integer NOT NULL,
	`team_id` integer,
	`group_id` integer,
	`owner` text GENERATED ALWAYS AS (coalesce('t' || team_id, 'g' || group_id, '')) VIRTUAL,
	`kept_for` integer,
	`reader` text GENERATED ALWAYS AS (iif(kept_for is null, owner, 'k' || kept_for)) VIRTUAL,
	`user_id` integer NOT NULL,
	`stopped_reason` text,
	`approved_by` integer,
	`type` text NOT NULL,
	`status` text NOT NULL,
	`stage` text,
	`name` text NOT NULL,
	`description` text,
	`subject` text,
	`content` text,
	`sender` text,
	`template_id` integer,
	`filter` text,
	`send_at` text,
	`task` text,
	`relations_path_id` text,
	`sent_at` text,
	`total_sent` integer DEFAULT 0 NOT NULL,
	`origin` text,
	`snapshot` text,
	`served_at` integer DEFAULT 0 NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `campaigns_id_unique` ON `campaigns` (`id`);--> statement-breakpoint
CREATE INDEX `campaigns_by_created` ON `campaigns` (`company_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `campaigns_by_owner` ON `campaigns` (`company_id`,`owner`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `campaigns_by_reader` ON `campaigns` (`company_id`,`reader`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `campaigns_by_status` ON `campaigns` (`company_id`,`status`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `campaigns_due` ON `campaigns` (`send_at`) WHERE "campaigns"."status" = 'pending' and "campaigns"."stage" is null;--> statement-breakpoint
CREATE INDEX `campaigns_sending` ON `campaigns` (`served_at`) WHERE "campaigns"."stage" = 'sending';--> statement-breakpoint
CREATE INDEX `campaigns_by_user` ON `campaigns` (`company_id`,`user_id`);--> statement-breakpoint
CREATE INDEX `campaigns_by_template` ON `campaigns` (`company_id`,`template_id`) WHERE "campaigns"."template_id" is not null;--> statement-breakpoint
CREATE INDEX `campaigns_by_path` ON `campaigns` (`relations_path_id`) WHERE "campaigns"."relations_path_id" is not null;--> statement-breakpoint
CREATE TABLE `correspondences` (
	`id` text PRIMARY KEY NOT NULL,
	`company_id` integer NOT NULL,
	`case_id` text NOT NULL,
	`activity_id` text,
	`user_id` integer,
	`type` text NOT NULL,
	`direction` text NOT NULL,
	`status` text NOT NULL,
	`sender` text,
	`recipient` text,
	`subject` text,
	`content` text,
	`parts` text,
	`template_id` integer,
	`margins` text,
	`file_ids` text DEFAULT '[]' NOT NULL,
	`message_key` text,
	`thread` text,
	`error` text,
	`sent_at` text,
	`opened_at` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	FOREIGN KEY (`case_id`) REFERENCES `cases`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `correspondences_by_case` ON `correspondences` (`case_id`,`created_at`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `correspondences_received` ON `correspondences` (`case_id`,`message_key`) WHERE "correspondences"."message_key" is not null;--> statement-breakpoint
CREATE TABLE `templates` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`type` text NOT NULL,
	`company_id` integer NOT NULL,
	`title` text NOT NULL,
	`content` text NOT NULL,
	`user_id` integer NOT NULL,
	`team_id` integer,
	`group_id` integer,
	`owner` text GENERATED ALWAYS AS (coalesce('t' || team_id, 'g' || group_id, '')) VIRTUAL,
	`kept_for` integer,
	`reader` text GENERATED ALWAYS AS (iif(kept_for is null, owner, 'k' || kept_for)) VIRTUAL,
	`campaign` integer DEFAULT 0 NOT NULL,
	`margin_top` integer,
	`margin_left` integer,
	`margin_right` integer,
	`margin_bottom` integer,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `templates_by_created` ON `templates` (`company_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `templates_by_owner` ON `templates` (`company_id`,`owner`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `templates_by_reader` ON `templates` (`company_id`,`reader`,`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `activities` (
	`id` text PRIMARY KEY NOT NULL,
	`company_id` integer NOT NULL,
	`case_id` text NOT NULL,
	`user_id` integer,
	`activity_types` text NOT NULL,
	`communication_channel` text,
	`extra_steps` text DEFAULT '[]' NOT NULL,
	`note` text,
	`correspondence` text,
	`product_details` text DEFAULT '[]' NOT NULL,
	`task_id` text,
	`completed_task_id` text,
	`created_by` integer,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	FOREIGN KEY (`case_id`) REFERENCES `cases`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `activities_by_case` ON `activities` (`case_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `activities_with_products` ON `activities` (`case_id`) WHERE "activities"."product_details" <> '[]';--> statement-breakpoint
CREATE TABLE `automated_sends` (
	`id` text PRIMARY KEY NOT NULL,
	`company_id` integer NOT NULL,
	`case_id` text NOT NULL,
	`activity_id` text NOT NULL,
	`activity_type_id` text NOT NULL,
	`definition_id` text NOT NULL,
	`message_id` text NOT NULL,
	`name` text NOT NULL,
	`subject` text NOT NULL,
	`due_at` integer NOT NULL,
	`case_status` text NOT NULL,
	`status` text NOT NULL,
	`reason` text,
	`origin` text NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	FOREIGN KEY (`case_id`) REFERENCES `cases`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `automated_sends_by_case` ON `automated_sends` (`case_id`,`due_at`,`id`);--> statement-breakpoint
CREATE INDEX `automated_sends_waiting` ON `automated_sends` (`case_id`,`due_at`,`id`) WHERE "automated_sends"."status" = 'pending';--> statement-breakpoint
CREATE INDEX `automated_sends_due` ON `automated_sends` (`due_at`,`id`) WHERE "automated_sends"."status" = 'pending';--> statement-breakpoint
CREATE INDEX `automated_sends_by_message` ON `automated_sends` (`message_id`) WHERE "automated_sends"."status" = 'pending';--> statement-breakpoint
CREATE TABLE `case_milestones` (
	`case_id` text NOT NULL,
	`activity_type_id` text NOT NULL,
	`activity_id` text NOT NULL,
	`done_at` text NOT NULL,
	`contact_id` text,
	`account_id` text,
	`team_id` integer,
	PRIMARY KEY(`case_id`, `activity_type_id`),
	FOREIGN KEY (`case_id`) REFERENCES `cases`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `case_milestones_by_contact` ON `case_milestones` (`activity_type_id`,`contact_id`,`team_id`);--> statement-breakpoint
CREATE INDEX `case_milestones_by_account` ON `case_milestones` (`activity_type_id`,`account_id`,`team_id`);--> statement-breakpoint
CREATE TABLE `case_numbers` (
	`company_id` integer PRIMARY KEY NOT NULL,
	`last` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `case_status_changes` (
	`id` text PRIMARY KEY NOT NULL,
	`case_id` text NOT NULL,
	`at` text NOT NULL,
	`from_status` text NOT NULL,
	`to_status` text NOT NULL,
	`reason` text,
	`user_id` integer,
	FOREIGN KEY (`case_id`) REFERENCES `cases`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `case_status_changes_by_case` ON `case_status_changes` (`case_id`,`at`,`id`);--> statement-breakpoint
CREATE TABLE `cases` (
	`seq` integer PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`company_id` integer NOT NULL,
	`case_number` integer NOT NULL,
	`team_id` integer,
	`user_id` integer,
	`account_id` text NOT NULL,
	`contact_id` text NOT NULL,
	`relations_path_id` text NOT NULL,
	`status` text DEFAULT 'open' NOT NULL,
	`chance_of_success` integer DEFAULT 0 NOT NULL,
	`estimated_close_date` text,
	`close_key` text GENERATED ALWAYS AS (ifnull(estimated_close_date, '~')) VIRTUAL,
	`decline_reason` text,
	`latest_activity_at` text,
	`latest_activity_id` text,
	`activity_count` integer DEFAULT 0 NOT NULL,
	`highest_milestone_id` text,
	`highest_milestone_type` text,
	`highest_milestone_at` text,
	`lead_id` text,
	`lead_type_id` text,
	`lead_source` text,
	`stock_vehicle_id` text,
	`important_key` text NOT NULL,
	`recent_key` text NOT NULL,
	`offer_value` real DEFAULT 0 NOT NULL,
	`product_ids` text DEFAULT '[]' NOT NULL,
	`effective_at` text DEFAULT '' NOT NULL,
	`created_by` integer,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`contact_id`) REFERENCES `contacts`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`relations_path_id`) REFERENCES `relations_paths`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `cases_id_unique` ON `cases` (`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `cases_number` ON `cases` (`company_id`,`case_number`);--> statement-breakpoint
CREATE INDEX `cases_by_important` ON `cases` (`company_id`,`important_key`,`id`);--> statement-breakpoint
CREATE INDEX `cases_by_team_important` ON `cases` (`company_id`,`team_id`,`important_key`,`id`);--> statement-breakpoint
CREATE INDEX `cases_by_recent` ON `cases` (`company_id`,`recent_key`,`id`);--> statement-breakpoint
CREATE INDEX `cases_by_team_recent` ON `cases` (`company_id`,`team_id`,`recent_key`,`id`);--> statement-breakpoint
CREATE INDEX `cases_by_status_important` ON `cases` (`company_id`,`status`,`important_key`,`id`);--> statement-breakpoint
CREATE INDEX `cases_by_team_status_important` ON `cases` (`company_id`,`team_id`,`status`,`important_key`,`id`);--> statement-breakpoint
CREATE INDEX `cases_by_account_important` ON `cases` (`company_id`,`account_id`,`important_key`,`id`);--> statement-breakpoint
CREATE INDEX `cases_by_team_created` ON `cases` (`company_id`,`team_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `cases_by_updated` ON `cases` (`company_id`,`updated_at`,`id`);--> statement-breakpoint
CREATE INDEX `cases_by_team_updated` ON `cases` (`company_id`,`team_id`,`updated_at`,`id`);--> statement-breakpoint
CREATE INDEX `cases_by_close` ON `cases` (`company_id`,`close_key`,`id`);--> statement-breakpoint
CREATE INDEX `cases_by_team_close` ON `cases` (`company_id`,`team_id`,`close_key`,`id`);--> statement-breakpoint
CREATE INDEX `cases_by_value` ON `cases` (`company_id`,`offer_value`,`id`);--> statement-breakpoint
CREATE INDEX `cases_by_team_value` ON `cases` (`company_id`,`team_id`,`offer_value`,`id`);--> statement-breakpoint
CREATE INDEX `cases_on_board` ON `cases` (`company_id`,`relations_path_id`,`highest_milestone_id`,`important_key`,`id`,`team_id`,`user_id`,`offer_value`,`chance_of_success`) WHERE "cases"."status" = 'open';--> statement-breakpoint
CREATE INDEX `cases_by_contact` ON `cases` (`contact_id`,`status`);--> statement-breakpoint
CREATE INDEX `cases_by_path` ON `cases` (`relations_path_id`);--> statement-breakpoint
CREATE INDEX `cases_by_stock_vehicle` ON `cases` (`company_id`,`stock_vehicle_id`) WHERE "cases"."stock_vehicle_id" is not null;--> statement-breakpoint
CREATE INDEX `cases_by_account` ON `cases` (`account_id`,`status`,`team_id`);--> statement-breakpoint
CREATE INDEX `cases_by_user_important` ON `cases` (`company_id`,`user_id`,`important_key`,`id`,`status`,`team_id`);--> statement-breakpoint
CREATE INDEX `cases_by_created` ON `cases` (`company_id`,`created_at`,`id`,`status`,`team_id`);--> statement-breakpoint
CREATE INDEX `cases_by_path_user` ON `cases` (`company_id`,`relations_path_id`,`user_id`,`created_at`,`highest_milestone_id`,`id`);--> statement-breakpoint
CREATE INDEX `cases_by_path_status` ON `cases` (`company_id`,`relations_path_id`,`status`,`team_id`);--> statement-breakpoint
CREATE INDEX `cases_by_lead_type` ON `cases` (`company_id`,`lead_type_id`,`status`,`team_id`);--> statement-breakpoint
CREATE INDEX `cases_by_lead_source` ON `cases` (`company_id`,`lead_source`,`status`,`team_id`) WHERE "cases"."lead_source" is not null;--> statement-breakpoint
CREATE INDEX `cases_by_milestone` ON `cases` (`company_id`,`highest_milestone_id`,`status`,`team_id`) WHERE "cases"."highest_milestone_id" is not null;--> statement-breakpoint
CREATE INDEX `cases_by_milestone_type` ON `cases` (`company_id`,`highest_milestone_type`,`status`,`team_id`) WHERE "cases"."highest_milestone_type" is not null;--> statement-breakpoint
CREATE INDEX `cases_by_milestone_at` ON `cases` (`company_id`,`highest_milestone_at`,`status`,`team_id`) WHERE "cases"."highest_milestone_at" is not null;--> statement-breakpoint
CREATE TABLE `product_categories` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`company_id` integer NOT NULL,
	`name` text NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `product_categories_by_created` ON `product_categories` (`company_id`,`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `lead_types` (
	`id` text PRIMARY KEY NOT NULL,
	`company_id` integer NOT NULL,
	`name` text NOT NULL,
	`folded` text,
	`relations_path_ids` text NOT NULL,
	`icon` text,
	`entity_type` text DEFAULT 'account' NOT NULL,
	`team_id` integer,
	`kept_for` integer,
	`escalation_accept` integer,
	`escalation_activity` integer,
	`escalation_ignore_weekends` integer DEFAULT 0 NOT NULL,
	`escalation_user_ids` text DEFAULT '[]' NOT NULL,
	`disabled` integer DEFAULT 0 NOT NULL,
	`highlighted` integer DEFAULT 0 NOT NULL,
	`team_settings` text DEFAULT '[]' NOT NULL,
	`created_by` integer,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `lead_types_by_created` ON `lead_types` (`company_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `lead_types_by_team` ON `lead_types` (`company_id`,`team_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `lead_types_by_kept` ON `lead_types` (`company_id`,`kept_for`,`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `lead_transitions` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`lead_id` text NOT NULL,
	`kind` text NOT NULL,
	`at` text NOT NULL,
	`team_id` integer,
	`user_id` integer,
	`made_by` integer,
	`rejection_reason` text,
	`escalation_type` text,
	`case_id` text,
	`account_id` text,
	`contact_id` text,
	`first_activity_at` text,
	`first_activity_by` integer,
	FOREIGN KEY (`lead_id`) REFERENCES `leads`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `lead_transitions_by_lead` ON `lead_transitions` (`lead_id`,`id`);--> statement-breakpoint
CREATE INDEX `lead_transitions_by_case` ON `lead_transitions` (`case_id`) WHERE "lead_transitions"."case_id" is not null;--> statement-breakpoint
CREATE INDEX `lead_transitions_by_team` ON `lead_transitions` (`team_id`,`kind`,`lead_id`);--> statement-breakpoint
CREATE TABLE `leads` (
	`seq` integer PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`company_id` integer NOT NULL,
	`lead_type_id` text NOT NULL,
	`team_id` integer,
	`user_id` integer,
	`agency_team_id` integer,
	`state` text NOT NULL,
	`status` text NOT NULL,
	`b2c` integer DEFAULT 0 NOT NULL,
	`interest` text,
	`lead_source` text NOT NULL,
	`lead_user` text,
	`product_ids` text DEFAULT '[]' NOT NULL,
	`lead_data` text DEFAULT '[]' NOT NULL,
	`account` text,
	`contact` text,
	`original_account_id` text,
	`original_contact_id` text,
	`account_id` text,
	`contact_id` text,
	`case_id` text,
	`expires_at` text,
	`hidden` integer DEFAULT 0 NOT NULL,
	`deleted_at` text,
	`folded` text,
	`words` text,
	`external_weight` integer DEFAULT 0 NOT NULL,
	`escalates_at` text,
	`countdown_key` text GENERATED ALWAYS AS (case when escalates_at is null then printf('~%012d', 253402300800 - unixepoch(created_at)) else escalates_at end) VIRTUAL,
	`created_by` integer,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`lead_type_id`) REFERENCES `lead_types`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `leads_id_unique` ON `leads` (`id`);--> statement-breakpoint
CREATE INDEX `leads_by_created` ON `leads` (`company_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `leads_by_team_created` ON `leads` (`company_id`,`team_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `leads_by_updated` ON `leads` (`company_id`,`updated_at`,`id`);--> statement-breakpoint
CREATE INDEX `leads_by_team_updated` ON `leads` (`company_id`,`team_id`,`updated_at`,`id`);--> statement-breakpoint
CREATE INDEX `leads_by_weight` ON `leads` (`company_id`,`external_weight`,`id`);--> statement-breakpoint
CREATE INDEX `leads_by_team_weight` ON `leads` (`company_id`,`team_id`,`external_weight`,`id`);--> statement-breakpoint
CREATE INDEX `leads_by_agency_updated` ON `leads` (`company_id`,`agency_team_id`,`updated_at`,`id`);--> statement-breakpoint
CREATE INDEX `leads_by_agency_weight` ON `leads` (`company_id`,`agency_team_id`,`external_weight`,`id`);--> statement-breakpoint
CREATE INDEX `leads_by_agency_created` ON `leads` (`company_id`,`agency_team_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `leads_by_countdown` ON `leads` (`company_id`,`countdown_key`,`id`);--> statement-breakpoint
CREATE INDEX `leads_by_team_countdown` ON `leads` (`company_id`,`team_id`,`countdown_key`,`id`);--> statement-breakpoint
CREATE INDEX `leads_by_agency_countdown` ON `leads` (`company_id`,`agency_team_id`,`countdown_key`,`id`);--> statement-breakpoint
CREATE INDEX `leads_by_exact_source` ON `leads` (`company_id`,`lead_source`,`team_id`,`agency_team_id`,`expires_at`) WHERE "leads"."hidden" = 0;--> statement-breakpoint
CREATE INDEX `leads_by_status` ON `leads` (`company_id`,`status`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `leads_waiting_by_updated` ON `leads` (`company_id`,`status`,`updated_at`,`id`) WHERE status in ('assignable', 'rejected', 'escalated', 'revoked');--> statement-breakpoint
CREATE INDEX `leads_waiting_by_weight` ON `leads` (`company_id`,`status`,`external_weight`,`id`) WHERE status in ('assignable', 'rejected', 'escalated', 'revoked');--> statement-breakpoint
CREATE INDEX `leads_waiting_by_agency_created` ON `leads` (`company_id`,`agency_team_id`,`status`,`created_at`,`id`) WHERE status in ('assignable', 'rejected', 'escalated', 'revoked');--> statement-breakpoint
CREATE INDEX `leads_waiting_by_agency_updated` ON `leads` (`company_id`,`agency_team_id`,`status`,`updated_at`,`id`) WHERE status in ('assignable', 'rejected', 'escalated', 'revoked');--> statement-breakpoint
CREATE INDEX `leads_waiting_by_agency_weight` ON `leads` (`company_id`,`agency_team_id`,`status`,`external_weight`,`id`) WHERE status in ('assignable', 'rejected', 'escalated', 'revoked');--> statement-breakpoint
CREATE INDEX `leads_waiting_by_team` ON `leads` (`company_id`,`team_id`,`status`) WHERE status in ('assignable', 'rejected', 'escalated', 'revoked');--> statement-breakpoint
CREATE INDEX `leads_due` ON `leads` (`escalates_at`) WHERE "leads"."escalates_at" is not null;--> statement-breakpoint
CREATE INDEX `leads_expiring` ON `leads` (`expires_at`) WHERE "leads"."expires_at" is not null and "leads"."hidden" = 0;--> statement-breakpoint
CREATE INDEX `leads_of_account` ON `leads` (case when account_id is null then original_account_id else account_id end);--> statement-breakpoint
CREATE INDEX `leads_of_contact` ON `leads` (case when contact_id is null then original_contact_id else contact_id end);--> statement-breakpoint
CREATE INDEX `leads_by_type` ON `leads` (`lead_type_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `leads_not_accepted` ON `leads` (`company_id`,`team_id`,`state`,`escalates_at`,`expires_at`) WHERE "leads"."hidden" = 0 and state in ('assignable', 'assigned', 'rejected', 'escalated', 'called', 'revoked');--> statement-breakpoint
CREATE INDEX `leads_of_user` ON `leads` (`company_id`,`user_id`,`team_id`,`agency_team_id`,`expires_at`) WHERE "leads"."hidden" = 0 and "leads"."user_id" is not null;--> statement-breakpoint
CREATE INDEX `leads_by_user` ON `leads` (`company_id`,`user_id`) WHERE "leads"."user_id" is not null;--> statement-breakpoint
CREATE INDEX `leads_by_source` ON `leads` (`company_id`,case when folded ->> 'lead_source' is null then lower(lead_source) else folded ->> 'lead_source' end);--> statement-breakpoint
CREATE INDEX `leads_by_interest` ON `leads` (`company_id`,case when folded ->> 'interest' is null then lower(interest) else folded ->> 'interest' end) WHERE case when folded ->> 'interest' is null then lower(interest) else folded ->> 'interest' end is not null;--> statement-breakpoint
CREATE INDEX `leads_by_expiry` ON `leads` (`company_id`,`expires_at`) WHERE "leads"."expires_at" is not null;--> statement-breakpoint
CREATE INDEX `leads_by_deletion` ON `leads` (`company_id`,`deleted_at`) WHERE "leads"."deleted_at" is not null;--> statement-breakpoint
CREATE INDEX `leads_without_words` ON `leads` (`seq`) WHERE "leads"."words" is null;--> statement-breakpoint
CREATE INDEX `leads_by_case` ON `leads` (`case_id`) WHERE "leads"."case_id" is not null;--> statement-breakpoint
CREATE INDEX `leads_by_account` ON `leads` (`account_id`) WHERE "leads"."account_id" is not null;--> statement-breakpoint
CREATE INDEX `leads_by_contact` ON `leads` (`contact_id`) WHERE "leads"."contact_id" is not null;--> statement-breakpoint
CREATE INDEX `leads_by_original_account` ON `leads` (`original_account_id`) WHERE "leads"."original_account_id" is not null;--> statement-breakpoint
CREATE INDEX `leads_by_original_contact` ON `leads` (`original_contact_id`) WHERE "leads"."original_contact_id" is not null;--> statement-breakpoint
CREATE TABLE `notes` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`company_id` integer NOT NULL,
	`team_id` integer,
	`note` text NOT NULL,
	`user_id` integer NOT NULL,
	`case_id` text,
	`activity_id` text,
	`contact_id` text,
	`account_id` text,
	`mentions` integer DEFAULT 0 NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`case_id`) REFERENCES `cases`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`activity_id`) REFERENCES `activities`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`contact_id`) REFERENCES `contacts`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `notes_by_created` ON `notes` (`company_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `notes_by_team_created` ON `notes` (`company_id`,`team_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `notes_by_case` ON `notes` (`case_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `notes_by_activity` ON `notes` (`activity_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `notes_by_account` ON `notes` (`account_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `notes_by_contact` ON `notes` (`contact_id`,`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `products` (
	`seq` integer PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`company_id` integer NOT NULL,
	`name` text NOT NULL,
	`list_price` real,
	`purchase_price` real,
	`type` text,
	`tax` real,
	`custom` text DEFAULT '{}' NOT NULL,
	`created_by` integer,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `products_id_unique` ON `products` (`id`);--> statement-breakpoint
CREATE INDEX `products_by_created` ON `products` (`company_id`,`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `products_in_categories` (
	`product_id` text NOT NULL,
	`category_id` integer NOT NULL,
	`place` integer NOT NULL,
	PRIMARY KEY(`product_id`, `category_id`),
	FOREIGN KEY (`product_id`) REFERENCES `products`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`category_id`) REFERENCES `product_categories`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `products_in_categories_by_category` ON `products_in_categories` (`category_id`,`product_id`);--> statement-breakpoint
CREATE TABLE `related_products` (
	`product_id` text NOT NULL,
	`related_id` text NOT NULL,
	`place` integer NOT NULL,
	PRIMARY KEY(`product_id`, `related_id`),
	FOREIGN KEY (`product_id`) REFERENCES `products`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`related_id`) REFERENCES `products`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `related_products_by_related` ON `related_products` (`related_id`,`product_id`);--> statement-breakpoint
CREATE TABLE `activity_types` (
	`id` text PRIMARY KEY NOT NULL,
	`company_id` integer NOT NULL,
	`relations_path_id` text NOT NULL,
	`is_milestone` integer DEFAULT 0 NOT NULL,
	`name` text NOT NULL,
	`description` text,
	`type` text,
	`sort_order` integer NOT NULL,
	`set_status` text,
	`suggest_task_after` integer,
	`template_id` integer,
	`content_suggestions` text DEFAULT '[]' NOT NULL,
	`extra_step_id` text,
	`extra_step_name` text,
	`additional_steps` text DEFAULT '[]' NOT NULL,
	`automated_communications` text DEFAULT '[]' NOT NULL,
	`chance_of_success` integer,
	`retired_at` text,
	FOREIGN KEY (`relations_path_id`) REFERENCES `relations_paths`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `activity_types_by_path` ON `activity_types` (`relations_path_id`,`is_milestone`,`sort_order`);--> statement-breakpoint
CREATE INDEX `activity_types_by_template` ON `activity_types` (`company_id`,`template_id`) WHERE "activity_types"."template_id" is not null;--> statement-breakpoint
CREATE INDEX `activity_types_with_automated` ON `activity_types` (`company_id`) WHERE "activity_types"."automated_communications" <> '[]';--> statement-breakpoint
CREATE INDEX `activity_types_by_type` ON `activity_types` (`company_id`,`type`) WHERE "activity_types"."type" is not null;--> statement-breakpoint
CREATE TABLE `relations_paths` (
	`id` text PRIMARY KEY NOT NULL,
	`company_id` integer NOT NULL,
	`team_id` integer,
	`group_id` integer,
	`owner` text GENERATED ALWAYS AS (coalesce('t' || team_id, 'g' || group_id, '')) VIRTUAL,
	`kept_for` integer,
	`reader` text GENERATED ALWAYS AS (iif(kept_for is null, owner, 'k' || kept_for)) VIRTUAL,
	`name` text NOT NULL,
	`is_sales_type` integer DEFAULT 0 NOT NULL,
	`bytes` integer DEFAULT 0 NOT NULL,
	`created_by` integer,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `relations_paths_by_created` ON `relations_paths` (`company_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `relations_paths_by_owner` ON `relations_paths` (`company_id`,`owner`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `relations_paths_by_reader` ON `relations_paths` (`company_id`,`reader`,`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `tasks` (
	`id` text PRIMARY KEY NOT NULL,
	`company_id` integer NOT NULL,
	`case_id` text NOT NULL,
	`team_id` integer,
	`activity_id` text,
	`type` text NOT NULL,
	`user_id` integer,
	`start_at` text NOT NULL,
	`end_at` text NOT NULL,
	`note` text,
	`completed_at` text,
	`stage` text DEFAULT 'pending' NOT NULL,
	`stage_ends_at` text GENERATED ALWAYS AS (case stage when 'later' then start_at when 'pending' then end_at end) VIRTUAL,
	`span` integer GENERATED ALWAYS AS (length(printf('%o', unixepoch(end_at) - unixepoch(start_at)))) VIRTUAL,
	`created_by` integer,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	FOREIGN KEY (`case_id`) REFERENCES `cases`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `tasks_by_case` ON `tasks` (`case_id`,`start_at`,`id`);--> statement-breakpoint
CREATE INDEX `tasks_by_case_created` ON `tasks` (`case_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `tasks_open_by_user` ON `tasks` (`company_id`,`user_id`,`start_at`) WHERE "tasks"."completed_at" is null;--> statement-breakpoint
CREATE INDEX `tasks_by_start` ON `tasks` (`company_id`,`start_at`,`id`);--> statement-breakpoint
CREATE INDEX `tasks_by_team_start` ON `tasks` (`company_id`,`team_id`,`start_at`,`id`);--> statement-breakpoint
CREATE INDEX `tasks_by_user_start` ON `tasks` (`company_id`,`user_id`,`start_at`,`id`);--> statement-breakpoint
CREATE INDEX `tasks_by_stage` ON `tasks` (`company_id`,`stage`,`start_at`,`id`);--> statement-breakpoint
CREATE INDEX `tasks_by_team_stage` ON `tasks` (`company_id`,`team_id`,`stage`,`start_at`,`id`);--> statement-breakpoint
CREATE INDEX `tasks_by_end` ON `tasks` (`company_id`,`end_at`,`id`);--> statement-breakpoint
CREATE INDEX `tasks_by_team_end` ON `tasks` (`company_id`,`team_id`,`end_at`,`id`);--> statement-breakpoint
CREATE INDEX `tasks_by_stage_and_end` ON `tasks` (`company_id`,`stage`,`end_at`,`id`);--> statement-breakpoint
CREATE INDEX `tasks_by_team_stage_and_end` ON `tasks` (`company_id`,`team_id`,`stage`,`end_at`,`id`);--> statement-breakpoint
CREATE INDEX `tasks_by_span` ON `tasks` (`company_id`,`span`,`start_at`,`end_at`);--> statement-breakpoint
CREATE INDEX `tasks_overdue_until` ON `tasks` (`company_id`,`end_at`) WHERE "tasks"."stage" = 'overdue';--> statement-breakpoint
CREATE INDEX `tasks_by_stage_end` ON `tasks` (`stage_ends_at`,`id`) WHERE "tasks"."stage_ends_at" is not null;--> statement-breakpoint
CREATE TABLE `timeline_events` (
	`id` text PRIMARY KEY NOT NULL,
	`company_id` integer NOT NULL,
	`case_id` text NOT NULL,
	`user_id` integer,
	`type` text,
	`title` text NOT NULL,
	`content` text,
	`occurred_at` text NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	FOREIGN KEY (`case_id`) REFERENCES `cases`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `timeline_events_by_case` ON `timeline_events` (`case_id`,`occurred_at`,`id`);--> statement-breakpoint
CREATE TABLE `set_aside` (
	`queue` text NOT NULL,
	`record` text NOT NULL,
	`company_id` integer NOT NULL,
	`version` integer,
	`attempts` integer NOT NULL,
	`error` text NOT NULL,
	`due_at` integer NOT NULL,
	PRIMARY KEY(`queue`, `record`)
);
--> statement-breakpoint
CREATE INDEX `set_aside_by_company` ON `set_aside` (`company_id`);--> statement-breakpoint
CREATE TABLE `staged_work` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`company_id` integer NOT NULL,
	`kind` text NOT NULL,
	`subject` text NOT NULL,
	`payload` text DEFAULT '{}' NOT NULL,
	`holder` text,
	`lease_until` integer DEFAULT 0 NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`error` text,
	`due_at` integer DEFAULT 0 NOT NULL,
	`created_at` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `staged_work_subject` ON `staged_work` (`kind`,`subject`);--> statement-breakpoint
CREATE INDEX `staged_work_by_company` ON `staged_work` (`company_id`,`kind`);