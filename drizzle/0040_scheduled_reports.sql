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
	`user_id` integer NOT NULL,
	`name` text NOT NULL,
	`indicator_set_id` text NOT NULL,
	`frequency` text NOT NULL,
	`filters` text NOT NULL,
	`next_date` text,
	`next_at` integer,
	`zone` text NOT NULL,
	`wanted_at` integer,
	`attempt_at` integer,
	`attempts` integer DEFAULT 0 NOT NULL,
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
CREATE INDEX `scheduled_reports_wanted` ON `scheduled_reports` (`wanted_at`) WHERE "scheduled_reports"."wanted_at" is not null;