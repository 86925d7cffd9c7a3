ALTER TABLE `cases` ADD `close_key` text GENERATED ALWAYS AS (ifnull(estimated_close_date, '~')) VIRTUAL;--> statement-breakpoint
CREATE INDEX `cases_by_team_created` ON `cases` (`company_id`,`team_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `cases_by_updated` ON `cases` (`company_id`,`updated_at`,`id`);--> statement-breakpoint
CREATE INDEX `cases_by_team_updated` ON `cases` (`company_id`,`team_id`,`updated_at`,`id`);--> statement-breakpoint
CREATE INDEX `cases_by_close` ON `cases` (`company_id`,`close_key`,`id`);--> statement-breakpoint
CREATE INDEX `cases_by_team_close` ON `cases` (`company_id`,`team_id`,`close_key`,`id`);--> statement-breakpoint
CREATE INDEX `cases_by_value` ON `cases` (`company_id`,`offer_value`,`id`);--> statement-breakpoint
CREATE INDEX `cases_by_team_value` ON `cases` (`company_id`,`team_id`,`offer_value`,`id`);--> statement-breakpoint
CREATE INDEX `cases_on_board` ON `cases` (`company_id`,`relations_path_id`,`highest_milestone_id`,`important_key`,`id`,`team_id`,`user_id`,`offer_value`,`chance_of_success`) WHERE "cases"."status" = 'open';