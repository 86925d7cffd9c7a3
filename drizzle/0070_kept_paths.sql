ALTER TABLE `lead_types` ADD `kept_for` integer;--> statement-breakpoint
CREATE INDEX `lead_types_by_kept` ON `lead_types` (`company_id`,`kept_for`,`created_at`,`id`);--> statement-breakpoint
ALTER TABLE `relations_paths` ADD `kept_for` integer;--> statement-breakpoint
ALTER TABLE `relations_paths` ADD `reader` text GENERATED ALWAYS AS (iif(kept_for is null, owner, 'k' || kept_for)) VIRTUAL;--> statement-breakpoint
CREATE INDEX `relations_paths_by_reader` ON `relations_paths` (`company_id`,`reader`,`created_at`,`id`);