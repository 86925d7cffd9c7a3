DROP INDEX `case_milestones_by_type`;--> statement-breakpoint
ALTER TABLE `case_milestones` ADD `contact_id` text;--> statement-breakpoint
ALTER TABLE `case_milestones` ADD `account_id` text;--> statement-breakpoint
ALTER TABLE `case_milestones` ADD `team_id` integer;--> statement-breakpoint
CREATE INDEX `case_milestones_by_contact` ON `case_milestones` (`activity_type_id`,`contact_id`,`team_id`);--> statement-breakpoint
CREATE INDEX `case_milestones_by_account` ON `case_milestones` (`activity_type_id`,`account_id`,`team_id`);--> statement-breakpoint
DROP INDEX `accounts_lower_name`;--> statement-breakpoint
CREATE INDEX `accounts_lower_name` ON `accounts` (`company_id`,case when lowered ->> 'name' is null then lower(name) else lowered ->> 'name' end,`created_at`,`b2c`,`team_id`) WHERE case when lowered ->> 'name' is null then lower(name) else lowered ->> 'name' end is not null;--> statement-breakpoint
DROP INDEX `contacts_lower_last_name`;--> statement-breakpoint
CREATE INDEX `contacts_lower_last_name` ON `contacts` (`company_id`,case when lowered ->> 'last_name' is null then lower(last_name) else lowered ->> 'last_name' end,`created_at`,`b2c`,`team_id`) WHERE case when lowered ->> 'last_name' is null then lower(last_name) else lowered ->> 'last_name' end is not null;--> statement-breakpoint
DROP INDEX `custom_values_by_text`;--> statement-breakpoint
DROP INDEX `custom_values_by_number`;--> statement-breakpoint
ALTER TABLE `custom_values` ADD `b2c` integer;--> statement-breakpoint
ALTER TABLE `custom_values` ADD `team_id` integer;--> statement-breakpoint
CREATE INDEX `custom_values_by_text` ON `custom_values` (`field`,`text`,`owner`,`b2c`,`team_id`) WHERE "custom_values"."text" is not null;--> statement-breakpoint
CREATE INDEX `custom_values_by_number` ON `custom_values` (`field`,`number`,`owner`,`b2c`,`team_id`) WHERE "custom_values"."number" is not null;
--> statement-breakpoint
update custom_values set
  b2c = (select o.b2c from contacts o where o.seq = owner), team_id = (select o.team_id from contacts o where o.seq = owner)
  where field in (select seq from fields where owner_type = 'contact');
--> statement-breakpoint
update custom_values set
  b2c = (select o.b2c from accounts o where o.seq = owner), team_id = (select o.team_id from accounts o where o.seq = owner)
  where field in (select seq from fields where owner_type = 'account');
--> statement-breakpoint
create trigger custom_values_follow_contacts after update of team_id on contacts when old.team_id is not new.team_id begin
  update custom_values set team_id = new.team_id where owner = new.seq
    and field in (select seq from fields where company_id = new.company_id and owner_type = 'contact');
end;
--> statement-breakpoint
create trigger custom_values_follow_accounts after update of team_id on accounts when old.team_id is not new.team_id begin
  update custom_values set team_id = new.team_id where owner = new.seq
    and field in (select seq from fields where company_id = new.company_id and owner_type = 'account');
end;
--> statement-breakpoint
update case_milestones set
  contact_id = (select c.contact_id from cases c where c.id = case_id),
  account_id = (select c.account_id from cases c where c.id = case_id),
  team_id = (select c.team_id from cases c where c.id = case_id);
--> statement-breakpoint
create trigger case_milestones_of_case after insert on case_milestones when new.contact_id is null begin
  update case_milestones set
    contact_id = (select c.contact_id from cases c where c.id = new.case_id),
    account_id = (select c.account_id from cases c where c.id = new.case_id),
    team_id = (select c.team_id from cases c where c.id = new.case_id)
    where case_id = new.case_id and activity_type_id = new.activity_type_id;
end;
--> statement-breakpoint
create trigger case_milestones_follow_cases after update of contact_id, account_id, team_id on cases
  when old.contact_id is not new.contact_id or old.account_id is not new.account_id or old.team_id is not new.team_id begin
  update case_milestones set contact_id = new.contact_id, account_id = new.account_id, team_id = new.team_id
    where case_id = new.id;
end;
