create trigger names_of_deleted_teams after delete on teams when exists (select 1 from companies o where o.id = old.company_id and o.deleted_at is null) begin
  insert into deleted_names (company_id, kind, id, name)
    values (old.company_id, 'teams', cast(old.id as text), old.name) on conflict do nothing;
end;
--> statement-breakpoint
create trigger names_of_deleted_groups after delete on groups when exists (select 1 from companies o where o.id = old.company_id and o.deleted_at is null) begin
  insert into deleted_names (company_id, kind, id, name)
    values (old.company_id, 'groups', cast(old.id as text), old.name) on conflict do nothing;
end;
--> statement-breakpoint
create trigger names_of_deleted_relations_paths after delete on relations_paths when exists (select 1 from companies o where o.id = old.company_id and o.deleted_at is null) begin
  insert into deleted_names (company_id, kind, id, name)
    values (old.company_id, 'relations_paths', cast(old.id as text), old.name) on conflict do nothing;
end;
--> statement-breakpoint
create trigger names_of_deleted_activity_types after delete on activity_types when exists (select 1 from companies o where o.id = old.company_id and o.deleted_at is null) begin
  insert into deleted_names (company_id, kind, id, name)
    values (old.company_id, 'activity_types', cast(old.id as text), old.name) on conflict do nothing;
end;
--> statement-breakpoint
create trigger names_of_deleted_lead_types after delete on lead_types when exists (select 1 from companies o where o.id = old.company_id and o.deleted_at is null) begin
  insert into deleted_names (company_id, kind, id, name)
    values (old.company_id, 'lead_types', cast(old.id as text), old.name) on conflict do nothing;
end;
--> statement-breakpoint
create trigger names_of_deleted_products after delete on products when exists (select 1 from companies o where o.id = old.company_id and o.deleted_at is null) begin
  insert into deleted_names (company_id, kind, id, name)
    values (old.company_id, 'products', cast(old.id as text), old.name) on conflict do nothing;
end;
