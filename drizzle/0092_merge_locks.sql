CREATE TABLE `merge_locks` (
	`record_id` text PRIMARY KEY NOT NULL,
	`merge_id` text NOT NULL,
	FOREIGN KEY (`merge_id`) REFERENCES `merges`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `merge_locks_by_merge` ON `merge_locks` (`merge_id`);