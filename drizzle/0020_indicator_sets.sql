CREATE TABLE `indicator_sets` (
	`id` text PRIMARY KEY NOT NULL,
	`company_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`private` integer DEFAULT 0 NOT NULL,
	`team_id` integer,
	`group_id` integer,
	`owner` text GENERATED ALWAYS AS (iif(private, 'u' || user_id, coalesce('t' || team_id, 'g' || group_id, ''))) VIRTUAL,
	`private_to` integer GENERATED ALWAYS AS (iif(private, user_id, null)) VIRTUAL,
	`name` text NOT NULL,
	`indicators` text NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `indicator_sets_by_owner` ON `indicator_sets` (`company_id`,`owner`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `indicator_sets_by_private` ON `indicator_sets` (`company_id`,`private_to`,`created_at`,`id`);