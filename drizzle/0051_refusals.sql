CREATE TABLE `refusals` (
	`seq` integer PRIMARY KEY NOT NULL,
	`company_id` integer NOT NULL,
	`hash` text NOT NULL,
	`reason` text NOT NULL,
	`email_key` text,
	`created_at` text NOT NULL,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `refusals_by_hash` ON `refusals` (`company_id`,`hash`,`reason`);--> statement-breakpoint
CREATE INDEX `refusals_by_email` ON `refusals` (`company_id`,`email_key`) WHERE "refusals"."email_key" is not null;