create trigger campaigns_total_insert after insert on campaigns begin
  insert into totals (company_id, kind, team_id, status, agency_team_id, n)
    values (new.company_id, 'campaigns', 0, new.owner, 0, 1)
    on conflict (company_id, kind, team_id, status, agency_team_id) do update set n = n + 1;
end;
--> statement-breakpoint
create trigger campaigns_total_delete after delete on campaigns begin
  update totals set n = n - 1 where company_id = old.company_id
    and kind = 'campaigns' and team_id = 0 and status = old.owner
    and agency_team_id = 0;
end;
--> statement-breakpoint
create trigger campaigns_total_leave after update of team_id, group_id on campaigns when (old.team_id is not new.team_id or old.group_id is not new.group_id) begin
  update totals set n = n - 1 where company_id = old.company_id
    and kind = 'campaigns' and team_id = 0 and status = old.owner
    and agency_team_id = 0;
end;
--> statement-breakpoint
create trigger campaigns_total_enter after update of team_id, group_id on campaigns when (old.team_id is not new.team_id or old.group_id is not new.group_id) begin
  insert into totals (company_id, kind, team_id, status, agency_team_id, n)
    values (new.company_id, 'campaigns', 0, new.owner, 0, 1)
    on conflict (company_id, kind, team_id, status, agency_team_id) do update set n = n + 1;
end;
--> statement-breakpoint
create virtual table campaigns_search using fts5(words, content='', contentless_delete=1, detail=none, tokenize='ascii');
--> statement-breakpoint
create trigger campaigns_search_delete after delete on campaigns begin
  delete from campaigns_search where rowid = old.seq;
end;
--> statement-breakpoint
create trigger contacts_campaign_messages_delete after delete on contacts begin
  update campaign_messages set status = iif(status = 'pending', 'skipped', status), email = null,
    email_key = null, subject = null, "values" = null where contact_id = old.id;
end;
