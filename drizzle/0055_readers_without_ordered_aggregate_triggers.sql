drop trigger file_readers_insert;
--> statement-breakpoint
drop trigger file_readers_delete;
--> statement-breakpoint
create trigger file_readers_insert after insert on file_permissions when (select instr(readers, '"' || new.type || ':' || new.value || '"') from files where id = new.file_id) = 0 begin
  update files set readers = (select json_group_array(o.reader) from (select p.type || ':' || p.value
    as reader from file_permissions p where p.file_id = new.file_id order by p.type, p.value) o)
    where id = new.file_id;
end;
--> statement-breakpoint
create trigger file_readers_delete after delete on file_permissions when (select instr(readers, '"' || old.type || ':' || old.value || '"') from files where id = old.file_id) > 0 begin
  update files set readers = (select json_group_array(o.reader) from (select p.type || ':' || p.value
    as reader from file_permissions p where p.file_id = old.file_id order by p.type, p.value) o)
    where id = old.file_id;
end;
