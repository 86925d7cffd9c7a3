create trigger ranks_total_insert after insert on ranks begin
  insert into totals (company_id, kind, team_id, status, agency_team_id, n)
    values (new.company_id, 'ranks', 0, new.owner, 0, 1)
    on conflict (company_id, kind, team_id, status, agency_team_id) do update set n = n + 1;
end;
--> statement-breakpoint
create trigger ranks_total_delete after delete on ranks begin
  update totals set n = n - 1 where company_id = old.company_id
    and kind = 'ranks' and team_id = 0 and status = old.owner
    and agency_team_id = 0;
end;
--> statement-breakpoint
create trigger ranks_total_leave after update of team_id, group_id on ranks when (old.team_id is not new.team_id or old.group_id is not new.group_id) begin
  update totals set n = n - 1 where company_id = old.company_id
    and kind = 'ranks' and team_id = 0 and status = old.owner
    and agency_team_id = 0;
end;
--> statement-breakpoint
create trigger ranks_total_enter after update of team_id, group_id on ranks when (old.team_id is not new.team_id or old.group_id is not new.group_id) begin
  insert into totals (company_id, kind, team_id, status, agency_team_id, n)
    values (new.company_id, 'ranks', 0, new.owner, 0, 1)
    on conflict (company_id, kind, team_id, status, agency_team_id) do update set n = n + 1;
end;
