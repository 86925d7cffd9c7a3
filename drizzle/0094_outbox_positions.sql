CREATE TABLE `feed_epochs` (
	`id` integer PRIMARY KEY NOT NULL,
	`epoch` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `feed_floors` (
	`company_id` integer PRIMARY KEY NOT NULL,
	`position` integer NOT NULL
);
--> statement-breakpoint
PRAGMA foreign_keys=OFF;--> statement-breakpoint
CREATE TABLE `__new_outbox` (
	`position` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
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
	`created_at` text NOT NULL,
	`recorded_at` integer DEFAULT (cast(unixepoch('subsec') * 1000 as integer)) NOT NULL,
	`team_before` integer,
	`agency_team_before` integer
);
--> statement-breakpoint
INSERT INTO `__new_outbox`("id", "company_id", "event_name", "entity_type", "entity_id", "sequence", "executor_id", "team_id", "agency_team_id", "created_by", "body", "created_at", "recorded_at") SELECT "id", "company_id", "event_name", "entity_type", "entity_id", "sequence", "executor_id", "team_id", "agency_team_id", "created_by", "body", "created_at", coalesce(unixepoch("created_at"), unixepoch()) * 1000 FROM `outbox` ORDER BY rowid;--> statement-breakpoint
DROP TABLE `outbox`;--> statement-breakpoint
ALTER TABLE `__new_outbox` RENAME TO `outbox`;--> statement-breakpoint
PRAGMA foreign_keys=ON;--> statement-breakpoint
CREATE UNIQUE INDEX `outbox_by_id` ON `outbox` (`id`);--> statement-breakpoint
CREATE INDEX `outbox_by_company` ON `outbox` (`company_id`,`position`);--> statement-breakpoint
CREATE INDEX `outbox_by_age` ON `outbox` (`recorded_at`);