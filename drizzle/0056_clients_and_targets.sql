ALTER TABLE `refresh_tokens` ADD `repeats` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `webhooks` ADD `target_key` text;--> statement-breakpoint
ALTER TABLE `webhooks` ADD `success_status` text DEFAULT '200' NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `webhooks_target` ON `webhooks` (`company_id`,`target_key`) WHERE "webhooks"."deleted_at" is null and "webhooks"."target_key" is not null;