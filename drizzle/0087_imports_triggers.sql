create trigger import_usage_made after insert on imports when new.object_key is not null begin
  insert into file_usage (company_id, files, bytes) values (new.company_id, 0, new.bytes)
    on conflict (company_id) do update set bytes = bytes + excluded.bytes;
end;
--> statement-breakpoint
create trigger import_usage_removed after update of object_key on imports when old.object_key is not null and new.object_key is null begin
  update file_usage set bytes = bytes - old.bytes where company_id = old.company_id;
end;
--> statement-breakpoint
create trigger import_usage_deleted after delete on imports when old.object_key is not null begin
  update file_usage set bytes = bytes - old.bytes where company_id = old.company_id;
end;
