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
ALTER TABLE `tasks` ADD `team_id` integer;--> statement-breakpoint
ALTER TABLE `tasks` ADD `stage` text DEFAULT 'pending' NOT NULL;--> statement-breakpoint
ALTER TABLE `tasks` ADD `turns_at` text GENERATED ALWAYS AS (case stage when 'later' then start_at when 'pending' then end_at end) VIRTUAL;--> statement-breakpoint
ALTER TABLE `tasks` ADD `span` integer GENERATED ALWAYS AS (length(printf('%o', unixepoch(end_at) - unixepoch(start_at)))) VIRTUAL;--> statement-breakpoint
CREATE INDEX `tasks_by_case_created` ON `tasks` (`case_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `tasks_by_start` ON `tasks` (`company_id`,`start_at`,`id`);--> statement-breakpoint
CREATE INDEX `tasks_by_team_start` ON `tasks` (`company_id`,`team_id`,`start_at`,`id`);--> statement-breakpoint
CREATE INDEX `tasks_by_user_start` ON `tasks` (`company_id`,`user_id`,`start_at`,`id`);--> statement-breakpoint
CREATE INDEX `tasks_by_stage` ON `tasks` (`company_id`,`stage`,`start_at`,`id`);--> statement-breakpoint
CREATE INDEX `tasks_by_team_stage` ON `tasks` (`company_id`,`team_id`,`stage`,`start_at`,`id`);--> statement-breakpoint
CREATE INDEX `tasks_by_span` ON `tasks` (`company_id`,`span`,`start_at`,`end_at`);--> statement-breakpoint
CREATE INDEX `tasks_turning` ON `tasks` (`turns_at`,`id`) WHERE "tasks"."turns_at" is not null;--> statement-breakpoint
CREATE INDEX `activities_with_products` ON `activities` (`case_id`) WHERE "activities"."product_details" <> '[]';