CREATE TABLE `exports` (
	`id` text PRIMARY KEY NOT NULL,
	`company_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`entity` text NOT NULL,
	`format` text NOT NULL,
	`status` text NOT NULL,
	`columns` text,
	`filter` text,
	`last_row` integer NOT NULL,
	`rows` integer DEFAULT 0 NOT NULL,
	`file_id` text,
	`failure` text,
	`attempts` integer DEFAULT 0 NOT NULL,
	`due_at` integer,
	`expires_at` integer NOT NULL,
	`created_at` text NOT NULL,
	`finished_at` text,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `exports_due` ON `exports` (`due_at`) WHERE "exports"."due_at" is not null;--> statement-breakpoint
CREATE INDEX `exports_in_turn` ON `exports` (`company_id`,`due_at`,`id`) WHERE "exports"."due_at" is not null;--> statement-breakpoint
CREATE INDEX `exports_expired` ON `exports` (`expires_at`);--> statement-breakpoint
CREATE INDEX `exports_by_user` ON `exports` (`company_id`,`user_id`,`created_at`,`id`);