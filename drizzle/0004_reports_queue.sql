ALTER TABLE `scheduled_reports` ADD `due_at` integer;--> statement-breakpoint
CREATE INDEX `scheduled_reports_due` ON `scheduled_reports` (`due_at`) WHERE "scheduled_reports"."due_at" is not null;--> statement-breakpoint
CREATE INDEX `scheduled_reports_in_turn` ON `scheduled_reports` (`company_id`,`due_at`,`id`) WHERE "scheduled_reports"."due_at" is not null;--> statement-breakpoint
update scheduled_reports set due_at = attempt_at where attempt_at is not null;
