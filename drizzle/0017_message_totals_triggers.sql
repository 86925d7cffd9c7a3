create trigger cases_totals_delete after delete on cases begin
  delete from totals where company_id = old.company_id and kind in ('correspondences', 'automated_sends')
    and team_id = 0 and status = old.id;
end;
--> statement-breakpoint
create trigger campaign_messages_total_insert after insert on campaign_messages begin
  insert into totals (company_id, kind, team_id, status, agency_team_id, n)
    values (new.company_id, 'campaign_messages', 0, new.tally, ifnull(new.team_id, 0), 1)
    on conflict (company_id, kind, team_id, status, agency_team_id) do update set n = n + 1;
end;
--> statement-breakpoint
create trigger campaign_messages_total_delete after delete on campaign_messages begin
  update totals set n = n - 1 where company_id = old.company_id
    and kind = 'campaign_messages' and team_id = 0 and status = old.tally
    and agency_team_id = ifnull(old.team_id, 0);
end;
--> statement-breakpoint
create trigger campaign_messages_total_leave after update of status, team_id on campaign_messages when (old.status is not new.status or old.team_id is not new.team_id) begin
  update totals set n = n - 1 where company_id = old.company_id
    and kind = 'campaign_messages' and team_id = 0 and status = old.tally
    and agency_team_id = ifnull(old.team_id, 0);
end;
--> statement-breakpoint
create trigger campaign_messages_total_enter after update of status, team_id on campaign_messages when (old.status is not new.status or old.team_id is not new.team_id) begin
  insert into totals (company_id, kind, team_id, status, agency_team_id, n)
    values (new.company_id, 'campaign_messages', 0, new.tally, ifnull(new.team_id, 0), 1)
    on conflict (company_id, kind, team_id, status, agency_team_id) do update set n = n + 1;
end;
--> statement-breakpoint
create trigger correspondences_total_insert after insert on correspondences begin
  insert into totals (company_id, kind, team_id, status, agency_team_id, n)
    values (new.company_id, 'correspondences', 0, new.case_id, 0, 1)
    on conflict (company_id, kind, team_id, status, agency_team_id) do update set n = n + 1;
end;
--> statement-breakpoint
create trigger correspondences_total_delete after delete on correspondences begin
  update totals set n = n - 1 where company_id = old.company_id
    and kind = 'correspondences' and team_id = 0 and status = old.case_id
    and agency_team_id = 0;
end;
