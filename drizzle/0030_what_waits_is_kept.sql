CREATE TABLE `ageing` (
	`id` integer PRIMARY KEY NOT NULL,
	`reached` integer NOT NULL
);
--> statement-breakpoint
DROP INDEX `deliveries_by_age`;--> statement-breakpoint
CREATE INDEX `deliveries_by_age` ON `deliveries` (`created_at`) WHERE "deliveries"."status" <> 'pending';