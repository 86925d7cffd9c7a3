CREATE TABLE `team_handovers` (
	`team_id` integer PRIMARY KEY NOT NULL,
	`company_id` integer NOT NULL,
	`heir_id` integer NOT NULL,
	`created_at` text NOT NULL,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`heir_id`) REFERENCES `teams`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `team_handovers_by_heir` ON `team_handovers` (`heir_id`);