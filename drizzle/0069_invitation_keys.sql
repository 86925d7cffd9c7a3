ALTER TABLE `invitations` ADD `email_key` text DEFAULT '' NOT NULL;--> statement-breakpoint
update invitations set email_key = lower(email);
