drop trigger relations_paths_total_insert;
--> statement-breakpoint
drop trigger relations_paths_total_delete;
--> statement-breakpoint
drop trigger relations_paths_total_leave;
--> statement-breakpoint
drop trigger relations_paths_total_enter;
--> statement-breakpoint
create trigger relations_paths_total_insert after insert on relations_paths begin
  insert into totals (company_id, kind, team_id, status, agency_team_id, n)
    values (new.company_id, 'relations_paths', 0, new.reader, 0, 1)
    on conflict (company_id, kind, team_id, status, agency_team_id) do update set n = n + 1;
end;
--> statement-breakpoint
create trigger relations_paths_total_delete after delete on relations_paths begin
  update totals set n = n - 1 where company_id = old.company_id
    and kind = 'relations_paths' and team_id = 0 and status = old.reader
    and agency_team_id = 0;
end;
--> statement-breakpoint
create trigger relations_paths_total_leave after update of team_id, group_id, kept_for on relations_paths when (old.team_id is not new.team_id or old.group_id is not new.group_id or old.kept_for is not new.kept_for) begin
  update totals set n = n - 1 where company_id = old.company_id
    and kind = 'relations_paths' and team_id = 0 and status = old.reader
    and agency_team_id = 0;
end;
--> statement-breakpoint
create trigger relations_paths_total_enter after update of team_id, group_id, kept_for on relations_paths when (old.team_id is not new.team_id or old.group_id is not new.group_id or old.kept_for is not new.kept_for) begin
  insert into totals (company_id, kind, team_id, status, agency_team_id, n)
    values (new.company_id, 'relations_paths', 0, new.reader, 0, 1)
    on conflict (company_id, kind, team_id, status, agency_team_id) do update set n = n + 1;
end;
