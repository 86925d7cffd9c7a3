DROP INDEX `fields_deleted`;--> statement-breakpoint
ALTER TABLE `fields` ADD `dead_options` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
CREATE INDEX `fields_unclean` ON `fields` (`seq`) WHERE "fields"."deleted_at" is not null or "fields"."dead_options" <> '[]';--> statement-breakpoint
ALTER TABLE `deliveries` ADD `hidden_fields` text;