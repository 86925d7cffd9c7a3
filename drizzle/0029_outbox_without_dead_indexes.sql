DROP INDEX `outbox_by_entity`;--> statement-breakpoint
DROP INDEX `outbox_by_company`;--> statement-breakpoint
CREATE INDEX `outbox_by_company` ON `outbox` (`company_id`);