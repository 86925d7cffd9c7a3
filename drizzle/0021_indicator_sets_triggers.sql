create trigger indicator_sets_total_insert after insert on indicator_sets begin
  insert into totals (company_id, kind, team_id, status, agency_team_id, n)
    values (new.company_id, 'indicator_sets', 0, new.owner, 0, 1)
    on conflict (company_id, kind, team_id, status, agency_team_id) do update set n = n + 1;
end;
--> statement-breakpoint
create trigger indicator_sets_total_delete after delete on indicator_sets begin
  update totals set n = n - 1 where company_id = old.company_id
    and kind = 'indicator_sets' and team_id = 0 and status = old.owner
    and agency_team_id = 0;
end;
--> statement-breakpoint
create trigger indicator_sets_total_leave after update of team_id, group_id, private, user_id on indicator_sets when (old.team_id is not new.team_id or old.group_id is not new.group_id or old.private is not new.private or old.user_id is not new.user_id) begin
  update totals set n = n - 1 where company_id = old.company_id
    and kind = 'indicator_sets' and team_id = 0 and status = old.owner
    and agency_team_id = 0;
end;
--> statement-breakpoint
create trigger indicator_sets_total_enter after update of team_id, group_id, private, user_id on indicator_sets when (old.team_id is not new.team_id or old.group_id is not new.group_id or old.private is not new.private or old.user_id is not new.user_id) begin
  insert into totals (company_id, kind, team_id, status, agency_team_id, n)
    values (new.company_id, 'indicator_sets', 0, new.owner, 0, 1)
    on conflict (company_id, kind, team_id, status, agency_team_id) do update set n = n + 1;
end;
