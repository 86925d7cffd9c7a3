ALTER TABLE `constants` ADD `company_id` integer;--> statement-breakpoint
ALTER TABLE `constants` ADD `used_at` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `constants_by_company` ON `constants` (`company_id`);--> statement-breakpoint
CREATE INDEX `constants_by_use` ON `constants` (`used_at`) WHERE "constants"."company_id" is not null;