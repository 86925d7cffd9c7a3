ALTER TABLE `contacts` ADD `e164` text;--> statement-breakpoint
CREATE INDEX `contacts_by_e164` ON `contacts` (`company_id`,`e164`) WHERE "contacts"."e164" is not null;--> statement-breakpoint
ALTER TABLE `refusals` ADD `channel` text DEFAULT 'email' NOT NULL;--> statement-breakpoint
ALTER TABLE `refusals` ADD `e164` text;--> statement-breakpoint
CREATE INDEX `refusals_by_e164` ON `refusals` (`company_id`,`e164`) WHERE "refusals"."e164" is not null;