ALTER TABLE `mails` ADD `objects` text;--> statement-breakpoint
CREATE INDEX `mails_with_objects` ON `mails` (`objects`) WHERE "mails"."status" = 'pending' and "mails"."objects" is not null;--> statement-breakpoint
ALTER TABLE `objects` ADD `replaced` integer DEFAULT 0 NOT NULL;