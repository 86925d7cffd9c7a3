ALTER TABLE `campaign_messages` ADD `object` text;--> statement-breakpoint
ALTER TABLE `campaign_messages` ADD `task_id` text;--> statement-breakpoint
CREATE INDEX `campaign_messages_by_campaign` ON `campaign_messages` (`campaign_id`,`id`);--> statement-breakpoint
ALTER TABLE `campaigns` ADD `origin` text;