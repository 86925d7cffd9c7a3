CREATE TABLE `saved_filters` (
	`id` text PRIMARY KEY NOT NULL,
	`company_id` integer NOT NULL,
	`kind` text NOT NULL,
	`team_id` integer,
	`name` text NOT NULL,
	`filter` text NOT NULL,
	`created_by` integer,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `saved_filters_by_created` ON `saved_filters` (`company_id`,`kind`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `saved_filters_by_team` ON `saved_filters` (`company_id`,`team_id`,`kind`,`created_at`,`id`);--> statement-breakpoint
ALTER TABLE `accounts` ADD `lowered` text;--> statement-breakpoint
CREATE INDEX `accounts_lower_name` ON `accounts` (`company_id`,case when lowered ->> 'name' is null then lower(name) else lowered ->> 'name' end,`b2c`,`team_id`,`created_at`) WHERE case when lowered ->> 'name' is null then lower(name) else lowered ->> 'name' end is not null;--> statement-breakpoint
CREATE INDEX `accounts_lower_address` ON `accounts` (`company_id`,case when lowered ->> 'address' is null then lower(address) else lowered ->> 'address' end,`b2c`) WHERE case when lowered ->> 'address' is null then lower(address) else lowered ->> 'address' end is not null;--> statement-breakpoint
CREATE INDEX `accounts_lower_zip_code` ON `accounts` (`company_id`,case when lowered ->> 'zip_code' is null then lower(zip_code) else lowered ->> 'zip_code' end,`b2c`) WHERE case when lowered ->> 'zip_code' is null then lower(zip_code) else lowered ->> 'zip_code' end is not null;--> statement-breakpoint
CREATE INDEX `accounts_lower_city` ON `accounts` (`company_id`,case when lowered ->> 'city' is null then lower(city) else lowered ->> 'city' end,`b2c`) WHERE case when lowered ->> 'city' is null then lower(city) else lowered ->> 'city' end is not null;--> statement-breakpoint
CREATE INDEX `accounts_lower_state_region` ON `accounts` (`company_id`,case when lowered ->> 'state_region' is null then lower(state_region) else lowered ->> 'state_region' end,`b2c`) WHERE case when lowered ->> 'state_region' is null then lower(state_region) else lowered ->> 'state_region' end is not null;--> statement-breakpoint
CREATE INDEX `accounts_lower_country` ON `accounts` (`company_id`,`country`,`b2c`) WHERE "accounts"."country" is not null;--> statement-breakpoint
CREATE INDEX `accounts_lower_vat` ON `accounts` (`company_id`,case when lowered ->> 'vat' is null then lower(vat) else lowered ->> 'vat' end,`b2c`) WHERE case when lowered ->> 'vat' is null then lower(vat) else lowered ->> 'vat' end is not null;--> statement-breakpoint
CREATE INDEX `accounts_lower_website` ON `accounts` (`company_id`,case when lowered ->> 'website' is null then lower(website) else lowered ->> 'website' end,`b2c`) WHERE case when lowered ->> 'website' is null then lower(website) else lowered ->> 'website' end is not null;--> statement-breakpoint
ALTER TABLE `contacts` ADD `lowered` text;--> statement-breakpoint
CREATE INDEX `contacts_lower_salutation` ON `contacts` (`company_id`,case when lowered ->> 'salutation' is null then lower(salutation) else lowered ->> 'salutation' end,`b2c`) WHERE case when lowered ->> 'salutation' is null then lower(salutation) else lowered ->> 'salutation' end is not null;--> statement-breakpoint
CREATE INDEX `contacts_lower_first_name` ON `contacts` (`company_id`,case when lowered ->> 'first_name' is null then lower(first_name) else lowered ->> 'first_name' end,`b2c`) WHERE case when lowered ->> 'first_name' is null then lower(first_name) else lowered ->> 'first_name' end is not null;--> statement-breakpoint
CREATE INDEX `contacts_lower_last_name` ON `contacts` (`company_id`,case when lowered ->> 'last_name' is null then lower(last_name) else lowered ->> 'last_name' end,`b2c`,`team_id`,`created_at`) WHERE case when lowered ->> 'last_name' is null then lower(last_name) else lowered ->> 'last_name' end is not null;--> statement-breakpoint
CREATE INDEX `contacts_lower_email` ON `contacts` (`company_id`,case when lowered ->> 'email' is null then lower(email) else lowered ->> 'email' end,`b2c`) WHERE case when lowered ->> 'email' is null then lower(email) else lowered ->> 'email' end is not null;--> statement-breakpoint
CREATE INDEX `contacts_lower_phone_number` ON `contacts` (`company_id`,case when lowered ->> 'phone_number' is null then lower(phone_number) else lowered ->> 'phone_number' end,`b2c`) WHERE case when lowered ->> 'phone_number' is null then lower(phone_number) else lowered ->> 'phone_number' end is not null;--> statement-breakpoint
CREATE INDEX `contacts_lower_title` ON `contacts` (`company_id`,case when lowered ->> 'title' is null then lower(title) else lowered ->> 'title' end,`b2c`) WHERE case when lowered ->> 'title' is null then lower(title) else lowered ->> 'title' end is not null;--> statement-breakpoint
CREATE INDEX `contacts_by_status` ON `contacts` (`company_id`,`status`,`b2c`);--> statement-breakpoint
ALTER TABLE `lead_types` ADD `lowered` text;--> statement-breakpoint
ALTER TABLE `leads` ADD `deleted_at` text;--> statement-breakpoint
ALTER TABLE `leads` ADD `lowered` text;