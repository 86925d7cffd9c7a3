CREATE TABLE `mail_rate` (
	`id` integer PRIMARY KEY NOT NULL,
	`next_at` real NOT NULL
);
--> statement-breakpoint
DROP INDEX `mails_due`;--> statement-breakpoint
ALTER TABLE `mails` ADD `lane` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `mails` ADD `about_kind` text;--> statement-breakpoint
ALTER TABLE `mails` ADD `about_id` text;--> statement-breakpoint
CREATE INDEX `mails_due` ON `mails` (`lane`,`due_at`,`id`) WHERE "mails"."status" = 'pending';