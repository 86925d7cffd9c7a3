CREATE TABLE `timer_retries` (
	`lead_id` text PRIMARY KEY NOT NULL,
	`version` integer NOT NULL,
	`attempts` integer NOT NULL,
	`due_at` integer NOT NULL,
	FOREIGN KEY (`lead_id`) REFERENCES `leads`(`id`) ON UPDATE no action ON DELETE cascade
);
