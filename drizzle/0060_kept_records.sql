ALTER TABLE `automated_communications` ADD `kept_for` integer;--> statement-breakpoint
ALTER TABLE `automated_communications` ADD `reader` text GENERATED ALWAYS AS (iif(kept_for is null, owner, 'k' || kept_for)) VIRTUAL;--> statement-breakpoint
ALTER TABLE `automated_communications` ADD `created_by` integer;--> statement-breakpoint
CREATE INDEX `automated_communications_by_reader` ON `automated_communications` (`company_id`,`reader`,`created_at`,`id`);--> statement-breakpoint
ALTER TABLE `campaigns` ADD `kept_for` integer;--> statement-breakpoint
ALTER TABLE `campaigns` ADD `reader` text GENERATED ALWAYS AS (iif(kept_for is null, owner, 'k' || kept_for)) VIRTUAL;--> statement-breakpoint
CREATE INDEX `campaigns_by_reader` ON `campaigns` (`company_id`,`reader`,`created_at`,`id`);--> statement-breakpoint
ALTER TABLE `indicator_sets` ADD `kept_for` integer;--> statement-breakpoint
ALTER TABLE `indicator_sets` ADD `reader` text GENERATED ALWAYS AS (iif(kept_for is null, owner, 'k' || kept_for)) VIRTUAL;--> statement-breakpoint
CREATE INDEX `indicator_sets_by_reader` ON `indicator_sets` (`company_id`,`reader`,`created_at`,`id`);--> statement-breakpoint
ALTER TABLE `ranks` ADD `kept_for` integer;--> statement-breakpoint
ALTER TABLE `ranks` ADD `reader` text GENERATED ALWAYS AS (iif(kept_for is null, owner, 'k' || kept_for)) VIRTUAL;--> statement-breakpoint
ALTER TABLE `ranks` ADD `created_by` integer;--> statement-breakpoint
CREATE INDEX `ranks_by_reader` ON `ranks` (`company_id`,`reader`,`created_at`,`id`);--> statement-breakpoint
ALTER TABLE `saved_filters` ADD `kept_for` integer;--> statement-breakpoint
CREATE INDEX `saved_filters_by_kept` ON `saved_filters` (`company_id`,`kept_for`,`kind`,`created_at`,`id`) WHERE "saved_filters"."kept_for" is not null;--> statement-breakpoint
ALTER TABLE `templates` ADD `kept_for` integer;--> statement-breakpoint
ALTER TABLE `templates` ADD `reader` text GENERATED ALWAYS AS (iif(kept_for is null, owner, 'k' || kept_for)) VIRTUAL;--> statement-breakpoint
CREATE INDEX `templates_by_reader` ON `templates` (`company_id`,`reader`,`created_at`,`id`);