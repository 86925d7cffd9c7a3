CREATE TABLE `account_removals` (
	`account_id` text PRIMARY KEY NOT NULL,
	`company_id` integer NOT NULL,
	`created_at` text NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
ALTER TABLE `teams` ADD `custom` text DEFAULT '{}' NOT NULL;--> statement-breakpoint
CREATE INDEX `leads_by_account` ON `leads` (`account_id`) WHERE "leads"."account_id" is not null;--> statement-breakpoint
CREATE INDEX `leads_by_contact` ON `leads` (`contact_id`) WHERE "leads"."contact_id" is not null;--> statement-breakpoint
CREATE INDEX `leads_by_named_account` ON `leads` (`original_account_id`) WHERE "leads"."original_account_id" is not null;--> statement-breakpoint
CREATE INDEX `leads_by_named_contact` ON `leads` (`original_contact_id`) WHERE "leads"."original_contact_id" is not null;