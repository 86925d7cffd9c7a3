CREATE INDEX `lead_transitions_by_team` ON `lead_transitions` (`team_id`,`kind`,`lead_id`);--> statement-breakpoint
CREATE INDEX `leads_of_account` ON `leads` (case when account_id is null then original_account_id else account_id end);--> statement-breakpoint
CREATE INDEX `leads_of_contact` ON `leads` (case when contact_id is null then original_contact_id else contact_id end);--> statement-breakpoint
CREATE INDEX `leads_by_type` ON `leads` (`lead_type_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `leads_by_user` ON `leads` (`company_id`,`user_id`) WHERE "leads"."user_id" is not null;--> statement-breakpoint
CREATE INDEX `leads_by_source` ON `leads` (`company_id`,case when lowered ->> 'lead_source' is null then lower(lead_source) else lowered ->> 'lead_source' end);--> statement-breakpoint
CREATE INDEX `leads_by_interest` ON `leads` (`company_id`,case when lowered ->> 'interest' is null then lower(interest) else lowered ->> 'interest' end) WHERE case when lowered ->> 'interest' is null then lower(interest) else lowered ->> 'interest' end is not null;--> statement-breakpoint
CREATE INDEX `leads_by_expiry` ON `leads` (`company_id`,`expires_at`) WHERE "leads"."expires_at" is not null;--> statement-breakpoint
CREATE INDEX `leads_by_deletion` ON `leads` (`company_id`,`deleted_at`) WHERE "leads"."deleted_at" is not null;