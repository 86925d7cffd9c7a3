insert into totals (company_id, kind, team_id, status, agency_team_id, n)
  select company_id, 'leads_by_state', 0, state, 0, count(*) from leads not indexed where hidden = 0 group by company_id, state;
--> statement-breakpoint
insert into totals (company_id, kind, team_id, status, agency_team_id, n)
  select company_id, 'cases_by_status', 0, status, 0, sum(n) from totals where kind = 'cases' group by company_id, status;
--> statement-breakpoint
create trigger leads_by_state_total_insert after insert on leads when new.hidden = 0 begin
  insert into totals (company_id, kind, team_id, status, agency_team_id, n)
    values (new.company_id, 'leads_by_state', 0, new.state, 0, 1)
    on conflict (company_id, kind, team_id, status, agency_team_id) do update set n = n + 1;
end;
--> statement-breakpoint
create trigger leads_by_state_total_delete after delete on leads when old.hidden = 0 begin
  update totals set n = n - 1 where company_id = old.company_id
    and kind = 'leads_by_state' and team_id = 0 and status = old.state
    and agency_team_id = 0;
end;
--> statement-breakpoint
create trigger leads_by_state_total_leave after update of state, hidden on leads when (old.state is not new.state or old.hidden is not new.hidden) and old.hidden = 0 begin
  update totals set n = n - 1 where company_id = old.company_id
    and kind = 'leads_by_state' and team_id = 0 and status = old.state
    and agency_team_id = 0;
end;
--> statement-breakpoint
create trigger leads_by_state_total_enter after update of state, hidden on leads when (old.state is not new.state or old.hidden is not new.hidden) and new.hidden = 0 begin
  insert into totals (company_id, kind, team_id, status, agency_team_id, n)
    values (new.company_id, 'leads_by_state', 0, new.state, 0, 1)
    on conflict (company_id, kind, team_id, status, agency_team_id) do update set n = n + 1;
end;
--> statement-breakpoint
create trigger cases_by_status_total_insert after insert on cases begin
  insert into totals (company_id, kind, team_id, status, agency_team_id, n)
    values (new.company_id, 'cases_by_status', 0, new.status, 0, 1)
    on conflict (company_id, kind, team_id, status, agency_team_id) do update set n = n + 1;
end;
--> statement-breakpoint
create trigger cases_by_status_total_delete after delete on cases begin
  update totals set n = n - 1 where company_id = old.company_id
    and kind = 'cases_by_status' and team_id = 0 and status = old.status
    and agency_team_id = 0;
end;
--> statement-breakpoint
create trigger cases_by_status_total_leave after update of status on cases when (old.status is not new.status) begin
  update totals set n = n - 1 where company_id = old.company_id
    and kind = 'cases_by_status' and team_id = 0 and status = old.status
    and agency_team_id = 0;
end;
--> statement-breakpoint
create trigger cases_by_status_total_enter after update of status on cases when (old.status is not new.status) begin
  insert into totals (company_id, kind, team_id, status, agency_team_id, n)
    values (new.company_id, 'cases_by_status', 0, new.status, 0, 1)
    on conflict (company_id, kind, team_id, status, agency_team_id) do update set n = n + 1;
end;
