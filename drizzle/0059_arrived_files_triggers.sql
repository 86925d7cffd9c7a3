create trigger arrived_files_forgotten after delete on correspondences when old.direction = 'in' and old.file_ids <> '[]' begin
  update objects set removed_from = 0 where removed_from is null and key in (
    select object_key from files where id in (select f.id from json_each(old.file_ids) i join files f on f.id = i.value
    where f.company_id = old.company_id and f.belongs_to is null and f.folder_id is null
    and f.public = 0 and f.picture_key is null and f.readers = '[]' and not exists (select 1
    from attachments a where a.file_id = f.id and (a.entity_type <> 'case' or a.entity_id <> old.case_id))));
  delete from attachments where file_id in (select f.id from json_each(old.file_ids) i join files f on f.id = i.value
    where f.company_id = old.company_id and f.belongs_to is null and f.folder_id is null
    and f.public = 0 and f.picture_key is null and f.readers = '[]' and not exists (select 1
    from attachments a where a.file_id = f.id and (a.entity_type <> 'case' or a.entity_id <> old.case_id)));
  delete from files where id in (select f.id from json_each(old.file_ids) i join files f on f.id = i.value
    where f.company_id = old.company_id and f.belongs_to is null and f.folder_id is null
    and f.public = 0 and f.picture_key is null and f.readers = '[]' and not exists (select 1
    from attachments a where a.file_id = f.id and (a.entity_type <> 'case' or a.entity_id <> old.case_id)));
end;
