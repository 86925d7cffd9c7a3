CREATE TABLE `delivery_counts` (
	`webhook_id` integer NOT NULL,
	`status` text NOT NULL,
	`n` integer NOT NULL,
	PRIMARY KEY(`webhook_id`, `status`),
	FOREIGN KEY (`webhook_id`) REFERENCES `webhooks`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `recoveries` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`company_id` integer NOT NULL,
	`webhook_id` integer NOT NULL,
	`after_at` text NOT NULL,
	`after_id` text NOT NULL,
	`step_at` text,
	`step_id` text,
	`until` text NOT NULL,
	FOREIGN KEY (`webhook_id`) REFERENCES `webhooks`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `recoveries_by_webhook` ON `recoveries` (`webhook_id`);--> statement-breakpoint
DROP INDEX `deliveries_by_webhook`;--> statement-breakpoint
ALTER TABLE `deliveries` ADD `begun_after` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `deliveries` ADD `signed` text;--> statement-breakpoint
CREATE INDEX `deliveries_by_status` ON `deliveries` (`webhook_id`,`status`,`created_at`,`id`);--> statement-breakpoint
DROP INDEX `webhooks_live`;--> statement-breakpoint
ALTER TABLE `webhooks` ADD `failing_since` integer;--> statement-breakpoint
ALTER TABLE `webhooks` ADD `failures` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `webhooks_there` ON `webhooks` (`company_id`,`event_name`) WHERE "webhooks"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX `webhooks_failing` ON `webhooks` (`failing_since`) WHERE "webhooks"."failing_since" is not null;--> statement-breakpoint
CREATE INDEX `webhooks_rotating` ON `webhooks` (`previous_token_until`) WHERE "webhooks"."previous_token_until" is not null;--> statement-breakpoint
insert into delivery_counts (webhook_id, status, n) select webhook_id, status, count(*) from deliveries group by webhook_id, status;
--> statement-breakpoint
create trigger delivery_counts_insert after insert on deliveries begin
  insert into delivery_counts (webhook_id, status, n) values (new.webhook_id, new.status, 1)
  on conflict (webhook_id, status) do update set n = n + 1;
end;
--> statement-breakpoint
create trigger delivery_counts_update after update of status on deliveries when old.status <> new.status begin
  update delivery_counts set n = n - 1 where webhook_id = old.webhook_id and status = old.status;
  insert into delivery_counts (webhook_id, status, n) values (new.webhook_id, new.status, 1)
  on conflict (webhook_id, status) do update set n = n + 1;
end;
--> statement-breakpoint
create trigger delivery_counts_delete after delete on deliveries begin
  update delivery_counts set n = n - 1 where webhook_id = old.webhook_id and status = old.status;
end;
