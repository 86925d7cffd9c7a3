CREATE TABLE `fact_dims` (
	`id` integer PRIMARY KEY NOT NULL,
	`company_id` integer NOT NULL,
	`key` text NOT NULL,
	`relations_path_id` text GENERATED ALWAYS AS (key ->> 0) VIRTUAL,
	`lead_type_id` text GENERATED ALWAYS AS (key ->> 1) VIRTUAL,
	`lead_source` text GENERATED ALWAYS AS (key ->> 2) VIRTUAL,
	`from_lead` integer GENERATED ALWAYS AS (key ->> 3) VIRTUAL,
	`types` text GENERATED ALWAYS AS (key ->> 4) VIRTUAL,
	`milestone_types` text GENERATED ALWAYS AS (key ->> 5) VIRTUAL,
	`product_ids` text GENERATED ALWAYS AS (key ->> 6) VIRTUAL,
	`teams` text GENERATED ALWAYS AS (key ->> 7) VIRTUAL,
	`agency_team_id` integer GENERATED ALWAYS AS (key ->> 8) VIRTUAL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `fact_dims_key` ON `fact_dims` (`company_id`,`key`);--> statement-breakpoint
CREATE TABLE `fact_moments` (
	`id` integer PRIMARY KEY NOT NULL,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `facts` (
	`seq` integer PRIMARY KEY NOT NULL,
	`company_id` integer NOT NULL,
	`kind` integer NOT NULL,
	`at` integer NOT NULL,
	`recorded_at` integer NOT NULL,
	`user_id` integer,
	`zone` text,
	`team_id` integer,
	`dim_id` integer,
	`subject` text,
	`flags` integer DEFAULT 0 NOT NULL,
	`weight` integer DEFAULT 1 NOT NULL,
	`value` real,
	`value2` real
);
--> statement-breakpoint
CREATE INDEX `facts_by_kind` ON `facts` (`company_id`,`kind`,`at`,`user_id`,`team_id`,`dim_id`,`flags`,`weight`,`value`,`value2`);--> statement-breakpoint
CREATE INDEX `facts_by_subject` ON `facts` (`subject`,`kind`) WHERE "facts"."subject" is not null;--> statement-breakpoint
ALTER TABLE `accounts` ADD `counts` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE `cases` ADD `offer_value` real DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `cases` ADD `product_ids` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `cases` ADD `effective_at` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `contacts` ADD `created_with_lead_type_id` text;--> statement-breakpoint
ALTER TABLE `contacts` ADD `created_with_lead_source` text;--> statement-breakpoint
ALTER TABLE `notes` ADD `mentions` integer DEFAULT 0 NOT NULL;