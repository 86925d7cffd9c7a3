drop trigger merges_of_accounts_delete;
--> statement-breakpoint
drop trigger merges_of_contacts_delete;
--> statement-breakpoint
create trigger merges_of_accounts_delete after delete on accounts begin
  delete from merge_locks where merge_id in (select m.id from merges m where m.root_id = old.id);
  delete from merge_rows where merge_id in (select m.id from merges m where m.root_id = old.id);
  delete from merged_records where merge_id in (select m.id from merges m where m.root_id = old.id);
  delete from merges where root_id = old.id;
end;
--> statement-breakpoint
create trigger merges_of_contacts_delete after delete on contacts begin
  delete from merge_locks where merge_id in (select m.id from merges m where m.root_id = old.id);
  delete from merge_rows where merge_id in (select m.id from merges m where m.root_id = old.id);
  delete from merged_records where merge_id in (select m.id from merges m where m.root_id = old.id);
  delete from merges where root_id = old.id;
end;
