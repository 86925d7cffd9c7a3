DROP INDEX `deliveries_due`;--> statement-breakpoint
ALTER TABLE `deliveries` ADD `entity` text;--> statement-breakpoint
ALTER TABLE `deliveries` ADD `parked` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `deliveries` ADD `again` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `deliveries_ready` ON `deliveries` (`webhook_id`,`parked`,`due_at`) WHERE "deliveries"."status" = 'pending';--> statement-breakpoint
CREATE INDEX `deliveries_in_order` ON `deliveries` (`webhook_id`,`entity`) WHERE "deliveries"."status" = 'pending' and "deliveries"."again" = 0 and "deliveries"."entity" is not null;--> statement-breakpoint
ALTER TABLE `webhooks` ADD `ordered` integer DEFAULT 0 NOT NULL;