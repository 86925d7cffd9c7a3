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
	`attempts` integer DEFAULT 0 NOT NULL,
	`due_at` integer,
	`expires_at` integer NOT NULL,
	`created_at` text NOT NULL,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `report_exports_due` ON `report_exports` (`due_at`) WHERE "report_exports"."due_at" is not null;--> statement-breakpoint
CREATE INDEX `report_exports_expired` ON `report_exports` (`expires_at`);--> statement-breakpoint
CREATE INDEX `report_exports_by_user` ON `report_exports` (`company_id`,`user_id`);