ALTER TABLE `automated_messages` ADD `chosen_by` text DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE `campaigns` ADD `approved_by` integer;