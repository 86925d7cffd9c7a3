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
CREATE INDEX `case_status_changes_by_case` ON `case_status_changes` (`case_id`,`at`,`id`);