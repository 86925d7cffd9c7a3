ALTER TABLE `leads` ADD `countdown_key` text GENERATED ALWAYS AS (case when escalates_at is null then printf('~%012d', 253402300800 - unixepoch(created_at)) else escalates_at end) VIRTUAL;--> statement-breakpoint
CREATE INDEX `leads_by_countdown` ON `leads` (`company_id`,`countdown_key`,`id`);--> statement-breakpoint
CREATE INDEX `leads_by_team_countdown` ON `leads` (`company_id`,`team_id`,`countdown_key`,`id`);--> statement-breakpoint
CREATE INDEX `leads_by_agency_countdown` ON `leads` (`company_id`,`agency_team_id`,`countdown_key`,`id`);--> statement-breakpoint
CREATE INDEX `leads_by_exact_source` ON `leads` (`company_id`,`lead_source`,`team_id`,`agency_team_id`,`expires_at`) WHERE "leads"."hidden" = 0;