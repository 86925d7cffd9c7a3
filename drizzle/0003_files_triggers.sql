create trigger file_usage_insert after insert on files begin
  insert into file_usage (company_id, files, bytes) values (new.company_id, 1, new.size)
    on conflict (company_id) do update set files = files + 1, bytes = bytes + excluded.bytes;
end;
--> statement-breakpoint
create trigger file_usage_delete after delete on files begin
  update file_usage set files = files - 1, bytes = bytes - old.size
    where company_id = old.company_id;
end;
--> statement-breakpoint
create trigger file_usage_update after update of size on files when old.size <> new.size begin
  update file_usage set bytes = bytes + new.size - old.size where company_id = new.company_id;
end;
--> statement-breakpoint
create trigger file_readers_insert after insert on file_permissions when (select instr(readers, '"' || new.type || ':' || new.value || '"') from files where id = new.file_id) = 0 begin
  update files set readers = (select json_group_array(p.type || ':' || p.value order by p.type, p.value)
    from file_permissions p where p.file_id = new.file_id) where id = new.file_id;
end;
--> statement-breakpoint
create trigger file_readers_delete after delete on file_permissions when (select instr(readers, '"' || old.type || ':' || old.value || '"') from files where id = old.file_id) > 0 begin
  update files set readers = (select json_group_array(p.type || ':' || p.value order by p.type, p.value)
    from file_permissions p where p.file_id = old.file_id) where id = old.file_id;
end;
--> statement-breakpoint
create trigger file_totals_insert after insert on files begin
  insert into file_totals (company_id, user_id, readers, n)
    values (new.company_id, new.user_id, new.readers, 1)
    on conflict (company_id, user_id, readers) do update set n = n + 1;
end;
--> statement-breakpoint
create trigger file_totals_delete after delete on files begin
  update file_totals set n = n - 1
    where company_id = old.company_id and user_id = old.user_id and readers = old.readers;
  delete from file_totals where company_id = old.company_id and user_id = old.user_id and readers = old.readers and n = 0;
end;
--> statement-breakpoint
create trigger file_totals_update after update of user_id, readers on files when old.user_id <> new.user_id or old.readers <> new.readers begin
  update file_totals set n = n - 1
    where company_id = old.company_id and user_id = old.user_id and readers = old.readers;
  delete from file_totals where company_id = old.company_id and user_id = old.user_id and readers = old.readers and n = 0;
  insert into file_totals (company_id, user_id, readers, n)
    values (new.company_id, new.user_id, new.readers, 1)
    on conflict (company_id, user_id, readers) do update set n = n + 1;
end;
--> statement-breakpoint
create trigger files_contents_insert after insert on files when ifnull(new.folder_id, new.belongs_to || ':' || new.belongs_to_id) is not null begin
  insert into folder_contents (company_id, place, folders, files)
    values (new.company_id, ifnull(new.folder_id, new.belongs_to || ':' || new.belongs_to_id), 0, 1)
    on conflict (company_id, place) do update set files = files + 1;
end;
--> statement-breakpoint
create trigger files_contents_delete after delete on files when ifnull(old.folder_id, old.belongs_to || ':' || old.belongs_to_id) is not null begin
  update folder_contents set files = files - 1
    where company_id = old.company_id and place = ifnull(old.folder_id, old.belongs_to || ':' || old.belongs_to_id);
end;
--> statement-breakpoint
create trigger files_contents_leave after update of folder_id, belongs_to, belongs_to_id on files when (old.folder_id is not new.folder_id or old.belongs_to is not new.belongs_to or old.belongs_to_id is not new.belongs_to_id) and ifnull(old.folder_id, old.belongs_to || ':' || old.belongs_to_id) is not null begin
  update folder_contents set files = files - 1
    where company_id = old.company_id and place = ifnull(old.folder_id, old.belongs_to || ':' || old.belongs_to_id);
end;
--> statement-breakpoint
create trigger files_contents_enter after update of folder_id, belongs_to, belongs_to_id on files when (old.folder_id is not new.folder_id or old.belongs_to is not new.belongs_to or old.belongs_to_id is not new.belongs_to_id) and ifnull(new.folder_id, new.belongs_to || ':' || new.belongs_to_id) is not null begin
  insert into folder_contents (company_id, place, folders, files)
    values (new.company_id, ifnull(new.folder_id, new.belongs_to || ':' || new.belongs_to_id), 0, 1)
    on conflict (company_id, place) do update set files = files + 1;
end;
--> statement-breakpoint
create trigger folders_contents_insert after insert on folders when ifnull(new.folder_id, new.belongs_to || ':' || new.belongs_to_id) is not null and new.deleted_at is null begin
  insert into folder_contents (company_id, place, folders, files)
    values (new.company_id, ifnull(new.folder_id, new.belongs_to || ':' || new.belongs_to_id), 1, 0)
    on conflict (company_id, place) do update set folders = folders + 1;
end;
--> statement-breakpoint
create trigger folders_contents_delete after delete on folders when ifnull(old.folder_id, old.belongs_to || ':' || old.belongs_to_id) is not null and old.deleted_at is null begin
  update folder_contents set folders = folders - 1
    where company_id = old.company_id and place = ifnull(old.folder_id, old.belongs_to || ':' || old.belongs_to_id);
end;
--> statement-breakpoint
create trigger folders_contents_leave after update of folder_id, belongs_to, belongs_to_id, deleted_at on folders when (old.folder_id is not new.folder_id or old.belongs_to is not new.belongs_to or old.belongs_to_id is not new.belongs_to_id or old.deleted_at is not new.deleted_at) and ifnull(old.folder_id, old.belongs_to || ':' || old.belongs_to_id) is not null and old.deleted_at is null begin
  update folder_contents set folders = folders - 1
    where company_id = old.company_id and place = ifnull(old.folder_id, old.belongs_to || ':' || old.belongs_to_id);
end;
--> statement-breakpoint
create trigger folders_contents_enter after update of folder_id, belongs_to, belongs_to_id, deleted_at on folders when (old.folder_id is not new.folder_id or old.belongs_to is not new.belongs_to or old.belongs_to_id is not new.belongs_to_id or old.deleted_at is not new.deleted_at) and ifnull(new.folder_id, new.belongs_to || ':' || new.belongs_to_id) is not null and new.deleted_at is null begin
  insert into folder_contents (company_id, place, folders, files)
    values (new.company_id, ifnull(new.folder_id, new.belongs_to || ':' || new.belongs_to_id), 1, 0)
    on conflict (company_id, place) do update set folders = folders + 1;
end;
--> statement-breakpoint
create trigger folders_contents_end after delete on folders begin
  delete from folder_contents where company_id = old.company_id and place = old.id;
end;
--> statement-breakpoint
create virtual table files_search using fts5(words, content='', contentless_delete=1, detail=none, tokenize='ascii');
--> statement-breakpoint
create trigger files_search_delete after delete on files begin
  delete from files_search where rowid = old.seq;
end;
