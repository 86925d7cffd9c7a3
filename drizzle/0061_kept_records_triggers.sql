drop trigger templates_total_insert;
--> statement-breakpoint
drop trigger templates_total_delete;
--> statement-breakpoint
drop trigger templates_total_leave;
--> statement-breakpoint
drop trigger templates_total_enter;
--> statement-breakpoint
drop trigger campaigns_total_insert;
--> statement-breakpoint
drop trigger campaigns_total_delete;
--> statement-breakpoint
drop trigger campaigns_total_leave;
--> statement-breakpoint
drop trigger campaigns_total_enter;
--> statement-breakpoint
drop trigger automated_communications_total_insert;
--> statement-breakpoint
drop trigger automated_communications_total_delete;
--> statement-breakpoint
drop trigger automated_communications_total_leave;
--> statement-breakpoint
drop trigger automated_communications_total_enter;
--> statement-breakpoint
drop trigger indicator_sets_total_insert;
--> statement-breakpoint
drop trigger indicator_sets_total_delete;
--> statement-breakpoint
drop trigger indicator_sets_total_leave;
--> statement-breakpoint
drop trigger indicator_sets_total_enter;
--> statement-breakpoint
drop trigger ranks_total_insert;
--> statement-breakpoint
drop trigger ranks_total_delete;
--> statement-breakpoint
drop trigger ranks_total_leave;
--> statement-breakpoint
drop trigger ranks_total_enter;
--> statement-breakpoint
create trigger templates_total_insert after insert on templates begin
  insert into totals (company_id, kind, team_id, status, agency_team_id, n)
    values (new.company_id, 'templates', 0, new.reader, 0, 1)
    on conflict (company_id, kind, team_id, status, agency_team_id) do update set n = n + 1;
end;
--> statement-breakpoint
create trigger templates_total_delete after delete on templates begin
  update totals set n = n - 1 where company_id = old.company_id
    and kind = 'templates' and team_id = 0 and status = old.reader
    and agency_team_id = 0;
end;
--> statement-breakpoint
create trigger templates_total_leave after update of team_id, group_id, kept_for on templates when (old.team_id is not new.team_id or old.group_id is not new.group_id or old.kept_for is not new.kept_for) begin
  update totals set n = n - 1 where company_id = old.company_id
    and kind = 'templates' and team_id = 0 and status = old.reader
    and agency_team_id = 0;
end;
--> statement-breakpoint
create trigger templates_total_enter after update of team_id, group_id, kept_for on templates when (old.team_id is not new.team_id or old.group_id is not new.group_id or old.kept_for is not new.kept_for) begin
  insert into totals (company_id, kind, team_id, status, agency_team_id, n)
    values (new.company_id, 'templates', 0, new.reader, 0, 1)
    on conflict (company_id, kind, team_id, status, agency_team_id) do update set n = n + 1;
end;
--> statement-breakpoint
create trigger campaigns_total_insert after insert on campaigns begin
  insert into totals (company_id, kind, team_id, status, agency_team_id, n)
    values (new.company_id, 'campaigns', 0, new.reader, 0, 1)
    on conflict (company_id, kind, team_id, status, agency_team_id) do update set n = n + 1;
end;
--> statement-breakpoint
create trigger campaigns_total_delete after delete on campaigns begin
  update totals set n = n - 1 where company_id = old.company_id
    and kind = 'campaigns' and team_id = 0 and status = old.reader
    and agency_team_id = 0;
end;
--> statement-breakpoint
create trigger campaigns_total_leave after update of team_id, group_id, kept_for on campaigns when (old.team_id is not new.team_id or old.group_id is not new.group_id or old.kept_for is not new.kept_for) begin
  update totals set n = n - 1 where company_id = old.company_id
    and kind = 'campaigns' and team_id = 0 and status = old.reader
    and agency_team_id = 0;
end;
--> statement-breakpoint
create trigger campaigns_total_enter after update of team_id, group_id, kept_for on campaigns when (old.team_id is not new.team_id or old.group_id is not new.group_id or old.kept_for is not new.kept_for) begin
  insert into totals (company_id, kind, team_id, status, agency_team_id, n)
    values (new.company_id, 'campaigns', 0, new.reader, 0, 1)
    on conflict (company_id, kind, team_id, status, agency_team_id) do update set n = n + 1;
end;
--> statement-breakpoint
create trigger automated_communications_total_insert after insert on automated_communications begin
  insert into totals (company_id, kind, team_id, status, agency_team_id, n)
    values (new.company_id, 'automated_communications', 0, new.reader, 0, 1)
    on conflict (company_id, kind, team_id, status, agency_team_id) do update set n = n + 1;
end;
--> statement-breakpoint
create trigger automated_communications_total_delete after delete on automated_communications begin
  update totals set n = n - 1 where company_id = old.company_id
    and kind = 'automated_communications' and team_id = 0 and status = old.reader
    and agency_team_id = 0;
end;
--> statement-breakpoint
create trigger automated_communications_total_leave after update of team_id, group_id, kept_for on automated_communications when (old.team_id is not new.team_id or old.group_id is not new.group_id or old.kept_for is not new.kept_for) begin
  update totals set n = n - 1 where company_id = old.company_id
    and kind = 'automated_communications' and team_id = 0 and status = old.reader
    and agency_team_id = 0;
end;
--> statement-breakpoint
create trigger automated_communications_total_enter after update of team_id, group_id, kept_for on automated_communications when (old.team_id is not new.team_id or old.group_id is not new.group_id or old.kept_for is not new.kept_for) begin
  insert into totals (company_id, kind, team_id, status, agency_team_id, n)
    values (new.company_id, 'automated_communications', 0, new.reader, 0, 1)
    on conflict (company_id, kind, team_id, status, agency_team_id) do update set n = n + 1;
end;
--> statement-breakpoint
create trigger indicator_sets_total_insert after insert on indicator_sets begin
  insert into totals (company_id, kind, team_id, status, agency_team_id, n)
    values (new.company_id, 'indicator_sets', 0, new.reader, 0, 1)
    on conflict (company_id, kind, team_id, status, agency_team_id) do update set n = n + 1;
end;
--> statement-breakpoint
create trigger indicator_sets_total_delete after delete on indicator_sets begin
  update totals set n = n - 1 where company_id = old.company_id
    and kind = 'indicator_sets' and team_id = 0 and status = old.reader
    and agency_team_id = 0;
end;
--> statement-breakpoint
create trigger indicator_sets_total_leave after update of team_id, group_id, kept_for, private, user_id on indicator_sets when (old.team_id is not new.team_id or old.group_id is not new.group_id or old.kept_for is not new.kept_for or old.private is not new.private or old.user_id is not new.user_id) begin
  update totals set n = n - 1 where company_id = old.company_id
    and kind = 'indicator_sets' and team_id = 0 and status = old.reader
    and agency_team_id = 0;
end;
--> statement-breakpoint
create trigger indicator_sets_total_enter after update of team_id, group_id, kept_for, private, user_id on indicator_sets when (old.team_id is not new.team_id or old.group_id is not new.group_id or old.kept_for is not new.kept_for or old.private is not new.private or old.user_id is not new.user_id) begin
  insert into totals (company_id, kind, team_id, status, agency_team_id, n)
    values (new.company_id, 'indicator_sets', 0, new.reader, 0, 1)
    on conflict (company_id, kind, team_id, status, agency_team_id) do update set n = n + 1;
end;
--> statement-breakpoint
create trigger ranks_total_insert after insert on ranks begin
  insert into totals (company_id, kind, team_id, status, agency_team_id, n)
    values (new.company_id, 'ranks', 0, new.reader, 0, 1)
    on conflict (company_id, kind, team_id, status, agency_team_id) do update set n = n + 1;
end;
--> statement-breakpoint
create trigger ranks_total_delete after delete on ranks begin
  update totals set n = n - 1 where company_id = old.company_id
    and kind = 'ranks' and team_id = 0 and status = old.reader
    and agency_team_id = 0;
end;
--> statement-breakpoint
create trigger ranks_total_leave after update of team_id, group_id, kept_for on ranks when (old.team_id is not new.team_id or old.group_id is not new.group_id or old.kept_for is not new.kept_for) begin
  update totals set n = n - 1 where company_id = old.company_id
    and kind = 'ranks' and team_id = 0 and status = old.reader
    and agency_team_id = 0;
end;
--> statement-breakpoint
create trigger ranks_total_enter after update of team_id, group_id, kept_for on ranks when (old.team_id is not new.team_id or old.group_id is not new.group_id or old.kept_for is not new.kept_for) begin
  insert into totals (company_id, kind, team_id, status, agency_team_id, n)
    values (new.company_id, 'ranks', 0, new.reader, 0, 1)
    on conflict (company_id, kind, team_id, status, agency_team_id) do update set n = n + 1;
end;
