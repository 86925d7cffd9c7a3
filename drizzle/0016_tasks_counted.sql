create trigger tasks_total_insert after insert on tasks begin
  insert into totals (company_id, kind, team_id, status, agency_team_id, n) values (new.company_id, 'tasks', ifnull(new.team_id, 0), new.stage, 0, 1)
  on conflict (company_id, kind, team_id, status, agency_team_id) do update set n = n + 1;
end;
--> statement-breakpoint
create trigger tasks_total_delete after delete on tasks begin
  update totals set n = n - 1 where company_id = old.company_id and kind = 'tasks' and team_id = ifnull(old.team_id, 0) and status = old.stage and agency_team_id = 0;
end;
--> statement-breakpoint
create trigger tasks_total_leave after update of team_id, stage on tasks when (old.team_id is not new.team_id or old.stage is not new.stage) begin
  update totals set n = n - 1 where company_id = old.company_id and kind = 'tasks' and team_id = ifnull(old.team_id, 0) and status = old.stage and agency_team_id = 0;
end;
--> statement-breakpoint
create trigger tasks_total_enter after update of team_id, stage on tasks when (old.team_id is not new.team_id or old.stage is not new.stage) begin
  insert into totals (company_id, kind, team_id, status, agency_team_id, n) values (new.company_id, 'tasks', ifnull(new.team_id, 0), new.stage, 0, 1)
  on conflict (company_id, kind, team_id, status, agency_team_id) do update set n = n + 1;
end;
--> statement-breakpoint
-- A task belongs to the team of its case.
create trigger tasks_follow_cases after update of team_id on cases when old.team_id is not new.team_id begin
  update tasks set team_id = new.team_id where case_id = new.id;
end;
--> statement-breakpoint
-- Tasks that were there before. What is overdue already is not told of.
insert into totals (company_id, kind, team_id, status, agency_team_id, n)
select company_id, 'tasks', 0, 'pending', 0, count(*) from tasks group by company_id;
--> statement-breakpoint
update tasks set team_id = (select c.team_id from cases c where c.id = tasks.case_id),
  stage = case when completed_at is not null then 'completed' when end_at < datetime('now') then 'overdue'
    when start_at > datetime('now') then 'later' else 'pending' end;
