ALTER TABLE `campaigns` ADD `stopped_reason` text;--> statement-breakpoint
ALTER TABLE `saved_filters` ADD `stopped_reason` text;