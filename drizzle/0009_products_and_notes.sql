CREATE TABLE `note_mentions` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`note_id` integer NOT NULL,
	`user_id` integer,
	`team_id` integer,
	`created_at` text NOT NULL,
	FOREIGN KEY (`note_id`) REFERENCES `notes`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `note_mentions_by_note` ON `note_mentions` (`note_id`);--> statement-breakpoint
CREATE TABLE `notes` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`company_id` integer NOT NULL,
	`team_id` integer,
	`user_id` integer NOT NULL,
	`note` text NOT NULL,
	`case_id` text,
	`activity_id` text,
	`account_id` text,
	`contact_id` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`case_id`) REFERENCES `cases`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`activity_id`) REFERENCES `activities`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`contact_id`) REFERENCES `contacts`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `notes_by_created` ON `notes` (`company_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `notes_by_team_created` ON `notes` (`company_id`,`team_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `notes_by_case` ON `notes` (`case_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `notes_by_activity` ON `notes` (`activity_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `notes_by_account` ON `notes` (`account_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `notes_by_contact` ON `notes` (`contact_id`,`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `product_categories` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`company_id` integer NOT NULL,
	`name` text NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `product_categories_by_created` ON `product_categories` (`company_id`,`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `products` (
	`seq` integer PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`company_id` integer NOT NULL,
	`name` text NOT NULL,
	`list_price` real,
	`purchase_price` real,
	`type` text,
	`tax` real,
	`custom` text DEFAULT '{}' NOT NULL,
	`created_by` integer,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `products_id_unique` ON `products` (`id`);--> statement-breakpoint
CREATE INDEX `products_by_created` ON `products` (`company_id`,`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `products_in_categories` (
	`product_id` text NOT NULL,
	`category_id` integer NOT NULL,
	`place` integer NOT NULL,
	PRIMARY KEY(`product_id`, `category_id`),
	FOREIGN KEY (`product_id`) REFERENCES `products`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`category_id`) REFERENCES `product_categories`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `products_in_categories_by_category` ON `products_in_categories` (`category_id`,`product_id`);--> statement-breakpoint
CREATE TABLE `related_products` (
	`product_id` text NOT NULL,
	`related_id` text NOT NULL,
	`place` integer NOT NULL,
	PRIMARY KEY(`product_id`, `related_id`),
	FOREIGN KEY (`product_id`) REFERENCES `products`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`related_id`) REFERENCES `products`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `related_products_by_related` ON `related_products` (`related_id`,`product_id`);--> statement-breakpoint
create trigger products_total_insert after insert on products begin
  insert into totals (company_id, kind, team_id, status, agency_team_id, n) values (new.company_id, 'products', 0, '', 0, 1)
  on conflict (company_id, kind, team_id, status, agency_team_id) do update set n = n + 1;
end;
--> statement-breakpoint
create trigger products_total_delete after delete on products begin
  update totals set n = n - 1 where company_id = old.company_id and kind = 'products' and team_id = 0 and status = '' and agency_team_id = 0;
end;
--> statement-breakpoint
create trigger product_categories_total_insert after insert on product_categories begin
  insert into totals (company_id, kind, team_id, status, agency_team_id, n) values (new.company_id, 'product_categories', 0, '', 0, 1)
  on conflict (company_id, kind, team_id, status, agency_team_id) do update set n = n + 1;
end;
--> statement-breakpoint
create trigger product_categories_total_delete after delete on product_categories begin
  update totals set n = n - 1 where company_id = old.company_id and kind = 'product_categories' and team_id = 0 and status = '' and agency_team_id = 0;
end;
--> statement-breakpoint
create trigger notes_total_insert after insert on notes begin
  insert into totals (company_id, kind, team_id, status, agency_team_id, n) values (new.company_id, 'notes', ifnull(new.team_id, 0), '', 0, 1)
  on conflict (company_id, kind, team_id, status, agency_team_id) do update set n = n + 1;
end;
--> statement-breakpoint
create trigger notes_total_delete after delete on notes begin
  update totals set n = n - 1 where company_id = old.company_id and kind = 'notes' and team_id = ifnull(old.team_id, 0) and status = '' and agency_team_id = 0;
end;
--> statement-breakpoint
create trigger notes_total_leave after update of team_id on notes when (old.team_id is not new.team_id) begin
  update totals set n = n - 1 where company_id = old.company_id and kind = 'notes' and team_id = ifnull(old.team_id, 0) and status = '' and agency_team_id = 0;
end;
--> statement-breakpoint
create trigger notes_total_enter after update of team_id on notes when (old.team_id is not new.team_id) begin
  insert into totals (company_id, kind, team_id, status, agency_team_id, n) values (new.company_id, 'notes', ifnull(new.team_id, 0), '', 0, 1)
  on conflict (company_id, kind, team_id, status, agency_team_id) do update set n = n + 1;
end;
--> statement-breakpoint
create virtual table notes_search using fts5(words, content='', contentless_delete=1, detail=none, tokenize='ascii');
--> statement-breakpoint
create trigger notes_search_delete after delete on notes begin
  delete from notes_search where rowid = old.id;
end;
--> statement-breakpoint
create trigger notes_follow_cases after update of team_id on cases when old.team_id is not new.team_id begin
  update notes set team_id = new.team_id, version = version + 1 where case_id = new.id;
end;
--> statement-breakpoint
create trigger notes_follow_contacts after update of team_id, account_id on contacts when (old.team_id is not new.team_id or old.account_id is not new.account_id) begin
  update notes set account_id = new.account_id, team_id = iif(case_id is null, new.team_id, team_id), version = version + 1 where contact_id = new.id;
end;
