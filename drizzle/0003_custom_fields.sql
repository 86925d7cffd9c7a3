CREATE TABLE `custom_values` (
	`field` integer NOT NULL,
	`owner` integer NOT NULL,
	`place` integer DEFAULT 0 NOT NULL,
	`text` text,
	`number` real,
	PRIMARY KEY(`field`, `owner`, `place`),
	FOREIGN KEY (`field`) REFERENCES `fields`(`seq`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `custom_values_by_text` ON `custom_values` (`field`,`text`,`owner`) WHERE "custom_values"."text" is not null;--> statement-breakpoint
CREATE INDEX `custom_values_by_number` ON `custom_values` (`field`,`number`,`owner`) WHERE "custom_values"."number" is not null;--> statement-breakpoint
CREATE TABLE `field_orders` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`company_id` integer NOT NULL,
	`owner_type` text NOT NULL,
	`scope` text NOT NULL,
	`team_id` integer,
	`group_id` integer,
	`items` text NOT NULL,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `field_orders_one` ON `field_orders` (`company_id`,`owner_type`,`scope`);--> statement-breakpoint
CREATE TABLE `fields` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`company_id` integer NOT NULL,
	`owner_type` text NOT NULL,
	`name` text NOT NULL,
	`label` text NOT NULL,
	`type` text NOT NULL,
	`validation` text,
	`is_hidden` integer DEFAULT 0 NOT NULL,
	`is_read_only` integer DEFAULT 0 NOT NULL,
	`team_id` integer,
	`group_id` integer,
	`options` text DEFAULT '[]' NOT NULL,
	`links` text DEFAULT '[]' NOT NULL,
	`created_by` integer,
	`deleted_at` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `fields_id_unique` ON `fields` (`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `fields_name` ON `fields` (`company_id`,`owner_type`,`name`) WHERE "fields"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX `fields_by_company` ON `fields` (`company_id`,`seq`);--> statement-breakpoint
CREATE INDEX `fields_deleted` ON `fields` (`deleted_at`) WHERE "fields"."deleted_at" is not null;