CREATE TABLE `lowerings` (
	`table` text PRIMARY KEY NOT NULL,
	`done` integer NOT NULL,
	`last` integer NOT NULL
);
