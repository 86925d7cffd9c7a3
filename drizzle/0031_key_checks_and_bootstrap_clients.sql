CREATE TABLE `key_checks` (
	`id` integer PRIMARY KEY NOT NULL,
	`sealed` text NOT NULL
);
--> statement-breakpoint
ALTER TABLE `applications` ADD `bootstrap` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `applications_bootstrap` ON `applications` (`client_id`) WHERE "applications"."bootstrap" = 1;--> statement-breakpoint
update applications set bootstrap = 1
where company_id is null and user_id is null and trusted = 1 and name = 'Bootstrap'
  and client_id not glob '????????-????-7???-????-????????????';
