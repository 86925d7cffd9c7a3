CREATE TABLE `objects` (
	`key` text PRIMARY KEY NOT NULL,
	`company_id` integer NOT NULL,
	`type` text NOT NULL,
	`bytes` integer NOT NULL,
	`removed_from` integer,
	`created_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `objects_by_company` ON `objects` (`company_id`);--> statement-breakpoint
CREATE INDEX `objects_to_remove` ON `objects` (`removed_from`) WHERE "objects"."removed_from" is not null;