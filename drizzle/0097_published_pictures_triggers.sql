drop trigger file_usage_delete;
--> statement-breakpoint
create trigger file_usage_delete after delete on files begin
  update file_usage set files = files - 1, bytes = bytes - old.size - ifnull((select o.bytes from objects o where o.key = old.picture_key), 0)
    where company_id = old.company_id;
end;
--> statement-breakpoint
create trigger file_usage_pictures after update of picture_key on files when old.picture_key is not new.picture_key begin
  update file_usage set bytes = bytes + ifnull((select o.bytes from objects o where o.key = new.picture_key), 0) - ifnull((select o.bytes from objects o where o.key = old.picture_key), 0)
    where company_id = new.company_id;
end;
--> statement-breakpoint
-- Pictures that were published before.
update file_usage set bytes = bytes + (select ifnull(sum(o.bytes), 0) from files f join objects o on o.key = f.picture_key
    where f.company_id = file_usage.company_id);
