create trigger scheduled_reports_total_insert after insert on scheduled_reports begin
  insert into totals (company_id, kind, team_id, status, agency_team_id, n)
    values (new.company_id, 'scheduled_reports', 0, '', 0, 1)
    on conflict (company_id, kind, team_id, status, agency_team_id) do update set n = n + 1;
end;
--> statement-breakpoint
create trigger scheduled_reports_total_delete after delete on scheduled_reports begin
  update totals set n = n - 1 where company_id = old.company_id
    and kind = 'scheduled_reports' and team_id = 0 and status = ''
    and agency_team_id = 0;
end;
