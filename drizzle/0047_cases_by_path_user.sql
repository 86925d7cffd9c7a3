DROP INDEX `cases_by_path_created`;--> statement-breakpoint
CREATE INDEX `cases_by_path_user` ON `cases` (`company_id`,`relations_path_id`,`user_id`,`created_at`,`highest_milestone_id`,`id`);