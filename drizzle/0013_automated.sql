CREATE TABLE `automated_communications` (
	`id` text PRIMARY KEY NOT NULL,
	`company_id` integer NOT NULL,
	`team_id` integer,
	`group_id` integer,
	`owner` text GENERATED ALWAYS AS (coalesce('t' || team_id, 'g' || group_id, '')) VIRTUAL,
	`name` text NOT NULL,
	`description` text,
	`icon` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `automated_communications_by_created` ON `automated_communications` (`company_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `automated_communications_by_owner` ON `automated_communications` (`company_id`,`owner`,`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `automated_messages` (
	`id` text PRIMARY KEY NOT NULL,
	`company_id` integer NOT NULL,
	`definition_id` text NOT NULL,
	`position` integer NOT NULL,
	`name` text NOT NULL,
	`delay_days` integer NOT NULL,
	`offset_from_midnight` integer NOT NULL,
	`template_id` integer,
	`subject` text NOT NULL,
	`content` text NOT NULL,
	`attachments` text DEFAULT '[]' NOT NULL,
	FOREIGN KEY (`definition_id`) REFERENCES `automated_communications`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `automated_messages_by_definition` ON `automated_messages` (`definition_id`,`position`);--> statement-breakpoint
CREATE INDEX `automated_messages_by_template` ON `automated_messages` (`company_id`,`template_id`) WHERE "automated_messages"."template_id" is not null;--> statement-breakpoint
CREATE TABLE `automated_sends` (
	`id` text PRIMARY KEY NOT NULL,
	`company_id` integer NOT NULL,
	`case_id` text NOT NULL,
	`activity_id` text NOT NULL,
	`activity_type_id` text NOT NULL,
	`definition_id` text NOT NULL,
	`message_id` text NOT NULL,
	`name` text NOT NULL,
	`subject` text NOT NULL,
	`due_at` integer NOT NULL,
	`case_status` text NOT NULL,
	`status` text NOT NULL,
	`reason` text,
	`origin` text NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	FOREIGN KEY (`case_id`) REFERENCES `cases`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `automated_sends_by_case` ON `automated_sends` (`case_id`,`due_at`,`id`);--> statement-breakpoint
CREATE INDEX `automated_sends_waiting` ON `automated_sends` (`case_id`,`due_at`,`id`) WHERE "automated_sends"."status" = 'pending';--> statement-breakpoint
CREATE INDEX `automated_sends_due` ON `automated_sends` (`due_at`,`id`) WHERE "automated_sends"."status" = 'pending';--> statement-breakpoint
CREATE INDEX `automated_sends_by_message` ON `automated_sends` (`message_id`) WHERE "automated_sends"."status" = 'pending';--> statement-breakpoint
CREATE INDEX `activity_types_with_automated` ON `activity_types` (`company_id`) WHERE "activity_types"."automated_communications" <> '[]';