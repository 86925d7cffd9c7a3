ALTER TABLE `contacts` ADD `phone_key` text;--> statement-breakpoint
-- Numbers without the code of their country get the key that they have from now on; others one that is looked for too.
update contacts set phone_key = iif(digits <> '' and digits not glob '*[^0-9]*', digits, lower(phone_number))
  from (select seq as own, ltrim(replace(replace(replace(replace(replace(replace(replace(phone_number, ' ', ''), '(', ''), ')', ''), '.', ''), '/', ''), '+', ''), '-', ''), '0') as digits
    from contacts where phone_number <> '') where seq = own;
--> statement-breakpoint
CREATE INDEX `contacts_by_phone` ON `contacts` (`company_id`,`phone_key`,`b2c`) WHERE "contacts"."phone_key" is not null;
