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
CREATE INDEX `merges_kept` ON `merges` (`created_at`) WHERE "merges"."kept" is not null;