ALTER TABLE `mails` ADD `status` text DEFAULT 'kept' NOT NULL;--> statement-breakpoint
ALTER TABLE `mails` ADD `attempts` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `mails` ADD `due_at` integer;--> statement-breakpoint
ALTER TABLE `mails` ADD `error` text;--> statement-breakpoint
CREATE INDEX `mails_due` ON `mails` (`due_at`,`id`) WHERE "mails"."status" = 'pending';