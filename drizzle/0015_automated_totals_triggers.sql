create trigger automated_sends_total_insert after insert on automated_sends begin
  insert into totals (company_id, kind, team_id, status, agency_team_id, n)
    values (new.company_id, 'automated_sends', 0, new.case_id, 0, 1)
    on conflict (company_id, kind, team_id, status, agency_team_id) do update set n = n + 1;
end;
--> statement-breakpoint
create trigger automated_sends_total_delete after delete on automated_sends begin
  update totals set n = n - 1 where company_id = old.company_id
    and kind = 'automated_sends' and team_id = 0 and status = old.case_id
    and agency_team_id = 0;
end;
