ALTER TABLE `report_deliveries` ADD `failure` text;--> statement-breakpoint
ALTER TABLE `report_exports` ADD `failure` text;--> statement-breakpoint
ALTER TABLE `scheduled_reports` ADD `failure` text;