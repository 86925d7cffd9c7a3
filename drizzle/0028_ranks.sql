CREATE TABLE `ranks` (
	`id` text PRIMARY KEY NOT NULL,
	`company_id` integer NOT NULL,
	`team_id` integer,
	`group_id` integer,
	`owner` text GENERATED ALWAYS AS (coalesce('t' || team_id, 'g' || group_id, '')) VIRTUAL,
	`name` text NOT NULL,
	`icon` text NOT NULL,
	`rule` text NOT NULL,
	`relations_path_id` text,
	`milestone_id` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `ranks_by_created` ON `ranks` (`company_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `ranks_by_owner` ON `ranks` (`company_id`,`owner`,`created_at`,`id`);