ALTER TABLE `campaign_messages` ADD `letter_size` integer;--> statement-breakpoint
ALTER TABLE `campaign_messages` ADD `letter_crc` integer;