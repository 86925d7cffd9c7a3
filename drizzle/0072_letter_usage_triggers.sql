create trigger letter_usage_made after update of object on campaign_messages when old.object is null and new.object is not null begin
  insert into file_usage (company_id, files, bytes) values (new.company_id, 0, ifnull(new.letter_size, 0))
    on conflict (company_id) do update set bytes = bytes + excluded.bytes;
end;
--> statement-breakpoint
create trigger letter_usage_removed after update of object on campaign_messages when old.object is not null and new.object is null begin
  update file_usage set bytes = bytes - ifnull(old.letter_size, 0) where company_id = old.company_id;
end;
--> statement-breakpoint
create trigger letter_usage_deleted after delete on campaign_messages when old.object is not null begin
  update file_usage set bytes = bytes - ifnull(old.letter_size, 0) where company_id = old.company_id;
end;
--> statement-breakpoint
insert into file_usage (company_id, files, bytes)
  select company_id, 0, sum(ifnull(letter_size, 0)) from campaign_messages where object is not null group by company_id
  on conflict (company_id) do update set bytes = bytes + excluded.bytes;
