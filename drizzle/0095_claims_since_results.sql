ALTER TABLE `mails` ADD `claims` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `pushes` ADD `claims` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `campaign_messages` ADD `claims` integer DEFAULT 0 NOT NULL;