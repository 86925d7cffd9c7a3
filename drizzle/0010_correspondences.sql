CREATE TABLE `correspondences` (
	`id` text PRIMARY KEY NOT NULL,
	`company_id` integer NOT NULL,
	`case_id` text NOT NULL,
	`activity_id` text,
	`user_id` integer,
	`type` text NOT NULL,
	`direction` text NOT NULL,
	`status` text NOT NULL,
	`sender` text,
	`recipient` text,
	`subject` text,
	`content` text,
	`template_id` integer,
	`margins` text,
	`file_ids` text DEFAULT '[]' NOT NULL,
	`message_key` text,
	`error` text,
	`sent_at` text,
	`opened_at` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	FOREIGN KEY (`case_id`) REFERENCES `cases`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `correspondences_by_case` ON `correspondences` (`case_id`,`created_at`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `correspondences_received` ON `correspondences` (`case_id`,`message_key`) WHERE "correspondences"."message_key" is not null;--> statement-breakpoint
ALTER TABLE `companies` ADD `email_tracking` integer DEFAULT 0 NOT NULL;