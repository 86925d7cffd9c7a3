CREATE TABLE `devices` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`token` text NOT NULL,
	`user_id` integer NOT NULL,
	`type` text NOT NULL,
	`created_at` text NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `devices_token_unique` ON `devices` (`token`);--> statement-breakpoint
CREATE INDEX `devices_by_user` ON `devices` (`user_id`);--> statement-breakpoint
CREATE TABLE `notification_counts` (
	`user_id` integer PRIMARY KEY NOT NULL,
	`total` integer NOT NULL,
	`unread` integer NOT NULL,
	`leaving` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `notification_counts_leaving` ON `notification_counts` (`user_id`) WHERE "notification_counts"."leaving" = 1;--> statement-breakpoint
CREATE TABLE `notification_preferences` (
	`user_id` integer NOT NULL,
	`type` text NOT NULL,
	`app` integer NOT NULL,
	`mail` integer NOT NULL,
	`push` integer NOT NULL,
	PRIMARY KEY(`user_id`, `type`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `notification_reads` (
	`user_id` integer NOT NULL,
	`through` integer NOT NULL,
	`at` text NOT NULL,
	PRIMARY KEY(`user_id`, `through`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `notifications` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`company_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`type` text NOT NULL,
	`sender_id` integer,
	`data` text NOT NULL,
	`message` text,
	`read_at` text,
	`unsent` integer NOT NULL,
	`expires_at` integer,
	`created_at` text NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `notifications_id_unique` ON `notifications` (`id`);--> statement-breakpoint
CREATE INDEX `notifications_by_user` ON `notifications` (`user_id`,`seq`);--> statement-breakpoint
CREATE INDEX `notifications_unread` ON `notifications` (`user_id`,`seq`) WHERE "notifications"."read_at" is null and "notifications"."expires_at" is null;--> statement-breakpoint
CREATE INDEX `notifications_unsent` ON `notifications` (`seq`) WHERE "notifications"."unsent" > 0;--> statement-breakpoint
CREATE INDEX `notifications_expiring` ON `notifications` (`expires_at`) WHERE "notifications"."expires_at" is not null;--> statement-breakpoint
CREATE TABLE `pushes` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`notification_seq` integer NOT NULL,
	`device_id` integer NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`due_at` integer NOT NULL,
	FOREIGN KEY (`notification_seq`) REFERENCES `notifications`(`seq`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`device_id`) REFERENCES `devices`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `pushes_due` ON `pushes` (`due_at`,`id`);--> statement-breakpoint
CREATE INDEX `pushes_by_notification` ON `pushes` (`notification_seq`);--> statement-breakpoint
CREATE INDEX `pushes_by_device` ON `pushes` (`device_id`);--> statement-breakpoint
create trigger notification_counts_insert after insert on notifications when new.expires_at is null begin
  insert into notification_counts (user_id, total, unread) values (new.user_id, 1, new.read_at is null)
  on conflict (user_id) do update set total = total + 1, unread = unread + excluded.unread;
end;
--> statement-breakpoint
create trigger notification_counts_read after update of read_at on notifications when old.read_at is null and new.read_at is not null and new.expires_at is null and not exists (select 1 from notification_reads r where r.user_id = new.user_id and r.through >= new.seq) begin
  update notification_counts set unread = unread - 1 where user_id = new.user_id;
end;
--> statement-breakpoint
create trigger notification_counts_delete after delete on notifications when old.expires_at is null begin
  update notification_counts set total = total - 1, unread = unread - (old.read_at is null and not exists (select 1 from notification_reads r where r.user_id = old.user_id and r.through >= old.seq)) where user_id = old.user_id;
end;
--> statement-breakpoint
create trigger notification_counts_read_all after insert on notification_reads begin
  update notification_counts set unread = (select count(*) from notifications n where n.user_id = new.user_id and n.read_at is null and n.expires_at is null and n.seq > new.through) where user_id = new.user_id;
end;
