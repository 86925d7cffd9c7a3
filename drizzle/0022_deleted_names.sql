CREATE TABLE `deleted_names` (
	`company_id` integer NOT NULL,
	`kind` text NOT NULL,
	`id` text NOT NULL,
	`name` text NOT NULL,
	PRIMARY KEY(`company_id`, `kind`, `id`)
);
