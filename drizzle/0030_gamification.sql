CREATE TABLE `game_players` (
	`company_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`state` text NOT NULL,
	PRIMARY KEY(`company_id`, `user_id`),
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `game_reach` (
	`id` integer PRIMARY KEY NOT NULL,
	`seq` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `high_fives` (
	`event_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`created_at` text NOT NULL,
	PRIMARY KEY(`event_id`, `user_id`),
	FOREIGN KEY (`event_id`) REFERENCES `stream_events`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `stream_events` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`company_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`type` text NOT NULL,
	`key` text NOT NULL,
	`data` text NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `stream_events_once` ON `stream_events` (`user_id`,`type`,`key`);--> statement-breakpoint
CREATE INDEX `stream_events_by_created` ON `stream_events` (`company_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `stream_events_by_user` ON `stream_events` (`company_id`,`user_id`,`created_at`,`id`);--> statement-breakpoint
ALTER TABLE `ranks` ADD `award_at` integer;--> statement-breakpoint
CREATE INDEX `ranks_by_award` ON `ranks` (`award_at`);