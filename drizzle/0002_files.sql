CREATE TABLE `attachments` (
	`entity_type` text NOT NULL,
	`entity_id` text NOT NULL,
	`file_id` text NOT NULL,
	`company_id` integer NOT NULL,
	`attached_by` integer NOT NULL,
	`attached_at` text NOT NULL,
	PRIMARY KEY(`entity_type`, `entity_id`, `file_id`),
	FOREIGN KEY (`file_id`) REFERENCES `files`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `attachments_by_record` ON `attachments` (`entity_type`,`entity_id`,`attached_at`,`file_id`);--> statement-breakpoint
CREATE INDEX `attachments_by_file` ON `attachments` (`file_id`);--> statement-breakpoint
CREATE TABLE `file_permissions` (
	`file_id` text NOT NULL,
	`type` text NOT NULL,
	`value` integer NOT NULL,
	`company_id` integer NOT NULL,
	`created_at` text NOT NULL,
	PRIMARY KEY(`file_id`, `type`, `value`),
	FOREIGN KEY (`file_id`) REFERENCES `files`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `file_permissions_by_value` ON `file_permissions` (`company_id`,`type`,`value`,`created_at`,`file_id`);--> statement-breakpoint
CREATE TABLE `file_totals` (
	`company_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`readers` text NOT NULL,
	`n` integer NOT NULL,
	PRIMARY KEY(`company_id`, `user_id`, `readers`)
);
--> statement-breakpoint
CREATE INDEX `file_totals_permitted` ON `file_totals` (`company_id`) WHERE "file_totals"."readers" <> '[]';--> statement-breakpoint
CREATE TABLE `file_usage` (
	`company_id` integer PRIMARY KEY NOT NULL,
	`files` integer NOT NULL,
	`bytes` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `files` (
	`seq` integer PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`company_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`name` text NOT NULL,
	`name_key` text NOT NULL,
	`type` text NOT NULL,
	`size` integer NOT NULL,
	`digest` text NOT NULL,
	`media` text NOT NULL,
	`object_key` text NOT NULL,
	`public` integer DEFAULT 0 NOT NULL,
	`folder_id` text,
	`belongs_to` text,
	`belongs_to_id` integer,
	`placed_by` integer,
	`placed_at` text,
	`picture_key` text,
	`readers` text DEFAULT '[]' NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`folder_id`) REFERENCES `folders`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `files_id_unique` ON `files` (`id`);--> statement-breakpoint
CREATE INDEX `files_by_owner` ON `files` (`company_id`,`user_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `files_by_creation` ON `files` (`company_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `files_by_folder` ON `files` (`folder_id`,`name_key`,`id`);--> statement-breakpoint
CREATE INDEX `files_at_root` ON `files` (`company_id`,`belongs_to`,`belongs_to_id`,`name_key`,`id`) WHERE "files"."belongs_to" is not null;--> statement-breakpoint
CREATE INDEX `files_placed_in_folder` ON `files` (`folder_id`,`placed_at`,`id`) WHERE "files"."folder_id" is not null;--> statement-breakpoint
CREATE INDEX `files_placed_at_root` ON `files` (`company_id`,`belongs_to`,`belongs_to_id`,`placed_at`,`id`) WHERE "files"."belongs_to" is not null;--> statement-breakpoint
CREATE TABLE `folder_contents` (
	`company_id` integer NOT NULL,
	`place` text NOT NULL,
	`folders` integer NOT NULL,
	`files` integer NOT NULL,
	PRIMARY KEY(`company_id`, `place`)
);
--> statement-breakpoint
CREATE TABLE `folders` (
	`id` text PRIMARY KEY NOT NULL,
	`company_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`name` text NOT NULL,
	`name_key` text NOT NULL,
	`folder_id` text,
	`belongs_to` text,
	`belongs_to_id` integer,
	`deleted_at` text,
	`removed_files` integer DEFAULT 0 NOT NULL,
	`removed_bytes` integer DEFAULT 0 NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`folder_id`) REFERENCES `folders`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `folders_by_folder` ON `folders` (`folder_id`,`name_key`,`id`);--> statement-breakpoint
CREATE INDEX `folders_at_root` ON `folders` (`company_id`,`belongs_to`,`belongs_to_id`,`name_key`,`id`) WHERE "folders"."belongs_to" is not null;--> statement-breakpoint
CREATE INDEX `folders_by_owner` ON `folders` (`company_id`,`user_id`);--> statement-breakpoint
CREATE INDEX `folders_in_removal` ON `folders` (`company_id`) WHERE "folders"."deleted_at" is not null;