CREATE TABLE `fact_rollup_reach` (
	`id` integer PRIMARY KEY NOT NULL,
	`seq` integer NOT NULL,
	`version` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `fact_rollups` (
	`company_id` integer NOT NULL,
	`measure` integer NOT NULL,
	`rollup` integer NOT NULL,
	`at` integer NOT NULL,
	`user_id` integer NOT NULL,
	`team_id` integer NOT NULL,
	`dim_id` integer NOT NULL,
	`total` real NOT NULL,
	PRIMARY KEY(`company_id`, `measure`, `rollup`, `at`, `user_id`, `team_id`, `dim_id`)
) WITHOUT ROWID;
