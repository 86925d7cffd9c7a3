create trigger companies_caller_changes_insert after insert on companies begin
  update caller_changes set n = n + 1;
end;
--> statement-breakpoint
create trigger companies_caller_changes_update after update on companies begin
  update caller_changes set n = n + 1;
end;
--> statement-breakpoint
create trigger companies_caller_changes_delete after delete on companies begin
  update caller_changes set n = n + 1;
end;
--> statement-breakpoint
create trigger users_total_insert after insert on users when new.deleted_at is null begin
  insert into totals (company_id, kind, team_id, status, agency_team_id, n)
    values (new.company_id, 'users', 0, '', 0, 1)
    on conflict (company_id, kind, team_id, status, agency_team_id) do update set n = n + 1;
end;
--> statement-breakpoint
create trigger users_total_delete after delete on users when old.deleted_at is null begin
  update totals set n = n - 1 where company_id = old.company_id
    and kind = 'users' and team_id = 0 and status = ''
    and agency_team_id = 0;
end;
--> statement-breakpoint
create trigger users_total_leave after update of deleted_at on users when (old.deleted_at is not new.deleted_at) and old.deleted_at is null begin
  update totals set n = n - 1 where company_id = old.company_id
    and kind = 'users' and team_id = 0 and status = ''
    and agency_team_id = 0;
end;
--> statement-breakpoint
create trigger users_total_enter after update of deleted_at on users when (old.deleted_at is not new.deleted_at) and new.deleted_at is null begin
  insert into totals (company_id, kind, team_id, status, agency_team_id, n)
    values (new.company_id, 'users', 0, '', 0, 1)
    on conflict (company_id, kind, team_id, status, agency_team_id) do update set n = n + 1;
end;
--> statement-breakpoint
create virtual table users_search using fts5(words, content='', contentless_delete=1, detail=none, tokenize='ascii');
--> statement-breakpoint
create trigger users_search_delete after delete on users begin
  delete from users_search where rowid = old.id;
end;
--> statement-breakpoint
create trigger users_caller_changes_insert after insert on users begin
  update caller_changes set n = n + 1;
end;
--> statement-breakpoint
create trigger users_caller_changes_update after update on users begin
  update caller_changes set n = n + 1;
end;
--> statement-breakpoint
create trigger users_caller_changes_delete after delete on users begin
  update caller_changes set n = n + 1;
end;
--> statement-breakpoint
create trigger groups_total_insert after insert on groups begin
  insert into totals (company_id, kind, team_id, status, agency_team_id, n)
    values (new.company_id, 'groups', 0, '', 0, 1)
    on conflict (company_id, kind, team_id, status, agency_team_id) do update set n = n + 1;
end;
--> statement-breakpoint
create trigger groups_total_delete after delete on groups begin
  update totals set n = n - 1 where company_id = old.company_id
    and kind = 'groups' and team_id = 0 and status = ''
    and agency_team_id = 0;
end;
--> statement-breakpoint
create trigger groups_caller_changes_insert after insert on groups begin
  update caller_changes set n = n + 1;
end;
--> statement-breakpoint
create trigger groups_caller_changes_update after update on groups begin
  update caller_changes set n = n + 1;
end;
--> statement-breakpoint
create trigger groups_caller_changes_delete after delete on groups begin
  update caller_changes set n = n + 1;
end;
--> statement-breakpoint
create trigger teams_total_insert after insert on teams begin
  insert into totals (company_id, kind, team_id, status, agency_team_id, n)
    values (new.company_id, 'teams', 0, '', 0, 1)
    on conflict (company_id, kind, team_id, status, agency_team_id) do update set n = n + 1;
end;
--> statement-breakpoint
create trigger teams_total_delete after delete on teams begin
  update totals set n = n - 1 where company_id = old.company_id
    and kind = 'teams' and team_id = 0 and status = ''
    and agency_team_id = 0;
end;
--> statement-breakpoint
create virtual table teams_search using fts5(words, content='', contentless_delete=1, detail=none, tokenize='ascii');
--> statement-breakpoint
create trigger teams_search_delete after delete on teams begin
  delete from teams_search where rowid = old.id;
end;
--> statement-breakpoint
create trigger teams_caller_changes_insert after insert on teams begin
  update caller_changes set n = n + 1;
end;
--> statement-breakpoint
create trigger teams_caller_changes_update after update on teams begin
  update caller_changes set n = n + 1;
end;
--> statement-breakpoint
create trigger teams_caller_changes_delete after delete on teams begin
  update caller_changes set n = n + 1;
end;
--> statement-breakpoint
create trigger team_members_caller_changes_insert after insert on team_members begin
  update caller_changes set n = n + 1;
end;
--> statement-breakpoint
create trigger team_members_caller_changes_update after update on team_members begin
  update caller_changes set n = n + 1;
end;
--> statement-breakpoint
create trigger team_members_caller_changes_delete after delete on team_members begin
  update caller_changes set n = n + 1;
end;
--> statement-breakpoint
create trigger roles_total_insert after insert on roles begin
  insert into totals (company_id, kind, team_id, status, agency_team_id, n)
    values (new.company_id, 'roles', 0, '', 0, 1)
    on conflict (company_id, kind, team_id, status, agency_team_id) do update set n = n + 1;
end;
--> statement-breakpoint
create trigger roles_total_delete after delete on roles begin
  update totals set n = n - 1 where company_id = old.company_id
    and kind = 'roles' and team_id = 0 and status = ''
    and agency_team_id = 0;
end;
--> statement-breakpoint
create trigger roles_caller_changes_insert after insert on roles begin
  update caller_changes set n = n + 1;
end;
--> statement-breakpoint
create trigger roles_caller_changes_update after update on roles begin
  update caller_changes set n = n + 1;
end;
--> statement-breakpoint
create trigger roles_caller_changes_delete after delete on roles begin
  update caller_changes set n = n + 1;
end;
--> statement-breakpoint
create trigger role_rights_caller_changes_insert after insert on role_rights begin
  update caller_changes set n = n + 1;
end;
--> statement-breakpoint
create trigger role_rights_caller_changes_update after update on role_rights begin
  update caller_changes set n = n + 1;
end;
--> statement-breakpoint
create trigger role_rights_caller_changes_delete after delete on role_rights begin
  update caller_changes set n = n + 1;
end;
--> statement-breakpoint
create trigger user_roles_caller_changes_insert after insert on user_roles begin
  update caller_changes set n = n + 1;
end;
--> statement-breakpoint
create trigger user_roles_caller_changes_update after update on user_roles begin
  update caller_changes set n = n + 1;
end;
--> statement-breakpoint
create trigger user_roles_caller_changes_delete after delete on user_roles begin
  update caller_changes set n = n + 1;
end;
--> statement-breakpoint
create trigger applications_caller_changes_insert after insert on applications begin
  update caller_changes set n = n + 1;
end;
--> statement-breakpoint
create trigger applications_caller_changes_update after update on applications begin
  update caller_changes set n = n + 1;
end;
--> statement-breakpoint
create trigger applications_caller_changes_delete after delete on applications begin
  update caller_changes set n = n + 1;
end;
--> statement-breakpoint
create trigger access_tokens_caller_changes_update after update on access_tokens begin
  update caller_changes set n = n + 1;
end;
--> statement-breakpoint
create trigger access_tokens_caller_changes_delete after delete on access_tokens begin
  update caller_changes set n = n + 1;
end;
--> statement-breakpoint
create trigger fields_caller_changes_insert after insert on fields begin
  update caller_changes set n = n + 1;
end;
--> statement-breakpoint
create trigger fields_caller_changes_update after update on fields begin
  update caller_changes set n = n + 1;
end;
--> statement-breakpoint
create trigger fields_caller_changes_delete after delete on fields begin
  update caller_changes set n = n + 1;
end;
--> statement-breakpoint
create trigger field_orders_caller_changes_insert after insert on field_orders begin
  update caller_changes set n = n + 1;
end;
--> statement-breakpoint
create trigger field_orders_caller_changes_update after update on field_orders begin
  update caller_changes set n = n + 1;
end;
--> statement-breakpoint
create trigger field_orders_caller_changes_delete after delete on field_orders begin
  update caller_changes set n = n + 1;
end;
--> statement-breakpoint
create trigger custom_values_follow_accounts after update of team_id on accounts when old.team_id is not new.team_id begin
  update custom_values set team_id = new.team_id where owner = new.seq
    and field in (select seq from fields where company_id = new.company_id and owner_type = 'account');
end;
--> statement-breakpoint
create trigger custom_values_follow_contacts after update of team_id on contacts when old.team_id is not new.team_id begin
  update custom_values set team_id = new.team_id where owner = new.seq
    and field in (select seq from fields where company_id = new.company_id and owner_type = 'contact');
end;
--> statement-breakpoint
create trigger accounts_total_insert after insert on accounts begin
  insert into totals (company_id, kind, team_id, status, agency_team_id, n)
    values (new.company_id, 'accounts', ifnull(new.team_id, 0), '', 0, 1)
    on conflict (company_id, kind, team_id, status, agency_team_id) do update set n = n + 1;
end;
--> statement-breakpoint
create trigger accounts_total_delete after delete on accounts begin
  update totals set n = n - 1 where company_id = old.company_id
    and kind = 'accounts' and team_id = ifnull(old.team_id, 0) and status = ''
    and agency_team_id = 0;
end;
--> statement-breakpoint
create trigger accounts_total_leave after update of team_id on accounts when (old.team_id is not new.team_id) begin
  update totals set n = n - 1 where company_id = old.company_id
    and kind = 'accounts' and team_id = ifnull(old.team_id, 0) and status = ''
    and agency_team_id = 0;
end;
--> statement-breakpoint
create trigger accounts_total_enter after update of team_id on accounts when (old.team_id is not new.team_id) begin
  insert into totals (company_id, kind, team_id, status, agency_team_id, n)
    values (new.company_id, 'accounts', ifnull(new.team_id, 0), '', 0, 1)
    on conflict (company_id, kind, team_id, status, agency_team_id) do update set n = n + 1;
end;
--> statement-breakpoint
create virtual table accounts_search using fts5(words, content='', contentless_delete=1, detail=none, tokenize='ascii');
--> statement-breakpoint
create trigger accounts_search_delete after delete on accounts begin
  delete from accounts_search where rowid = old.seq;
end;
--> statement-breakpoint
create trigger contacts_total_insert after insert on contacts begin
  insert into totals (company_id, kind, team_id, status, agency_team_id, n)
    values (new.company_id, 'contacts', ifnull(new.team_id, 0), '', 0, 1)
    on conflict (company_id, kind, team_id, status, agency_team_id) do update set n = n + 1;
end;
--> statement-breakpoint
create trigger contacts_total_delete after delete on contacts begin
  update totals set n = n - 1 where company_id = old.company_id
    and kind = 'contacts' and team_id = ifnull(old.team_id, 0) and status = ''
    and agency_team_id = 0;
end;
--> statement-breakpoint
create trigger contacts_total_leave after update of team_id on contacts when (old.team_id is not new.team_id) begin
  update totals set n = n - 1 where company_id = old.company_id
    and kind = 'contacts' and team_id = ifnull(old.team_id, 0) and status = ''
    and agency_team_id = 0;
end;
--> statement-breakpoint
create trigger contacts_total_enter after update of team_id on contacts when (old.team_id is not new.team_id) begin
  insert into totals (company_id, kind, team_id, status, agency_team_id, n)
    values (new.company_id, 'contacts', ifnull(new.team_id, 0), '', 0, 1)
    on conflict (company_id, kind, team_id, status, agency_team_id) do update set n = n + 1;
end;
--> statement-breakpoint
create virtual table contacts_search using fts5(words, content='', contentless_delete=1, detail=none, tokenize='ascii');
--> statement-breakpoint
create trigger contacts_search_delete after delete on contacts begin
  delete from contacts_search where rowid = old.seq;
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
create virtual table accounts_trigrams using fts5(name, address, zip_code, city, state_region, vat, website, team, content='', contentless_delete=1, tokenize='trigram case_sensitive 1');
--> statement-breakpoint
create trigger accounts_trigrams_insert after insert on accounts begin
  insert or ignore into accounts_trigrams_stale (key) values ((new.company_id << 39 | new.seq));
end;
--> statement-breakpoint
create trigger accounts_trigrams_update after update of name, address, zip_code, city, state_region, vat, website, folded, b2c, team_id on accounts
  when old.name is not new.name
    or old.address is not new.address
    or old.zip_code is not new.zip_code
    or old.city is not new.city
    or old.state_region is not new.state_region
    or old.vat is not new.vat
    or old.website is not new.website
    or old.folded is not new.folded
    or old.b2c is not new.b2c
    or old.team_id is not new.team_id begin
  insert or ignore into accounts_trigrams_stale (key) values ((new.company_id << 39 | new.seq));
end;
--> statement-breakpoint
create trigger accounts_trigrams_delete after delete on accounts begin
  delete from accounts_trigrams where rowid = (old.company_id << 39 | old.seq) * 2;
  delete from accounts_trigrams where rowid = (old.company_id << 39 | old.seq) * 2 + 1;
  delete from accounts_trigrams_stale where key = (old.company_id << 39 | old.seq);
end;
--> statement-breakpoint
create virtual table contacts_trigrams using fts5(salutation, first_name, last_name, email, phone_number, title, team, content='', contentless_delete=1, tokenize='trigram case_sensitive 1');
--> statement-breakpoint
create trigger contacts_trigrams_insert after insert on contacts begin
  insert or ignore into contacts_trigrams_stale (key) values ((new.company_id << 39 | new.seq));
end;
--> statement-breakpoint
create trigger contacts_trigrams_update after update of salutation, first_name, last_name, email, phone_number, title, folded, b2c, team_id on contacts
  when old.salutation is not new.salutation
    or old.first_name is not new.first_name
    or old.last_name is not new.last_name
    or old.email is not new.email
    or old.phone_number is not new.phone_number
    or old.title is not new.title
    or old.folded is not new.folded
    or old.b2c is not new.b2c
    or old.team_id is not new.team_id begin
  insert or ignore into contacts_trigrams_stale (key) values ((new.company_id << 39 | new.seq));
end;
--> statement-breakpoint
create trigger contacts_trigrams_delete after delete on contacts begin
  delete from contacts_trigrams where rowid = (old.company_id << 39 | old.seq) * 2;
  delete from contacts_trigrams where rowid = (old.company_id << 39 | old.seq) * 2 + 1;
  delete from contacts_trigrams_stale where key = (old.company_id << 39 | old.seq);
end;
--> statement-breakpoint
create trigger products_total_insert after insert on products begin
  insert into totals (company_id, kind, team_id, status, agency_team_id, n)
    values (new.company_id, 'products', 0, '', 0, 1)
    on conflict (company_id, kind, team_id, status, agency_team_id) do update set n = n + 1;
end;
--> statement-breakpoint
create trigger products_total_delete after delete on products begin
  update totals set n = n - 1 where company_id = old.company_id
    and kind = 'products' and team_id = 0 and status = ''
    and agency_team_id = 0;
end;
--> statement-breakpoint
create trigger product_categories_total_insert after insert on product_categories begin
  insert into totals (company_id, kind, team_id, status, agency_team_id, n)
    values (new.company_id, 'product_categories', 0, '', 0, 1)
    on conflict (company_id, kind, team_id, status, agency_team_id) do update set n = n + 1;
end;
--> statement-breakpoint
create trigger product_categories_total_delete after delete on product_categories begin
  update totals set n = n - 1 where company_id = old.company_id
    and kind = 'product_categories' and team_id = 0 and status = ''
    and agency_team_id = 0;
end;
--> statement-breakpoint
create trigger relations_paths_total_insert after insert on relations_paths begin
  insert into totals (company_id, kind, team_id, status, agency_team_id, n)
    values (new.company_id, 'relations_paths', 0, new.owner, 0, 1)
    on conflict (company_id, kind, team_id, status, agency_team_id) do update set n = n + 1;
end;
--> statement-breakpoint
create trigger relations_paths_total_delete after delete on relations_paths begin
  update totals set n = n - 1 where company_id = old.company_id
    and kind = 'relations_paths' and team_id = 0 and status = old.owner
    and agency_team_id = 0;
end;
--> statement-breakpoint
create trigger relations_paths_total_leave after update of team_id, group_id on relations_paths when (old.team_id is not new.team_id or old.group_id is not new.group_id) begin
  update totals set n = n - 1 where company_id = old.company_id
    and kind = 'relations_paths' and team_id = 0 and status = old.owner
    and agency_team_id = 0;
end;
--> statement-breakpoint
create trigger relations_paths_total_enter after update of team_id, group_id on relations_paths when (old.team_id is not new.team_id or old.group_id is not new.group_id) begin
  insert into totals (company_id, kind, team_id, status, agency_team_id, n)
    values (new.company_id, 'relations_paths', 0, new.owner, 0, 1)
    on conflict (company_id, kind, team_id, status, agency_team_id) do update set n = n + 1;
end;
--> statement-breakpoint
create trigger lead_types_total_insert after insert on lead_types begin
  insert into totals (company_id, kind, team_id, status, agency_team_id, n)
    values (new.company_id, 'lead_types', ifnull(new.team_id, 0), '', 0, 1)
    on conflict (company_id, kind, team_id, status, agency_team_id) do update set n = n + 1;
end;
--> statement-breakpoint
create trigger lead_types_total_delete after delete on lead_types begin
  update totals set n = n - 1 where company_id = old.company_id
    and kind = 'lead_types' and team_id = ifnull(old.team_id, 0) and status = ''
    and agency_team_id = 0;
end;
--> statement-breakpoint
create trigger lead_types_total_leave after update of team_id on lead_types when (old.team_id is not new.team_id) begin
  update totals set n = n - 1 where company_id = old.company_id
    and kind = 'lead_types' and team_id = ifnull(old.team_id, 0) and status = ''
    and agency_team_id = 0;
end;
--> statement-breakpoint
create trigger lead_types_total_enter after update of team_id on lead_types when (old.team_id is not new.team_id) begin
  insert into totals (company_id, kind, team_id, status, agency_team_id, n)
    values (new.company_id, 'lead_types', ifnull(new.team_id, 0), '', 0, 1)
    on conflict (company_id, kind, team_id, status, agency_team_id) do update set n = n + 1;
end;
--> statement-breakpoint
create trigger leads_total_insert after insert on leads when new.hidden = 0 begin
  insert into totals (company_id, kind, team_id, status, agency_team_id, n)
    values (new.company_id, 'leads', ifnull(new.team_id, 0), new.status, ifnull(new.agency_team_id, 0), 1)
    on conflict (company_id, kind, team_id, status, agency_team_id) do update set n = n + 1;
end;
--> statement-breakpoint
create trigger leads_total_delete after delete on leads when old.hidden = 0 begin
  update totals set n = n - 1 where company_id = old.company_id
    and kind = 'leads' and team_id = ifnull(old.team_id, 0) and status = old.status
    and agency_team_id = ifnull(old.agency_team_id, 0);
end;
--> statement-breakpoint
create trigger leads_total_leave after update of team_id, status, agency_team_id, hidden on leads when (old.team_id is not new.team_id or old.status is not new.status or old.agency_team_id is not new.agency_team_id or old.hidden is not new.hidden) and old.hidden = 0 begin
  update totals set n = n - 1 where company_id = old.company_id
    and kind = 'leads' and team_id = ifnull(old.team_id, 0) and status = old.status
    and agency_team_id = ifnull(old.agency_team_id, 0);
end;
--> statement-breakpoint
create trigger leads_total_enter after update of team_id, status, agency_team_id, hidden on leads when (old.team_id is not new.team_id or old.status is not new.status or old.agency_team_id is not new.agency_team_id or old.hidden is not new.hidden) and new.hidden = 0 begin
  insert into totals (company_id, kind, team_id, status, agency_team_id, n)
    values (new.company_id, 'leads', ifnull(new.team_id, 0), new.status, ifnull(new.agency_team_id, 0), 1)
    on conflict (company_id, kind, team_id, status, agency_team_id) do update set n = n + 1;
end;
--> statement-breakpoint
create trigger cases_total_insert after insert on cases begin
  insert into totals (company_id, kind, team_id, status, agency_team_id, n)
    values (new.company_id, 'cases', ifnull(new.team_id, 0), new.status, 0, 1)
    on conflict (company_id, kind, team_id, status, agency_team_id) do update set n = n + 1;
end;
--> statement-breakpoint
create trigger cases_total_delete after delete on cases begin
  update totals set n = n - 1 where company_id = old.company_id
    and kind = 'cases' and team_id = ifnull(old.team_id, 0) and status = old.status
    and agency_team_id = 0;
end;
--> statement-breakpoint
create trigger cases_total_leave after update of team_id, status on cases when (old.team_id is not new.team_id or old.status is not new.status) begin
  update totals set n = n - 1 where company_id = old.company_id
    and kind = 'cases' and team_id = ifnull(old.team_id, 0) and status = old.status
    and agency_team_id = 0;
end;
--> statement-breakpoint
create trigger cases_total_enter after update of team_id, status on cases when (old.team_id is not new.team_id or old.status is not new.status) begin
  insert into totals (company_id, kind, team_id, status, agency_team_id, n)
    values (new.company_id, 'cases', ifnull(new.team_id, 0), new.status, 0, 1)
    on conflict (company_id, kind, team_id, status, agency_team_id) do update set n = n + 1;
end;
--> statement-breakpoint
create virtual table cases_search using fts5(words, content='', contentless_delete=1, detail=none, tokenize='ascii');
--> statement-breakpoint
create trigger cases_search_delete after delete on cases begin
  delete from cases_search where rowid = old.seq;
end;
--> statement-breakpoint
create trigger cases_search_insert after insert on cases begin
  insert or replace into cases_search (rowid, words)
    select new.seq, a.name_words || ' ' || c.name_words || ' c' || new.company_id || 'z' || new.case_number from accounts a, contacts c
    where a.id = new.account_id and c.id = new.contact_id;
end;
--> statement-breakpoint
create trigger cases_search_move after update of account_id, contact_id on cases when old.account_id is not new.account_id or old.contact_id is not new.contact_id begin
  insert or replace into cases_search (rowid, words)
    select new.seq, a.name_words || ' ' || c.name_words || ' c' || new.company_id || 'z' || new.case_number from accounts a, contacts c
    where a.id = new.account_id and c.id = new.contact_id;
end;
--> statement-breakpoint
create trigger cases_search_accounts_renamed after update of name_words on accounts when old.name_words is not new.name_words begin
  insert or replace into cases_search (rowid, words)
    select cs.seq, new.name_words || ' ' || c.name_words || ' c' || cs.company_id || 'z' || cs.case_number from cases cs join contacts c on c.id = cs.contact_id
    where cs.account_id = new.id;
end;
--> statement-breakpoint
create trigger cases_search_contacts_renamed after update of name_words on contacts when old.name_words is not new.name_words begin
  insert or replace into cases_search (rowid, words)
    select cs.seq, a.name_words || ' ' || new.name_words || ' c' || cs.company_id || 'z' || cs.case_number from cases cs join accounts a on a.id = cs.account_id
    where cs.contact_id = new.id;
end;
--> statement-breakpoint
create trigger case_milestones_follow_cases after update of contact_id, account_id, team_id on cases when old.contact_id is not new.contact_id or old.account_id is not new.account_id or old.team_id is not new.team_id begin
  update case_milestones set contact_id = new.contact_id, account_id = new.account_id, team_id = new.team_id
    where case_id = new.id;
end;
--> statement-breakpoint
create trigger case_milestones_of_case after insert on case_milestones when new.contact_id is null begin
  update case_milestones set contact_id = (select c.contact_id from cases c where c.id = new.case_id),
    account_id = (select c.account_id from cases c where c.id = new.case_id), team_id = (select c.team_id from cases c where c.id = new.case_id)
    where case_id = new.case_id and activity_type_id = new.activity_type_id;
end;
--> statement-breakpoint
create trigger tasks_total_insert after insert on tasks begin
  insert into totals (company_id, kind, team_id, status, agency_team_id, n)
    values (new.company_id, 'tasks', ifnull(new.team_id, 0), new.stage, 0, 1)
    on conflict (company_id, kind, team_id, status, agency_team_id) do update set n = n + 1;
end;
--> statement-breakpoint
create trigger tasks_total_delete after delete on tasks begin
  update totals set n = n - 1 where company_id = old.company_id
    and kind = 'tasks' and team_id = ifnull(old.team_id, 0) and status = old.stage
    and agency_team_id = 0;
end;
--> statement-breakpoint
create trigger tasks_total_leave after update of team_id, stage on tasks when (old.team_id is not new.team_id or old.stage is not new.stage) begin
  update totals set n = n - 1 where company_id = old.company_id
    and kind = 'tasks' and team_id = ifnull(old.team_id, 0) and status = old.stage
    and agency_team_id = 0;
end;
--> statement-breakpoint
create trigger tasks_total_enter after update of team_id, stage on tasks when (old.team_id is not new.team_id or old.stage is not new.stage) begin
  insert into totals (company_id, kind, team_id, status, agency_team_id, n)
    values (new.company_id, 'tasks', ifnull(new.team_id, 0), new.stage, 0, 1)
    on conflict (company_id, kind, team_id, status, agency_team_id) do update set n = n + 1;
end;
--> statement-breakpoint
create trigger tasks_follow_cases after update of team_id on cases when old.team_id is not new.team_id begin
  update tasks set team_id = new.team_id where case_id = new.id;
end;
--> statement-breakpoint
create trigger notes_total_insert after insert on notes begin
  insert into totals (company_id, kind, team_id, status, agency_team_id, n)
    values (new.company_id, 'notes', ifnull(new.team_id, 0), '', 0, 1)
    on conflict (company_id, kind, team_id, status, agency_team_id) do update set n = n + 1;
end;
--> statement-breakpoint
create trigger notes_total_delete after delete on notes begin
  update totals set n = n - 1 where company_id = old.company_id
    and kind = 'notes' and team_id = ifnull(old.team_id, 0) and status = ''
    and agency_team_id = 0;
end;
--> statement-breakpoint
create trigger notes_total_leave after update of team_id on notes when (old.team_id is not new.team_id) begin
  update totals set n = n - 1 where company_id = old.company_id
    and kind = 'notes' and team_id = ifnull(old.team_id, 0) and status = ''
    and agency_team_id = 0;
end;
--> statement-breakpoint
create trigger notes_total_enter after update of team_id on notes when (old.team_id is not new.team_id) begin
  insert into totals (company_id, kind, team_id, status, agency_team_id, n)
    values (new.company_id, 'notes', ifnull(new.team_id, 0), '', 0, 1)
    on conflict (company_id, kind, team_id, status, agency_team_id) do update set n = n + 1;
end;
--> statement-breakpoint
create virtual table notes_search using fts5(words, content='', contentless_delete=1, detail=none, tokenize='ascii');
--> statement-breakpoint
create trigger notes_search_delete after delete on notes begin
  delete from notes_search where rowid = old.id;
end;
--> statement-breakpoint
create trigger notes_follow_cases after update of team_id on cases when old.team_id is not new.team_id begin
  update notes set team_id = new.team_id, version = version + 1 where case_id = new.id;
end;
--> statement-breakpoint
create trigger notes_follow_contacts after update of team_id, account_id on contacts when old.team_id is not new.team_id or old.account_id is not new.account_id begin
  update notes set account_id = new.account_id, team_id = iif(case_id is null, new.team_id, team_id),
    version = version + 1 where contact_id = new.id
    and (account_id is not new.account_id or (case_id is null and team_id is not new.team_id));
end;
--> statement-breakpoint
create trigger notification_counts_insert after insert on notifications when new.expires_at is null begin
  insert into notification_counts (user_id, total, unread) values (new.user_id, 1, new.read_at is null)
    on conflict (user_id) do update set total = total + 1, unread = unread + excluded.unread;
end;
--> statement-breakpoint
create trigger notification_counts_read after update of read_at on notifications when old.read_at is null and new.read_at is not null
    and new.expires_at is null and not exists (select 1 from notification_reads r where r.user_id = new.user_id and r.through >= new.seq) begin
  update notification_counts set unread = unread - 1 where user_id = new.user_id;
end;
--> statement-breakpoint
create trigger notification_counts_read_all after insert on notification_reads begin
  update notification_counts set unread = (select count(*) from notifications n where n.user_id = new.user_id
    and n.read_at is null and n.expires_at is null and n.seq > new.through) where user_id = new.user_id;
end;
--> statement-breakpoint
create trigger notification_counts_delete after delete on notifications when old.expires_at is null begin
  update notification_counts set total = total - 1,
    unread = unread - (old.read_at is null and not exists (select 1 from notification_reads r where r.user_id = old.user_id and r.through >= old.seq)) where user_id = old.user_id;
end;
--> statement-breakpoint
create trigger delivery_counts_insert after insert on deliveries begin
  insert into delivery_counts (webhook_id, status, n) values (new.webhook_id, new.status, 1)
    on conflict (webhook_id, status) do update set n = n + 1;
end;
--> statement-breakpoint
create trigger delivery_counts_update after update of status on deliveries when old.status <> new.status begin
  update delivery_counts set n = n - 1 where webhook_id = old.webhook_id and status = old.status;
  insert into delivery_counts (webhook_id, status, n) values (new.webhook_id, new.status, 1)
    on conflict (webhook_id, status) do update set n = n + 1;
end;
--> statement-breakpoint
create trigger delivery_counts_delete after delete on deliveries begin
  update delivery_counts set n = n - 1 where webhook_id = old.webhook_id and status = old.status;
end;
--> statement-breakpoint
insert into caller_changes (id, n) values (1, 0);
