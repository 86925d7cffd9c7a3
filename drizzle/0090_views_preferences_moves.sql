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
DROP INDEX `saved_filters_by_created`;--> statement-breakpoint
DROP INDEX `saved_filters_by_kept`;--> statement-breakpoint
DROP INDEX `saved_filters_by_team`;--> statement-breakpoint
ALTER TABLE `saved_filters` ADD `private` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `saved_filters` ADD `group_id` integer;--> statement-breakpoint
ALTER TABLE `saved_filters` ADD `query` text DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE `saved_filters` ADD `query_names` text;--> statement-breakpoint
ALTER TABLE `saved_filters` ADD `position` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `saved_filters` ADD `owner` text GENERATED ALWAYS AS (iif(private, 'u' || created_by, coalesce('t' || team_id, 'g' || group_id, ''))) VIRTUAL;--> statement-breakpoint
ALTER TABLE `saved_filters` ADD `reader` text GENERATED ALWAYS AS (iif(kept_for is null, owner, 'k' || kept_for)) VIRTUAL;--> statement-breakpoint
ALTER TABLE `saved_filters` ADD `private_to` integer GENERATED ALWAYS AS (iif(private, created_by, null)) VIRTUAL;--> statement-breakpoint
CREATE INDEX `saved_filters_by_reader` ON `saved_filters` (`company_id`,`reader`,`kind`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `views_by_reader` ON `saved_filters` (`company_id`,`reader`,`position`,`id`);--> statement-breakpoint
CREATE INDEX `saved_filters_by_private` ON `saved_filters` (`company_id`,`private_to`,`kind`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `views_by_private` ON `saved_filters` (`company_id`,`private_to`,`position`,`id`);--> statement-breakpoint
CREATE INDEX `saved_filters_by_owner` ON `saved_filters` (`company_id`,`owner`);--> statement-breakpoint
ALTER TABLE `lead_transitions` ADD `made_by` integer;--> statement-breakpoint
ALTER TABLE `lead_transitions` ADD `first_activity_by` integer;