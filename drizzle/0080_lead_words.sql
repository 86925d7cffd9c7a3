ALTER TABLE `leads` ADD `words` text;--> statement-breakpoint
CREATE INDEX `leads_without_words` ON `leads` (`seq`) WHERE "leads"."words" is null;