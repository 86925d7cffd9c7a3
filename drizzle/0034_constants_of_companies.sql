ALTER TABLE `json_pool` ADD `company_id` integer;--> statement-breakpoint
ALTER TABLE `json_pool` ADD `used_at` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `json_pool_by_company` ON `json_pool` (`company_id`);--> statement-breakpoint
CREATE INDEX `json_pool_by_use` ON `json_pool` (`used_at`) WHERE "json_pool"."company_id" is not null;