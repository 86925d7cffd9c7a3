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
CREATE TABLE `accounts` (
	`seq` integer PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`company_id` integer NOT NULL,
	`team_id` integer,
	`user_id` integer,
	`b2c` integer DEFAULT 0 NOT NULL,
	`external_id` text,
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
CREATE TABLE `accounts_trigrams_stale` (
	`key` integer PRIMARY KEY NOT NULL
);
--> statement-breakpoint
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
CREATE INDEX `activity_types_by_type` ON `activity_types` (`company_id`,`type`) WHERE "activity_types"."type" is not null;--> statement-breakpoint
CREATE TABLE `ageing` (
	`id` integer PRIMARY KEY NOT NULL,
	`reached` integer NOT NULL
);
--> statement-breakpoint
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
CREATE TABLE `caller_changes` (
	`id` integer PRIMARY KEY NOT NULL,
	`n` integer NOT NULL
);
--> statement-breakpoint
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
CREATE INDEX `cases_by_contact` ON `cases` (`contact_id`,`status`);--> statement-breakpoint
CREATE INDEX `cases_by_path` ON `cases` (`relations_path_id`);--> statement-breakpoint
CREATE INDEX `cases_by_stock_vehicle` ON `cases` (`company_id`,`stock_vehicle_id`) WHERE "cases"."stock_vehicle_id" is not null;--> statement-breakpoint
CREATE INDEX `cases_by_account` ON `cases` (`account_id`,`status`,`team_id`);--> statement-breakpoint
CREATE INDEX `cases_by_user_important` ON `cases` (`company_id`,`user_id`,`important_key`,`id`,`status`,`team_id`);--> statement-breakpoint
CREATE INDEX `cases_by_created` ON `cases` (`company_id`,`created_at`,`id`,`status`,`team_id`);--> statement-breakpoint
CREATE INDEX `cases_by_path_status` ON `cases` (`company_id`,`relations_path_id`,`status`,`team_id`);--> statement-breakpoint
CREATE INDEX `cases_by_lead_type` ON `cases` (`company_id`,`lead_type_id`,`status`,`team_id`);--> statement-breakpoint
CREATE INDEX `cases_by_lead_source` ON `cases` (`company_id`,`lead_source`,`status`,`team_id`) WHERE "cases"."lead_source" is not null;--> statement-breakpoint
CREATE INDEX `cases_by_milestone` ON `cases` (`company_id`,`highest_milestone_id`,`status`,`team_id`) WHERE "cases"."highest_milestone_id" is not null;--> statement-breakpoint
CREATE INDEX `cases_by_milestone_type` ON `cases` (`company_id`,`highest_milestone_type`,`status`,`team_id`) WHERE "cases"."highest_milestone_type" is not null;--> statement-breakpoint
CREATE INDEX `cases_by_milestone_at` ON `cases` (`company_id`,`highest_milestone_at`,`status`,`team_id`) WHERE "cases"."highest_milestone_at" is not null;--> statement-breakpoint
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
	`support` integer DEFAULT 0 NOT NULL,
	`plan_id` integer DEFAULT 1 NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`deleted_at` text,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE `contacts` (
	`seq` integer PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`company_id` integer NOT NULL,
	`account_id` text NOT NULL,
	`team_id` integer,
	`b2c` integer DEFAULT 0 NOT NULL,
	`user_id` integer,
	`external_id` text,
	`status` text DEFAULT 'lead' NOT NULL,
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
	`last_activity_at` text NOT NULL,
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
CREATE INDEX `contacts_folded_last_name` ON `contacts` (`company_id`,case when folded ->> 'last_name' is null then lower(last_name) else folded ->> 'last_name' end,`created_at`,`b2c`,`team_id`) WHERE case when folded ->> 'last_name' is null then lower(last_name) else folded ->> 'last_name' end is not null;--> statement-breakpoint
CREATE INDEX `contacts_folded_email` ON `contacts` (`company_id`,case when folded ->> 'email' is null then lower(email) else folded ->> 'email' end,`b2c`) WHERE case when folded ->> 'email' is null then lower(email) else folded ->> 'email' end is not null;--> statement-breakpoint
CREATE INDEX `contacts_folded_phone_number` ON `contacts` (`company_id`,case when folded ->> 'phone_number' is null then lower(phone_number) else folded ->> 'phone_number' end,`b2c`) WHERE case when folded ->> 'phone_number' is null then lower(phone_number) else folded ->> 'phone_number' end is not null;--> statement-breakpoint
CREATE INDEX `contacts_folded_title` ON `contacts` (`company_id`,case when folded ->> 'title' is null then lower(title) else folded ->> 'title' end,`b2c`) WHERE case when folded ->> 'title' is null then lower(title) else folded ->> 'title' end is not null;--> statement-breakpoint
CREATE INDEX `contacts_by_status` ON `contacts` (`company_id`,`status`,`b2c`);--> statement-breakpoint
CREATE UNIQUE INDEX `contacts_b2c_single` ON `contacts` (`account_id`) WHERE "contacts"."b2c" = 1;--> statement-breakpoint
CREATE TABLE `contacts_trigrams_stale` (
	`key` integer PRIMARY KEY NOT NULL
);
--> statement-breakpoint
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
	`hidden_fields` text,
	FOREIGN KEY (`webhook_id`) REFERENCES `webhooks`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`event_id`) REFERENCES `outbox`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `deliveries_due` ON `deliveries` (`webhook_id`,`due_at`) WHERE "deliveries"."status" = 'pending';--> statement-breakpoint
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
CREATE TABLE `event_sequences` (
	`company_id` integer NOT NULL,
	`entity_type` text NOT NULL,
	`entity_id` text NOT NULL,
	`last` integer NOT NULL,
	PRIMARY KEY(`company_id`, `entity_type`, `entity_id`)
);
--> statement-breakpoint
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
CREATE TABLE `invitations` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`company_id` integer NOT NULL,
	`email` text NOT NULL,
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
CREATE TABLE `lead_transitions` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`lead_id` text NOT NULL,
	`kind` text NOT NULL,
	`at` text NOT NULL,
	`team_id` integer,
	`user_id` integer,
	`rejection_reason` text,
	`escalation_type` text,
	`case_id` text,
	`account_id` text,
	`contact_id` text,
	`first_activity_at` text,
	FOREIGN KEY (`lead_id`) REFERENCES `leads`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `lead_transitions_by_lead` ON `lead_transitions` (`lead_id`,`id`);--> statement-breakpoint
CREATE INDEX `lead_transitions_by_case` ON `lead_transitions` (`case_id`) WHERE "lead_transitions"."case_id" is not null;--> statement-breakpoint
CREATE INDEX `lead_transitions_by_team` ON `lead_transitions` (`team_id`,`kind`,`lead_id`);--> statement-breakpoint
CREATE TABLE `lead_types` (
	`id` text PRIMARY KEY NOT NULL,
	`company_id` integer NOT NULL,
	`team_id` integer,
	`name` text NOT NULL,
	`folded` text,
	`icon` text,
	`entity_type` text DEFAULT 'account' NOT NULL,
	`relations_path_ids` text NOT NULL,
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
	`external_weight` integer DEFAULT 0 NOT NULL,
	`escalates_at` text,
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
CREATE INDEX `leads_by_user` ON `leads` (`company_id`,`user_id`) WHERE "leads"."user_id" is not null;--> statement-breakpoint
CREATE INDEX `leads_by_source` ON `leads` (`company_id`,case when folded ->> 'lead_source' is null then lower(lead_source) else folded ->> 'lead_source' end);--> statement-breakpoint
CREATE INDEX `leads_by_interest` ON `leads` (`company_id`,case when folded ->> 'interest' is null then lower(interest) else folded ->> 'interest' end) WHERE case when folded ->> 'interest' is null then lower(interest) else folded ->> 'interest' end is not null;--> statement-breakpoint
CREATE INDEX `leads_by_expiry` ON `leads` (`company_id`,`expires_at`) WHERE "leads"."expires_at" is not null;--> statement-breakpoint
CREATE INDEX `leads_by_deletion` ON `leads` (`company_id`,`deleted_at`) WHERE "leads"."deleted_at" is not null;--> statement-breakpoint
CREATE INDEX `leads_by_case` ON `leads` (`case_id`) WHERE "leads"."case_id" is not null;--> statement-breakpoint
CREATE INDEX `leads_by_account` ON `leads` (`account_id`) WHERE "leads"."account_id" is not null;--> statement-breakpoint
CREATE INDEX `leads_by_contact` ON `leads` (`contact_id`) WHERE "leads"."contact_id" is not null;--> statement-breakpoint
CREATE INDEX `leads_by_original_account` ON `leads` (`original_account_id`) WHERE "leads"."original_account_id" is not null;--> statement-breakpoint
CREATE INDEX `leads_by_original_contact` ON `leads` (`original_contact_id`) WHERE "leads"."original_contact_id" is not null;--> statement-breakpoint
CREATE TABLE `leases` (
	`name` text PRIMARY KEY NOT NULL,
	`holder` text NOT NULL,
	`until` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `mails` (
	`id` text PRIMARY KEY NOT NULL,
	`to_address` text NOT NULL,
	`subject` text NOT NULL,
	`body` text NOT NULL,
	`status` text DEFAULT 'kept' NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`due_at` integer,
	`error` text,
	`created_at` text NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `mails_expiring` ON `mails` (`expires_at`);--> statement-breakpoint
CREATE INDEX `mails_due` ON `mails` (`due_at`,`id`) WHERE "mails"."status" = 'pending';--> statement-breakpoint
CREATE TABLE `notes` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`company_id` integer NOT NULL,
	`team_id` integer,
	`user_id` integer NOT NULL,
	`note` text NOT NULL,
	`case_id` text,
	`activity_id` text,
	`account_id` text,
	`contact_id` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`case_id`) REFERENCES `cases`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`activity_id`) REFERENCES `activities`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`contact_id`) REFERENCES `contacts`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `notes_by_created` ON `notes` (`company_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `notes_by_team_created` ON `notes` (`company_id`,`team_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `notes_by_case` ON `notes` (`case_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `notes_by_activity` ON `notes` (`activity_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `notes_by_account` ON `notes` (`account_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `notes_by_contact` ON `notes` (`contact_id`,`created_at`,`id`);--> statement-breakpoint
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
	`unsent` integer NOT NULL,
	`expires_at` integer,
	`created_at` text NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `notifications_id_unique` ON `notifications` (`id`);--> statement-breakpoint
CREATE INDEX `notifications_by_user` ON `notifications` (`user_id`,`seq`);--> statement-breakpoint
CREATE INDEX `notifications_unread` ON `notifications` (`user_id`,`seq`) WHERE "notifications"."read_at" is null and "notifications"."expires_at" is null;--> statement-breakpoint
CREATE INDEX `notifications_unsent` ON `notifications` (`seq`) WHERE "notifications"."unsent" > 0;--> statement-breakpoint
CREATE INDEX `notifications_expiring` ON `notifications` (`expires_at`) WHERE "notifications"."expires_at" is not null;--> statement-breakpoint
CREATE TABLE `objects` (
	`key` text PRIMARY KEY NOT NULL,
	`company_id` integer NOT NULL,
	`type` text NOT NULL,
	`bytes` integer NOT NULL,
	`removed_from` integer,
	`created_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `objects_by_company` ON `objects` (`company_id`);--> statement-breakpoint
CREATE INDEX `objects_to_remove` ON `objects` (`removed_from`) WHERE "objects"."removed_from" is not null;--> statement-breakpoint
CREATE TABLE `outbox` (
	`id` text PRIMARY KEY NOT NULL,
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
	`created_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `outbox_by_company` ON `outbox` (`company_id`);--> statement-breakpoint
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
CREATE TABLE `pushes` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`notification_seq` integer NOT NULL,
	`device_id` integer NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`due_at` integer NOT NULL,
	FOREIGN KEY (`notification_seq`) REFERENCES `notifications`(`seq`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`device_id`) REFERENCES `devices`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `pushes_due` ON `pushes` (`due_at`,`id`);--> statement-breakpoint
CREATE INDEX `pushes_by_notification` ON `pushes` (`notification_seq`);--> statement-breakpoint
CREATE INDEX `pushes_by_device` ON `pushes` (`device_id`);--> statement-breakpoint
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
CREATE TABLE `refresh_tokens` (
	`hash` text PRIMARY KEY NOT NULL,
	`client_id` text NOT NULL,
	`user_id` integer NOT NULL,
	`family_id` text NOT NULL,
	`expires_at` integer NOT NULL,
	`used_at` integer,
	`created_at` text NOT NULL,
	FOREIGN KEY (`client_id`) REFERENCES `applications`(`client_id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `refresh_tokens_by_client` ON `refresh_tokens` (`client_id`);--> statement-breakpoint
CREATE INDEX `refresh_tokens_by_family` ON `refresh_tokens` (`family_id`);--> statement-breakpoint
CREATE INDEX `refresh_tokens_by_user` ON `refresh_tokens` (`user_id`);--> statement-breakpoint
CREATE INDEX `refresh_tokens_by_expiry` ON `refresh_tokens` (`expires_at`);--> statement-breakpoint
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
CREATE TABLE `relations_paths` (
	`id` text PRIMARY KEY NOT NULL,
	`company_id` integer NOT NULL,
	`team_id` integer,
	`group_id` integer,
	`owner` text GENERATED ALWAYS AS (coalesce('t' || team_id, 'g' || group_id, '')) VIRTUAL,
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
CREATE TABLE `saved_filters` (
	`id` text PRIMARY KEY NOT NULL,
	`company_id` integer NOT NULL,
	`kind` text NOT NULL,
	`team_id` integer,
	`name` text NOT NULL,
	`filter` text NOT NULL,
	`created_by` integer,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `saved_filters_by_created` ON `saved_filters` (`company_id`,`kind`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `saved_filters_by_team` ON `saved_filters` (`company_id`,`team_id`,`kind`,`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `sessions` (
	`hash` text PRIMARY KEY NOT NULL,
	`user_id` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`created_at` text NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `sessions_by_user` ON `sessions` (`user_id`);--> statement-breakpoint
CREATE INDEX `sessions_by_expiry` ON `sessions` (`expires_at`);--> statement-breakpoint
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
CREATE INDEX `staged_work_by_company` ON `staged_work` (`company_id`,`kind`);--> statement-breakpoint
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
CREATE INDEX `tasks_by_span` ON `tasks` (`company_id`,`span`,`start_at`,`end_at`);--> statement-breakpoint
CREATE INDEX `tasks_overdue_until` ON `tasks` (`company_id`,`end_at`) WHERE "tasks"."stage" = 'overdue';--> statement-breakpoint
CREATE INDEX `tasks_by_stage_end` ON `tasks` (`stage_ends_at`,`id`) WHERE "tasks"."stage_ends_at" is not null;--> statement-breakpoint
CREATE TABLE `team_members` (
	`user_id` integer NOT NULL,
	`team_id` integer NOT NULL,
	PRIMARY KEY(`user_id`, `team_id`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`team_id`) REFERENCES `teams`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `team_members_by_team` ON `team_members` (`team_id`,`user_id`);--> statement-breakpoint
CREATE TABLE `teams` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`company_id` integer NOT NULL,
	`group_id` integer,
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
CREATE TABLE `user_roles` (
	`user_id` integer NOT NULL,
	`role_id` integer NOT NULL,
	PRIMARY KEY(`user_id`, `role_id`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`role_id`) REFERENCES `roles`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `user_roles_by_role` ON `user_roles` (`role_id`,`user_id`);--> statement-breakpoint
CREATE TABLE `users` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`company_id` integer NOT NULL,
	`first_name` text NOT NULL,
	`last_name` text NOT NULL,
	`email` text NOT NULL,
	`email_key` text NOT NULL,
	`phone_number` text,
	`job_title` text,
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
CREATE TABLE `webhooks` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`company_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`target_url` text NOT NULL,
	`event_name` text NOT NULL,
	`verification_token` text,
	`previous_token` text,
	`previous_token_until` integer,
	`scope` text DEFAULT 'global' NOT NULL,
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
CREATE INDEX `webhooks_by_company` ON `webhooks` (`company_id`);--> statement-breakpoint
CREATE INDEX `webhooks_by_event` ON `webhooks` (`company_id`,`event_name`) WHERE "webhooks"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX `webhooks_failing` ON `webhooks` (`failing_since`) WHERE "webhooks"."failing_since" is not null;--> statement-breakpoint
CREATE INDEX `webhooks_rotating` ON `webhooks` (`previous_token_until`) WHERE "webhooks"."previous_token_until" is not null;