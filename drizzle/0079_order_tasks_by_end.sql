CREATE INDEX `tasks_by_end` ON `tasks` (`company_id`,`end_at`,`id`);--> statement-breakpoint
CREATE INDEX `tasks_by_team_end` ON `tasks` (`company_id`,`team_id`,`end_at`,`id`);--> statement-breakpoint
CREATE INDEX `tasks_by_stage_and_end` ON `tasks` (`company_id`,`stage`,`end_at`,`id`);--> statement-breakpoint
CREATE INDEX `tasks_by_team_stage_and_end` ON `tasks` (`company_id`,`team_id`,`stage`,`end_at`,`id`);