CREATE TABLE `report_charts` (
	`id` text PRIMARY KEY NOT NULL,
	`company_id` integer NOT NULL,
	`svg` text NOT NULL,
	`expires_at` integer NOT NULL,
	`created_at` text NOT NULL,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `report_charts_expired` ON `report_charts` (`expires_at`);--> statement-breakpoint
CREATE INDEX `report_charts_by_company` ON `report_charts` (`company_id`);