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
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `applications_by_company` ON `applications` (`company_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `applications_by_user` ON `applications` (`user_id`);--> statement-breakpoint
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
CREATE TABLE `case_milestones` (
	`case_id` text NOT NULL,
	`activity_type_id` text NOT NULL,
	`activity_id` text NOT NULL,
	`done_at` text NOT NULL,
	PRIMARY KEY(`case_id`, `activity_type_id`),
	FOREIGN KEY (`case_id`) REFERENCES `cases`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `case_milestones_by_type` ON `case_milestones` (`activity_type_id`,`case_id`);--> statement-breakpoint
CREATE TABLE `case_numbers` (
	`company_id` integer PRIMARY KEY NOT NULL,
	`last` integer NOT NULL
);
--> statement-breakpoint
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
CREATE INDEX `cases_by_user_important` ON `cases` (`company_id`,`user_id`,`important_key`,`id`);--> statement-breakpoint
CREATE INDEX `cases_by_created` ON `cases` (`company_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `cases_by_account` ON `cases` (`account_id`,`status`);--> statement-breakpoint
CREATE INDEX `cases_by_contact` ON `cases` (`contact_id`,`status`);--> statement-breakpoint
CREATE INDEX `cases_by_path` ON `cases` (`relations_path_id`);--> statement-breakpoint
CREATE INDEX `cases_by_stock_vehicle` ON `cases` (`company_id`,`stock_vehicle_id`) WHERE "cases"."stock_vehicle_id" is not null;--> statement-breakpoint
CREATE INDEX `cases_by_lead_type` ON `cases` (`company_id`,`lead_type_id`) WHERE "cases"."lead_type_id" is not null;--> statement-breakpoint
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
CREATE INDEX `companies_deleted` ON `companies` (`deleted_at`) WHERE "companies"."deleted_at" is not null;--> statement-breakpoint
CREATE TABLE `json_pool` (
	`name` text PRIMARY KEY NOT NULL,
	`text` text NOT NULL
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
CREATE UNIQUE INDEX `contacts_b2c_single` ON `contacts` (`account_id`) WHERE "contacts"."b2c" = 1;--> statement-breakpoint
CREATE TABLE `deliveries` (
	`id` text PRIMARY KEY NOT NULL,
	`company_id` integer NOT NULL,
	`webhook_id` integer NOT NULL,
	`event_id` text NOT NULL,
	`status` text DEFAULT 'pending' NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`due_at` integer NOT NULL,
	`response_status` integer,
	`error` text,
	`duration_ms` integer,
	`created_at` text NOT NULL,
	`delivered_at` text,
	FOREIGN KEY (`webhook_id`) REFERENCES `webhooks`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`event_id`) REFERENCES `outbox`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `deliveries_due` ON `deliveries` (`webhook_id`,`due_at`) WHERE "deliveries"."status" = 'pending';--> statement-breakpoint
CREATE INDEX `deliveries_by_webhook` ON `deliveries` (`webhook_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `deliveries_by_event` ON `deliveries` (`event_id`);--> statement-breakpoint
CREATE INDEX `deliveries_by_age` ON `deliveries` (`created_at`);--> statement-breakpoint
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
CREATE TABLE `event_sequences` (
	`company_id` integer NOT NULL,
	`entity_type` text NOT NULL,
	`entity_id` text NOT NULL,
	`last` integer NOT NULL,
	PRIMARY KEY(`company_id`, `entity_type`, `entity_id`)
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
CREATE TABLE `handovers` (
	`user_id` integer PRIMARY KEY NOT NULL,
	`company_id` integer NOT NULL,
	`heir_id` integer NOT NULL,
	`created_at` text NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`heir_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
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
CREATE TABLE `lead_types` (
	`id` text PRIMARY KEY NOT NULL,
	`company_id` integer NOT NULL,
	`team_id` integer,
	`name` text NOT NULL,
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
CREATE INDEX `leads_due` ON `leads` (`escalates_at`) WHERE "leads"."escalates_at" is not null;--> statement-breakpoint
CREATE INDEX `leads_expiring` ON `leads` (`expires_at`) WHERE "leads"."expires_at" is not null and "leads"."hidden" = 0;--> statement-breakpoint
CREATE INDEX `leads_by_case` ON `leads` (`case_id`) WHERE "leads"."case_id" is not null;--> statement-breakpoint
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
	`created_at` text NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `mails_expiring` ON `mails` (`expires_at`);--> statement-breakpoint
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
CREATE INDEX `outbox_by_company` ON `outbox` (`company_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `outbox_by_entity` ON `outbox` (`entity_id`,`sequence`);--> statement-breakpoint
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
CREATE TABLE `relations_paths` (
	`id` text PRIMARY KEY NOT NULL,
	`company_id` integer NOT NULL,
	`team_id` integer,
	`group_id` integer,
	`owner` text GENERATED ALWAYS AS (coalesce('t' || team_id, 'g' || group_id, '')) VIRTUAL,
	`name` text NOT NULL,
	`is_sales_type` integer DEFAULT 0 NOT NULL,
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
CREATE TABLE `tasks` (
	`id` text PRIMARY KEY NOT NULL,
	`company_id` integer NOT NULL,
	`case_id` text NOT NULL,
	`activity_id` text,
	`type` text NOT NULL,
	`user_id` integer,
	`start_at` text NOT NULL,
	`end_at` text NOT NULL,
	`note` text,
	`completed_at` text,
	`created_by` integer,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	FOREIGN KEY (`case_id`) REFERENCES `cases`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `tasks_by_case` ON `tasks` (`case_id`,`start_at`,`id`);--> statement-breakpoint
CREATE INDEX `tasks_open_by_user` ON `tasks` (`company_id`,`user_id`,`start_at`) WHERE "tasks"."completed_at" is null;--> statement-breakpoint
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
	`created_by` integer,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`group_id`) REFERENCES `groups`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `teams_by_created` ON `teams` (`company_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `teams_by_group` ON `teams` (`group_id`,`id`);--> statement-breakpoint
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
	`gone` integer DEFAULT 0 NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `webhooks_url` ON `webhooks` (`company_id`,`target_url`) WHERE "webhooks"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX `webhooks_by_company` ON `webhooks` (`company_id`);--> statement-breakpoint
CREATE INDEX `webhooks_live` ON `webhooks` (`company_id`,`event_name`) WHERE "webhooks"."deleted_at" is null and "webhooks"."paused_at" is null;