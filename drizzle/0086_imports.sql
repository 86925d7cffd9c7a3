CREATE TABLE `import_changes` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`import_id` text NOT NULL,
	`row` integer NOT NULL,
	`entity` text NOT NULL,
	`record_id` text NOT NULL,
	`before` text,
	`after` text NOT NULL,
	FOREIGN KEY (`import_id`) REFERENCES `imports`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `import_changes_by_import` ON `import_changes` (`import_id`,`seq`);--> statement-breakpoint
CREATE INDEX `import_changes_by_record` ON `import_changes` (`record_id`,`import_id`);--> statement-breakpoint
CREATE TABLE `import_errors` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`company_id` integer NOT NULL,
	`import_id` text NOT NULL,
	`row` integer NOT NULL,
	`column` text,
	`path` text,
	`code` text NOT NULL,
	`message` text NOT NULL,
	`value` text,
	FOREIGN KEY (`import_id`) REFERENCES `imports`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `import_errors_by_import` ON `import_errors` (`import_id`,`row`,`seq`);--> statement-breakpoint
CREATE TABLE `import_kept` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`company_id` integer NOT NULL,
	`import_id` text NOT NULL,
	`row` integer NOT NULL,
	`entity` text NOT NULL,
	`record_id` text NOT NULL,
	`reason` text NOT NULL,
	FOREIGN KEY (`import_id`) REFERENCES `imports`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `import_kept_by_import` ON `import_kept` (`import_id`,`row`,`seq`);--> statement-breakpoint
CREATE TABLE `import_keys` (
	`import_id` text NOT NULL,
	`key` text NOT NULL,
	PRIMARY KEY(`import_id`, `key`),
	FOREIGN KEY (`import_id`) REFERENCES `imports`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `imports` (
	`id` text PRIMARY KEY NOT NULL,
	`company_id` integer NOT NULL,
	`maker_id` integer NOT NULL,
	`name` text NOT NULL,
	`entity` text NOT NULL,
	`format` text NOT NULL,
	`status` text NOT NULL,
	`dry_run` integer DEFAULT 0 NOT NULL,
	`match` text NOT NULL,
	`on_match` text NOT NULL,
	`refusals` text NOT NULL,
	`team_id` integer,
	`user_id` integer,
	`agency_team_id` integer,
	`reading` text NOT NULL,
	`encoding` text,
	`delimiter` text,
	`decimal` text,
	`date_format` text,
	`object_key` text,
	`bytes` integer NOT NULL,
	`file_id` text,
	`rows` integer,
	`place` integer DEFAULT 0 NOT NULL,
	`created` integer DEFAULT 0 NOT NULL,
	`updated` integer DEFAULT 0 NOT NULL,
	`skipped` integer DEFAULT 0 NOT NULL,
	`failed` integer DEFAULT 0 NOT NULL,
	`preview` text,
	`failure` text,
	`failure_row` integer,
	`reverted` text,
	`expires_at` integer,
	`removed_at` integer NOT NULL,
	`created_at` text NOT NULL,
	`started_at` text,
	`finished_at` text,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `imports_by_company` ON `imports` (`company_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `imports_by_maker` ON `imports` (`company_id`,`maker_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `imports_open` ON `imports` (`company_id`,`status`,`id`) WHERE "imports"."status" in ('queued', 'checking', 'running', 'reverting');--> statement-breakpoint
CREATE INDEX `imports_expired` ON `imports` (`expires_at`) WHERE "imports"."expires_at" is not null;--> statement-breakpoint
CREATE INDEX `imports_removed` ON `imports` (`removed_at`);