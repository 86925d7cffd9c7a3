CREATE TABLE `templates` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`company_id` integer NOT NULL,
	`team_id` integer,
	`group_id` integer,
	`owner` text GENERATED ALWAYS AS (coalesce('t' || team_id, 'g' || group_id, '')) VIRTUAL,
	`user_id` integer NOT NULL,
	`type` text NOT NULL,
	`title` text NOT NULL,
	`campaign` integer DEFAULT 0 NOT NULL,
	`margin_top` integer,
	`margin_left` integer,
	`margin_right` integer,
	`margin_bottom` integer,
	`content` text NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `templates_by_created` ON `templates` (`company_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `templates_by_owner` ON `templates` (`company_id`,`owner`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `activity_types_by_template` ON `activity_types` (`company_id`,`template_id`) WHERE "activity_types"."template_id" is not null;