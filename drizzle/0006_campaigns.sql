CREATE TABLE `campaign_messages` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`company_id` integer NOT NULL,
	`campaign_id` text NOT NULL,
	`contact_id` text NOT NULL,
	`team_id` integer,
	`email` text,
	`email_key` text,
	`status` text NOT NULL,
	`due_at` integer DEFAULT 0 NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`error` text,
	`values` text,
	`subject` text,
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
CREATE INDEX `campaign_messages_by_status` ON `campaign_messages` (`campaign_id`,`status`,`id`);--> statement-breakpoint
CREATE INDEX `campaign_messages_due` ON `campaign_messages` (`campaign_id`,`due_at`,`id`) WHERE "campaign_messages"."status" = 'pending';--> statement-breakpoint
CREATE INDEX `campaign_messages_untried` ON `campaign_messages` (`campaign_id`) WHERE "campaign_messages"."status" = 'pending' and "campaign_messages"."error" is null;--> statement-breakpoint
CREATE INDEX `campaign_messages_by_contact` ON `campaign_messages` (`contact_id`);--> statement-breakpoint
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
CREATE TABLE `campaigns` (
	`seq` integer PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`company_id` integer NOT NULL,
	`team_id` integer,
	`group_id` integer,
	`owner` text GENERATED ALWAYS AS (coalesce('t' || team_id, 'g' || group_id, '')) VIRTUAL,
	`user_id` integer NOT NULL,
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
CREATE INDEX `campaigns_by_status` ON `campaigns` (`company_id`,`status`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `campaigns_due` ON `campaigns` (`send_at`) WHERE "campaigns"."status" = 'pending' and "campaigns"."stage" is null;--> statement-breakpoint
CREATE INDEX `campaigns_sending` ON `campaigns` (`served_at`) WHERE "campaigns"."stage" = 'sending';--> statement-breakpoint
CREATE INDEX `campaigns_by_user` ON `campaigns` (`company_id`,`user_id`);--> statement-breakpoint
CREATE INDEX `campaigns_by_template` ON `campaigns` (`company_id`,`template_id`) WHERE "campaigns"."template_id" is not null;--> statement-breakpoint
CREATE INDEX `campaigns_by_path` ON `campaigns` (`relations_path_id`) WHERE "campaigns"."relations_path_id" is not null;