ALTER TABLE `mails` ADD `company_id` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `mails_in_turn` ON `mails` (`lane`,`company_id`,`due_at`,`id`) WHERE "mails"."status" = 'pending';