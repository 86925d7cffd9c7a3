CREATE TABLE `holds` (
	`id` integer PRIMARY KEY NOT NULL,
	`since` integer NOT NULL
);
