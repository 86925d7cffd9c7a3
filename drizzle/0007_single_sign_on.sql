CREATE TABLE `sign_ons` (
	`hash` text PRIMARY KEY NOT NULL,
	`browser` text NOT NULL,
	`company_id` integer NOT NULL,
	`provider_name` text NOT NULL,
	`kept` text NOT NULL,
	`expires_at` integer NOT NULL,
	`created_at` text NOT NULL,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `sign_ons_by_company` ON `sign_ons` (`company_id`);--> statement-breakpoint
CREATE INDEX `sign_ons_by_expiry` ON `sign_ons` (`expires_at`);--> statement-breakpoint
CREATE TABLE `sso_drivers` (
	`company_id` integer NOT NULL,
	`provider_name` text NOT NULL,
	`issuer` text NOT NULL,
	`client_id` text NOT NULL,
	`client_secret` text NOT NULL,
	`position` integer NOT NULL,
	PRIMARY KEY(`company_id`, `provider_name`),
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_sso` ON `users` (`company_id`,`sso_provider`,`sso_user_id`) WHERE "users"."sso_provider" is not null and "users"."deleted_at" is null;