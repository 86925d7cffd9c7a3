-- Exact totals and full-text indexes: what the schema builder does not express.
--> statement-breakpoint
create trigger users_total_insert after insert on users when new.deleted_at is null begin
  insert into totals (company_id, kind, team_id, status, agency_team_id, n) values (new.company_id, 'users', 0, '', 0, 1)
  on conflict (company_id, kind, team_id, status, agency_team_id) do update set n = n + 1;
end;
--> statement-breakpoint
create trigger users_total_delete after delete on users when old.deleted_at is null begin
  update totals set n = n - 1 where company_id = old.company_id and kind = 'users' and team_id = 0 and status = '' and agency_team_id = 0;
end;
--> statement-breakpoint
create trigger users_total_leave after update of deleted_at on users when (old.deleted_at is not new.deleted_at) and old.deleted_at is null begin
  update totals set n = n - 1 where company_id = old.company_id and kind = 'users' and team_id = 0 and status = '' and agency_team_id = 0;
end;
--> statement-breakpoint
create trigger users_total_enter after update of deleted_at on users when (old.deleted_at is not new.deleted_at) and new.deleted_at is null begin
  insert into totals (company_id, kind, team_id, status, agency_team_id, n) values (new.company_id, 'users', 0, '', 0, 1)
  on conflict (company_id, kind, team_id, status, agency_team_id) do update set n = n + 1;
end;
--> statement-breakpoint
create trigger teams_total_insert after insert on teams begin
  insert into totals (company_id, kind, team_id, status, agency_team_id, n) values (new.company_id, 'teams', 0, '', 0, 1)
  on conflict (company_id, kind, team_id, status, agency_team_id) do update set n = n + 1;
end;
--> statement-breakpoint
create trigger teams_total_delete after delete on teams begin
  update totals set n = n - 1 where company_id = old.company_id and kind = 'teams' and team_id = 0 and status = '' and agency_team_id = 0;
end;
--> statement-breakpoint
create trigger groups_total_insert after insert on groups begin
  insert into totals (company_id, kind, team_id, status, agency_team_id, n) values (new.company_id, 'groups', 0, '', 0, 1)
  on conflict (company_id, kind, team_id, status, agency_team_id) do update set n = n + 1;
end;
--> statement-breakpoint
create trigger groups_total_delete after delete on groups begin
  update totals set n = n - 1 where company_id = old.company_id and kind = 'groups' and team_id = 0 and status = '' and agency_team_id = 0;
end;
--> statement-breakpoint
create trigger roles_total_insert after insert on roles begin
  insert into totals (company_id, kind, team_id, status, agency_team_id, n) values (new.company_id, 'roles', 0, '', 0, 1)
  on conflict (company_id, kind, team_id, status, agency_team_id) do update set n = n + 1;
end;
--> statement-breakpoint
create trigger roles_total_delete after delete on roles begin
  update totals set n = n - 1 where company_id = old.company_id and kind = 'roles' and team_id = 0 and status = '' and agency_team_id = 0;
end;
--> statement-breakpoint
create trigger relations_paths_total_insert after insert on relations_paths begin
  insert into totals (company_id, kind, team_id, status, agency_team_id, n) values (new.company_id, 'relations_paths', 0, new.owner, 0, 1)
  on conflict (company_id, kind, team_id, status, agency_team_id) do update set n = n + 1;
end;
--> statement-breakpoint
create trigger relations_paths_total_delete after delete on relations_paths begin
  update totals set n = n - 1 where company_id = old.company_id and kind = 'relations_paths' and team_id = 0 and status = old.owner and agency_team_id = 0;
end;
--> statement-breakpoint
create trigger relations_paths_total_leave after update of team_id, group_id on relations_paths when (old.team_id is not new.team_id or old.group_id is not new.group_id) begin
  update totals set n = n - 1 where company_id = old.company_id and kind = 'relations_paths' and team_id = 0 and status = old.owner and agency_team_id = 0;
end;
--> statement-breakpoint
create trigger relations_paths_total_enter after update of team_id, group_id on relations_paths when (old.team_id is not new.team_id or old.group_id is not new.group_id) begin
  insert into totals (company_id, kind, team_id, status, agency_team_id, n) values (new.company_id, 'relations_paths', 0, new.owner, 0, 1)
  on conflict (company_id, kind, team_id, status, agency_team_id) do update set n = n + 1;
end;
--> statement-breakpoint
create trigger lead_types_total_insert after insert on lead_types begin
  insert into totals (company_id, kind, team_id, status, agency_team_id, n) values (new.company_id, 'lead_types', ifnull(new.team_id, 0), '', 0, 1)
  on conflict (company_id, kind, team_id, status, agency_team_id) do update set n = n + 1;
end;
--> statement-breakpoint
create trigger lead_types_total_delete after delete on lead_types begin
  update totals set n = n - 1 where company_id = old.company_id and kind = 'lead_types' and team_id = ifnull(old.team_id, 0) and status = '' and agency_team_id = 0;
end;
--> statement-breakpoint
create trigger lead_types_total_leave after update of team_id on lead_types when (old.team_id is not new.team_id) begin
  update totals set n = n - 1 where company_id = old.company_id and kind = 'lead_types' and team_id = ifnull(old.team_id, 0) and status = '' and agency_team_id = 0;
end;
--> statement-breakpoint
create trigger lead_types_total_enter after update of team_id on lead_types when (old.team_id is not new.team_id) begin
  insert into totals (company_id, kind, team_id, status, agency_team_id, n) values (new.company_id, 'lead_types', ifnull(new.team_id, 0), '', 0, 1)
  on conflict (company_id, kind, team_id, status, agency_team_id) do update set n = n + 1;
end;
--> statement-breakpoint
create trigger accounts_total_insert after insert on accounts begin
  insert into totals (company_id, kind, team_id, status, agency_team_id, n) values (new.company_id, 'accounts', ifnull(new.team_id, 0), '', 0, 1)
  on conflict (company_id, kind, team_id, status, agency_team_id) do update set n = n + 1;
end;
--> statement-breakpoint
create trigger accounts_total_delete after delete on accounts begin
  update totals set n = n - 1 where company_id = old.company_id and kind = 'accounts' and team_id = ifnull(old.team_id, 0) and status = '' and agency_team_id = 0;
end;
--> statement-breakpoint
create trigger accounts_total_leave after update of team_id on accounts when (old.team_id is not new.team_id) begin
  update totals set n = n - 1 where company_id = old.company_id and kind = 'accounts' and team_id = ifnull(old.team_id, 0) and status = '' and agency_team_id = 0;
end;
--> statement-breakpoint
create trigger accounts_total_enter after update of team_id on accounts when (old.team_id is not new.team_id) begin
  insert into totals (company_id, kind, team_id, status, agency_team_id, n) values (new.company_id, 'accounts', ifnull(new.team_id, 0), '', 0, 1)
  on conflict (company_id, kind, team_id, status, agency_team_id) do update set n = n + 1;
end;
--> statement-breakpoint
create trigger contacts_total_insert after insert on contacts begin
  insert into totals (company_id, kind, team_id, status, agency_team_id, n) values (new.company_id, 'contacts', ifnull(new.team_id, 0), '', 0, 1)
  on conflict (company_id, kind, team_id, status, agency_team_id) do update set n = n + 1;
end;
--> statement-breakpoint
create trigger contacts_total_delete after delete on contacts begin
  update totals set n = n - 1 where company_id = old.company_id and kind = 'contacts' and team_id = ifnull(old.team_id, 0) and status = '' and agency_team_id = 0;
end;
--> statement-breakpoint
create trigger contacts_total_leave after update of team_id on contacts when (old.team_id is not new.team_id) begin
  update totals set n = n - 1 where company_id = old.company_id and kind = 'contacts' and team_id = ifnull(old.team_id, 0) and status = '' and agency_team_id = 0;
end;
--> statement-breakpoint
create trigger contacts_total_enter after update of team_id on contacts when (old.team_id is not new.team_id) begin
  insert into totals (company_id, kind, team_id, status, agency_team_id, n) values (new.company_id, 'contacts', ifnull(new.team_id, 0), '', 0, 1)
  on conflict (company_id, kind, team_id, status, agency_team_id) do update set n = n + 1;
end;
--> statement-breakpoint
create trigger cases_total_insert after insert on cases begin
  insert into totals (company_id, kind, team_id, status, agency_team_id, n) values (new.company_id, 'cases', ifnull(new.team_id, 0), new.status, 0, 1)
  on conflict (company_id, kind, team_id, status, agency_team_id) do update set n = n + 1;
end;
--> statement-breakpoint
create trigger cases_total_delete after delete on cases begin
  update totals set n = n - 1 where company_id = old.company_id and kind = 'cases' and team_id = ifnull(old.team_id, 0) and status = old.status and agency_team_id = 0;
end;
--> statement-breakpoint
create trigger cases_total_leave after update of team_id, status on cases when (old.team_id is not new.team_id or old.status is not new.status) begin
  update totals set n = n - 1 where company_id = old.company_id and kind = 'cases' and team_id = ifnull(old.team_id, 0) and status = old.status and agency_team_id = 0;
end;
--> statement-breakpoint
create trigger cases_total_enter after update of team_id, status on cases when (old.team_id is not new.team_id or old.status is not new.status) begin
  insert into totals (company_id, kind, team_id, status, agency_team_id, n) values (new.company_id, 'cases', ifnull(new.team_id, 0), new.status, 0, 1)
  on conflict (company_id, kind, team_id, status, agency_team_id) do update set n = n + 1;
end;
--> statement-breakpoint
create trigger leads_total_insert after insert on leads when new.hidden = 0 begin
  insert into totals (company_id, kind, team_id, status, agency_team_id, n) values (new.company_id, 'leads', ifnull(new.team_id, 0), new.status, ifnull(new.agency_team_id, 0), 1)
  on conflict (company_id, kind, team_id, status, agency_team_id) do update set n = n + 1;
end;
--> statement-breakpoint
create trigger leads_total_delete after delete on leads when old.hidden = 0 begin
  update totals set n = n - 1 where company_id = old.company_id and kind = 'leads' and team_id = ifnull(old.team_id, 0) and status = old.status and agency_team_id = ifnull(old.agency_team_id, 0);
end;
--> statement-breakpoint
create trigger leads_total_leave after update of team_id, status, agency_team_id, hidden on leads when (old.team_id is not new.team_id or old.status is not new.status or old.agency_team_id is not new.agency_team_id or old.hidden is not new.hidden) and old.hidden = 0 begin
  update totals set n = n - 1 where company_id = old.company_id and kind = 'leads' and team_id = ifnull(old.team_id, 0) and status = old.status and agency_team_id = ifnull(old.agency_team_id, 0);
end;
--> statement-breakpoint
create trigger leads_total_enter after update of team_id, status, agency_team_id, hidden on leads when (old.team_id is not new.team_id or old.status is not new.status or old.agency_team_id is not new.agency_team_id or old.hidden is not new.hidden) and new.hidden = 0 begin
  insert into totals (company_id, kind, team_id, status, agency_team_id, n) values (new.company_id, 'leads', ifnull(new.team_id, 0), new.status, ifnull(new.agency_team_id, 0), 1)
  on conflict (company_id, kind, team_id, status, agency_team_id) do update set n = n + 1;
end;
--> statement-breakpoint
create trigger contacts_of_account_insert after insert on contacts begin
  update accounts set contact_count = contact_count + 1 where id = new.account_id;
end;
--> statement-breakpoint
create trigger contacts_of_account_delete after delete on contacts begin
  update accounts set contact_count = contact_count - 1 where id = old.account_id;
end;
--> statement-breakpoint
create trigger contacts_of_account_move after update of account_id on contacts when old.account_id is not new.account_id begin
  update accounts set contact_count = contact_count - 1 where id = old.account_id;
  update accounts set contact_count = contact_count + 1 where id = new.account_id;
end;
--> statement-breakpoint
create virtual table accounts_search using fts5(words, content='', contentless_delete=1, detail=none, tokenize='ascii');
--> statement-breakpoint
create trigger accounts_search_delete after delete on accounts begin
  delete from accounts_search where rowid = old.seq;
end;
--> statement-breakpoint
create virtual table contacts_search using fts5(words, content='', contentless_delete=1, detail=none, tokenize='ascii');
--> statement-breakpoint
create trigger contacts_search_delete after delete on contacts begin
  delete from contacts_search where rowid = old.seq;
end;
--> statement-breakpoint
create virtual table cases_search using fts5(words, content='', contentless_delete=1, detail=none, tokenize='ascii');
--> statement-breakpoint
create trigger cases_search_delete after delete on cases begin
  delete from cases_search where rowid = old.seq;
end;
--> statement-breakpoint
create virtual table users_search using fts5(words, content='', contentless_delete=1, detail=none, tokenize='ascii');
--> statement-breakpoint
create trigger users_search_delete after delete on users begin
  delete from users_search where rowid = old.id;
end;
--> statement-breakpoint
create virtual table teams_search using fts5(words, content='', contentless_delete=1, detail=none, tokenize='ascii');
--> statement-breakpoint
create trigger teams_search_delete after delete on teams begin
  delete from teams_search where rowid = old.id;
end;
--> statement-breakpoint
-- A case is found by its number and by the names of its account and contact.
create trigger cases_search_insert after insert on cases begin
  insert or replace into cases_search (rowid, words) select new.seq, a.name_words || ' ' || c.name_words || ' c' || new.company_id || 'z' || new.case_number from accounts a, contacts c where a.id = new.account_id and c.id = new.contact_id;
end;
--> statement-breakpoint
create trigger cases_search_move after update of account_id, contact_id on cases when (old.account_id is not new.account_id or old.contact_id is not new.contact_id) begin
  insert or replace into cases_search (rowid, words) select new.seq, a.name_words || ' ' || c.name_words || ' c' || new.company_id || 'z' || new.case_number from accounts a, contacts c where a.id = new.account_id and c.id = new.contact_id;
end;
--> statement-breakpoint
create trigger cases_search_accounts_renamed after update of name_words on accounts when old.name_words is not new.name_words begin
  insert or replace into cases_search (rowid, words) select cs.seq, new.name_words || ' ' || c.name_words || ' c' || cs.company_id || 'z' || cs.case_number from cases cs join contacts c on c.id = cs.contact_id where cs.account_id = new.id;
end;
--> statement-breakpoint
create trigger cases_search_contacts_renamed after update of name_words on contacts when old.name_words is not new.name_words begin
  insert or replace into cases_search (rowid, words) select cs.seq, a.name_words || ' ' || new.name_words || ' c' || cs.company_id || 'z' || cs.case_number from cases cs join accounts a on a.id = cs.account_id where cs.contact_id = new.id;
end;
