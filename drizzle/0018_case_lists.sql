DROP INDEX `cases_by_user_important`;--> statement-breakpoint
DROP INDEX `cases_by_created`;--> statement-breakpoint
DROP INDEX `cases_by_account`;--> statement-breakpoint
DROP INDEX `cases_by_lead_type`;--> statement-breakpoint
CREATE INDEX `cases_by_account_important` ON `cases` (`company_id`,`account_id`,`important_key`,`id`);--> statement-breakpoint
CREATE INDEX `cases_by_path_status` ON `cases` (`company_id`,`relations_path_id`,`status`,`team_id`);--> statement-breakpoint
CREATE INDEX `cases_by_lead_source` ON `cases` (`company_id`,`lead_source`,`status`,`team_id`) WHERE "cases"."lead_source" is not null;--> statement-breakpoint
CREATE INDEX `cases_by_milestone` ON `cases` (`company_id`,`highest_milestone_id`,`status`,`team_id`) WHERE "cases"."highest_milestone_id" is not null;--> statement-breakpoint
CREATE INDEX `cases_by_milestone_type` ON `cases` (`company_id`,`highest_milestone_type`,`status`,`team_id`) WHERE "cases"."highest_milestone_type" is not null;--> statement-breakpoint
CREATE INDEX `cases_by_milestone_at` ON `cases` (`company_id`,`highest_milestone_at`,`status`,`team_id`) WHERE "cases"."highest_milestone_at" is not null;--> statement-breakpoint
CREATE INDEX `cases_by_user_important` ON `cases` (`company_id`,`user_id`,`important_key`,`id`,`status`,`team_id`);--> statement-breakpoint
CREATE INDEX `cases_by_created` ON `cases` (`company_id`,`created_at`,`id`,`status`,`team_id`);--> statement-breakpoint
CREATE INDEX `cases_by_account` ON `cases` (`account_id`,`status`,`team_id`);--> statement-breakpoint
CREATE INDEX `cases_by_lead_type` ON `cases` (`company_id`,`lead_type_id`,`status`,`team_id`);