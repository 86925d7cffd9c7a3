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
create trigger facts_user_created after insert on users begin
  insert into facts (company_id, kind, at, recorded_at, user_id, zone, team_id, dim_id, subject, flags, weight, value, value2)
    select new.company_id, 3, ifnull(cast(strftime('%s', new.created_at) as integer), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer))), ifnull(cast(strftime('%s', new.created_at) as integer), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer))), new.id, (select u.timezone from users u where u.id = new.id), null, null, null, 0, 1, null, null;
end;
--> statement-breakpoint
create trigger facts_user_deleted after update of deleted_at on users when old.deleted_at is null and new.deleted_at is not null begin
  insert into facts (company_id, kind, at, recorded_at, user_id, zone, team_id, dim_id, subject, flags, weight, value, value2)
    select new.company_id, 3, ifnull(cast(strftime('%s', new.deleted_at) as integer), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer))), ifnull(cast(strftime('%s', new.deleted_at) as integer), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer))), new.id, (select u.timezone from users u where u.id = new.id), null, null, null, 0, -1, null, null;
end;
--> statement-breakpoint
create trigger facts_member_added after insert on team_members begin
  insert into facts (company_id, kind, at, recorded_at, user_id, zone, team_id, dim_id, subject, flags, weight, value, value2)
    select u.company_id, 4, ifnull(max(ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer)), cast(strftime('%s', u.created_at) as integer)), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer))), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer)), new.user_id, (select u.timezone from users u where u.id = new.user_id), new.team_id, null, null, 0, 1, null, null from users u where u.id = new.user_id and exists (select 1 from companies o where o.id = u.company_id and o.deleted_at is null);
end;
--> statement-breakpoint
create trigger facts_member_removed after delete on team_members begin
  insert into facts (company_id, kind, at, recorded_at, user_id, zone, team_id, dim_id, subject, flags, weight, value, value2)
    select u.company_id, 4, ifnull(max(ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer)), cast(strftime('%s', u.created_at) as integer)), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer))), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer)), old.user_id, (select u.timezone from users u where u.id = old.user_id), old.team_id, null, null, 0, -1, null, null from users u where u.id = old.user_id and exists (select 1 from companies o where o.id = u.company_id and o.deleted_at is null);
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
create trigger facts_filter_saved after insert on saved_filters when new.created_by is not null and new.kind in ('account', 'contact') begin
  insert into facts (company_id, kind, at, recorded_at, user_id, zone, team_id, dim_id, subject, flags, weight, value, value2)
    select new.company_id, 37, ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer)), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer)), new.created_by, (select u.timezone from users u where u.id = new.created_by), new.team_id, null, null, 0, 1, null, null;
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
create trigger facts_account_created after insert on accounts when new.version = 1 begin
  insert into fact_dims (company_id, key) select new.company_id, json_array(null, new.created_with_lead_type_id, new.created_with_lead_source, (new.created_with_lead_type_id is not null), null, null, null, null, null) where true on conflict do nothing;
  insert into facts (company_id, kind, at, recorded_at, user_id, zone, team_id, dim_id, subject, flags, weight, value, value2)
    select new.company_id, 5, ifnull(cast(strftime('%s', new.created_at) as integer), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer))), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer)), new.user_id, (select u.timezone from users u where u.id = new.user_id), new.team_id, (select d.id from fact_dims d where d.company_id = new.company_id and d.key = json_array(null, new.created_with_lead_type_id, new.created_with_lead_source, (new.created_with_lead_type_id is not null), null, null, null, null, null)), null, iif(new.b2c = 1, 5, 1), 1, null, null;
end;
--> statement-breakpoint
create trigger facts_account_restored after insert on accounts when new.version > 1 begin
  insert into fact_dims (company_id, key) select new.company_id, json_array(null, new.created_with_lead_type_id, new.created_with_lead_source, (new.created_with_lead_type_id is not null), null, null, null, null, null) where true on conflict do nothing;
  insert into facts (company_id, kind, at, recorded_at, user_id, zone, team_id, dim_id, subject, flags, weight, value, value2)
    select new.company_id, 5, ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer)), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer)), new.user_id, (select u.timezone from users u where u.id = new.user_id), new.team_id, (select d.id from fact_dims d where d.company_id = new.company_id and d.key = json_array(null, new.created_with_lead_type_id, new.created_with_lead_source, (new.created_with_lead_type_id is not null), null, null, null, null, null)), null, iif(new.b2c = 1, 6, 2), 1, null, null;
end;
--> statement-breakpoint
create trigger facts_account_deleted after delete on accounts when old.counts = 1 and exists (select 1 from companies o where o.id = old.company_id and o.deleted_at is null) begin
  insert into fact_dims (company_id, key) select old.company_id, json_array(null, old.created_with_lead_type_id, old.created_with_lead_source, (old.created_with_lead_type_id is not null), null, null, null, null, null) where true on conflict do nothing;
  insert into facts (company_id, kind, at, recorded_at, user_id, zone, team_id, dim_id, subject, flags, weight, value, value2)
    select old.company_id, 5, ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer)), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer)), old.user_id, (select u.timezone from users u where u.id = old.user_id), old.team_id, (select d.id from fact_dims d where d.company_id = old.company_id and d.key = json_array(null, old.created_with_lead_type_id, old.created_with_lead_source, (old.created_with_lead_type_id is not null), null, null, null, null, null)), null, iif(old.b2c = 1, 6, 2), -1, null, null;
end;
--> statement-breakpoint
create trigger facts_account_withdrawn after update of counts on accounts when old.counts = 1 and new.counts = 0 begin
  insert into fact_dims (company_id, key) select old.company_id, json_array(null, old.created_with_lead_type_id, old.created_with_lead_source, (old.created_with_lead_type_id is not null), null, null, null, null, null) where true on conflict do nothing;
  insert into facts (company_id, kind, at, recorded_at, user_id, zone, team_id, dim_id, subject, flags, weight, value, value2)
    select old.company_id, 5, ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer)), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer)), old.user_id, (select u.timezone from users u where u.id = old.user_id), old.team_id, (select d.id from fact_dims d where d.company_id = old.company_id and d.key = json_array(null, old.created_with_lead_type_id, old.created_with_lead_source, (old.created_with_lead_type_id is not null), null, null, null, null, null)), null, iif(old.b2c = 1, 6, 2), -1, null, null;
end;
--> statement-breakpoint
create trigger facts_account_changed after update of user_id, team_id, b2c on accounts when (old.user_id is not new.user_id or old.team_id is not new.team_id or old.b2c is not new.b2c) and new.counts = 1 begin
  insert into fact_dims (company_id, key) select old.company_id, json_array(null, old.created_with_lead_type_id, old.created_with_lead_source, (old.created_with_lead_type_id is not null), null, null, null, null, null) where true on conflict do nothing;
  insert into facts (company_id, kind, at, recorded_at, user_id, zone, team_id, dim_id, subject, flags, weight, value, value2)
    select old.company_id, 5, ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer)), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer)), old.user_id, (select u.timezone from users u where u.id = old.user_id), old.team_id, (select d.id from fact_dims d where d.company_id = old.company_id and d.key = json_array(null, old.created_with_lead_type_id, old.created_with_lead_source, (old.created_with_lead_type_id is not null), null, null, null, null, null)), null, iif(old.b2c = 1, 4, 0), -1, null, null;
  insert into fact_dims (company_id, key) select new.company_id, json_array(null, new.created_with_lead_type_id, new.created_with_lead_source, (new.created_with_lead_type_id is not null), null, null, null, null, null) where true on conflict do nothing;
  insert into facts (company_id, kind, at, recorded_at, user_id, zone, team_id, dim_id, subject, flags, weight, value, value2)
    select new.company_id, 5, ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer)), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer)), new.user_id, (select u.timezone from users u where u.id = new.user_id), new.team_id, (select d.id from fact_dims d where d.company_id = new.company_id and d.key = json_array(null, new.created_with_lead_type_id, new.created_with_lead_source, (new.created_with_lead_type_id is not null), null, null, null, null, null)), null, iif(new.b2c = 1, 4, 0), 1, null, null;
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
create trigger facts_contact_created after insert on contacts when new.version = 1 begin
  insert into fact_dims (company_id, key) select new.company_id, json_array(null, new.created_with_lead_type_id, new.created_with_lead_source, (new.created_with_lead_type_id is not null), null, null, null, null, null) where true on conflict do nothing;
  insert into facts (company_id, kind, at, recorded_at, user_id, zone, team_id, dim_id, subject, flags, weight, value, value2)
    select new.company_id, 6, ifnull(cast(strftime('%s', new.created_at) as integer), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer))), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer)), new.user_id, (select u.timezone from users u where u.id = new.user_id), (select iif(a.counts = 1, a.team_id, new.team_id) from accounts a where a.id = new.account_id), (select d.id from fact_dims d where d.company_id = new.company_id and d.key = json_array(null, new.created_with_lead_type_id, new.created_with_lead_source, (new.created_with_lead_type_id is not null), null, null, null, null, null)), null, iif(new.b2c = 1, 4, 0) | iif(ifnull((select a.address from accounts a where a.id = new.account_id), '') = '', 8, 0) | iif(ifnull(new.email, '') = '', 16, 0) | iif(ifnull(new.phone_number, '') = '', 32, 0) | iif(new.consent_email is 1, 64, 0) | iif(new.consent_call is 1, 128, 0) | iif(new.consent_letter is 1, 256, 0) | iif(new.consent_sms is 1, 512, 0) | 1, 1, null, null;
  insert into facts (company_id, kind, at, recorded_at, user_id, zone, team_id, dim_id, flags)
    select company_id, 39, at, recorded_at, user_id, zone, team_id, dim_id, flags & ~1
    from facts where seq = last_insert_rowid() and flags & 56 = 0;
end;
--> statement-breakpoint
create trigger facts_contact_restored after insert on contacts when new.version > 1 begin
  insert into fact_dims (company_id, key) select new.company_id, json_array(null, new.created_with_lead_type_id, new.created_with_lead_source, (new.created_with_lead_type_id is not null), null, null, null, null, null) where true on conflict do nothing;
  insert into facts (company_id, kind, at, recorded_at, user_id, zone, team_id, dim_id, subject, flags, weight, value, value2)
    select new.company_id, 6, ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer)), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer)), new.user_id, (select u.timezone from users u where u.id = new.user_id), (select iif(a.counts = 1, a.team_id, new.team_id) from accounts a where a.id = new.account_id), (select d.id from fact_dims d where d.company_id = new.company_id and d.key = json_array(null, new.created_with_lead_type_id, new.created_with_lead_source, (new.created_with_lead_type_id is not null), null, null, null, null, null)), null, iif(new.b2c = 1, 4, 0) | iif(ifnull((select a.address from accounts a where a.id = new.account_id), '') = '', 8, 0) | iif(ifnull(new.email, '') = '', 16, 0) | iif(ifnull(new.phone_number, '') = '', 32, 0) | iif(new.consent_email is 1, 64, 0) | iif(new.consent_call is 1, 128, 0) | iif(new.consent_letter is 1, 256, 0) | iif(new.consent_sms is 1, 512, 0) | 2, 1, null, null;
end;
--> statement-breakpoint
create trigger facts_contact_deleted after delete on contacts when exists (select 1 from companies o where o.id = old.company_id and o.deleted_at is null) begin
  insert into fact_dims (company_id, key) select old.company_id, json_array(null, old.created_with_lead_type_id, old.created_with_lead_source, (old.created_with_lead_type_id is not null), null, null, null, null, null) where true on conflict do nothing;
  insert into facts (company_id, kind, at, recorded_at, user_id, zone, team_id, dim_id, subject, flags, weight, value, value2)
    select old.company_id, 6, ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer)), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer)), old.user_id, (select u.timezone from users u where u.id = old.user_id), (select iif(a.counts = 1, a.team_id, old.team_id) from accounts a where a.id = old.account_id), (select d.id from fact_dims d where d.company_id = old.company_id and d.key = json_array(null, old.created_with_lead_type_id, old.created_with_lead_source, (old.created_with_lead_type_id is not null), null, null, null, null, null)), null, iif(old.b2c = 1, 4, 0) | iif(ifnull((select a.address from accounts a where a.id = old.account_id), '') = '', 8, 0) | iif(ifnull(old.email, '') = '', 16, 0) | iif(ifnull(old.phone_number, '') = '', 32, 0) | iif(old.consent_email is 1, 64, 0) | iif(old.consent_call is 1, 128, 0) | iif(old.consent_letter is 1, 256, 0) | iif(old.consent_sms is 1, 512, 0) | 2, -1, null, null;
end;
--> statement-breakpoint
create trigger facts_contact_changed after update of account_id, user_id, b2c, email, phone_number, consent_email, consent_call, consent_letter, consent_sms on contacts when old.account_id is not new.account_id or old.user_id is not new.user_id or old.b2c is not new.b2c or (ifnull(old.email, '') = '') <> (ifnull(new.email, '') = '') or (ifnull(old.phone_number, '') = '') <> (ifnull(new.phone_number, '') = '') or (old.consent_email is 1) <> (new.consent_email is 1) or (old.consent_call is 1) <> (new.consent_call is 1) or (old.consent_letter is 1) <> (new.consent_letter is 1) or (old.consent_sms is 1) <> (new.consent_sms is 1) begin
  insert into fact_dims (company_id, key) select old.company_id, json_array(null, old.created_with_lead_type_id, old.created_with_lead_source, (old.created_with_lead_type_id is not null), null, null, null, null, null) where true on conflict do nothing;
  insert into facts (company_id, kind, at, recorded_at, user_id, zone, team_id, dim_id, subject, flags, weight, value, value2)
    select old.company_id, 6, ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer)), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer)), old.user_id, (select u.timezone from users u where u.id = old.user_id), (select iif(a.counts = 1, a.team_id, old.team_id) from accounts a where a.id = old.account_id), (select d.id from fact_dims d where d.company_id = old.company_id and d.key = json_array(null, old.created_with_lead_type_id, old.created_with_lead_source, (old.created_with_lead_type_id is not null), null, null, null, null, null)), null, iif(old.b2c = 1, 4, 0) | iif(ifnull((select a.address from accounts a where a.id = old.account_id), '') = '', 8, 0) | iif(ifnull(old.email, '') = '', 16, 0) | iif(ifnull(old.phone_number, '') = '', 32, 0) | iif(old.consent_email is 1, 64, 0) | iif(old.consent_call is 1, 128, 0) | iif(old.consent_letter is 1, 256, 0) | iif(old.consent_sms is 1, 512, 0) | 0, -1, null, null;
  insert into fact_dims (company_id, key) select new.company_id, json_array(null, new.created_with_lead_type_id, new.created_with_lead_source, (new.created_with_lead_type_id is not null), null, null, null, null, null) where true on conflict do nothing;
  insert into facts (company_id, kind, at, recorded_at, user_id, zone, team_id, dim_id, subject, flags, weight, value, value2)
    select new.company_id, 6, ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer)), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer)), new.user_id, (select u.timezone from users u where u.id = new.user_id), (select iif(a.counts = 1, a.team_id, new.team_id) from accounts a where a.id = new.account_id), (select d.id from fact_dims d where d.company_id = new.company_id and d.key = json_array(null, new.created_with_lead_type_id, new.created_with_lead_source, (new.created_with_lead_type_id is not null), null, null, null, null, null)), null, iif(new.b2c = 1, 4, 0) | iif(ifnull((select a.address from accounts a where a.id = new.account_id), '') = '', 8, 0) | iif(ifnull(new.email, '') = '', 16, 0) | iif(ifnull(new.phone_number, '') = '', 32, 0) | iif(new.consent_email is 1, 64, 0) | iif(new.consent_call is 1, 128, 0) | iif(new.consent_letter is 1, 256, 0) | iif(new.consent_sms is 1, 512, 0) | 0, 1, null, null;
end;
--> statement-breakpoint
create trigger facts_contacts_of_account_changed after update of team_id, address on accounts when new.counts = 1 and ((old.team_id is not new.team_id) or (ifnull(old.address, '') = '') <> (ifnull(new.address, '') = '')) begin
  insert into fact_dims (company_id, key) select new.company_id, json_array(null, g.created_with_lead_type_id, g.created_with_lead_source, (g.created_with_lead_type_id is not null), null, null, null, null, null) from (select distinct c.created_with_lead_type_id, c.created_with_lead_source from contacts c where c.account_id = new.id) g where true on conflict do nothing;
  insert into facts (company_id, kind, at, recorded_at, user_id, zone, team_id, dim_id, subject, flags, weight, value, value2)
    select new.company_id, 6, ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer)), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer)), g.user_id, (select u.timezone from users u where u.id = g.user_id), s.team_id, (select d.id from fact_dims d where d.company_id = new.company_id and d.key = json_array(null, g.created_with_lead_type_id, g.created_with_lead_source, (g.created_with_lead_type_id is not null), null, null, null, null, null)), null, g.flags | s.flags, g.n * s.sign, null, null from (select c.user_id, c.created_with_lead_type_id, c.created_with_lead_source, iif(c.b2c = 1, 4, 0) | iif(ifnull(c.email, '') = '', 16, 0) | iif(ifnull(c.phone_number, '') = '', 32, 0) | iif(c.consent_email is 1, 64, 0) | iif(c.consent_call is 1, 128, 0) | iif(c.consent_letter is 1, 256, 0) | iif(c.consent_sms is 1, 512, 0) as flags, count(*) as n from contacts c
      where c.account_id = new.id group by 1, 2, 3, 4) g
    cross join (select old.team_id as team_id, iif(ifnull(old.address, '') = '', 8, 0) as flags, -1 as sign union all select new.team_id as team_id, iif(ifnull(new.address, '') = '', 8, 0) as flags, 1 as sign) s;
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
create trigger refusals_contact_delete after delete on contacts when old.email is not null begin
  update refusals set email_key = null where company_id = old.company_id and email_key = case when old.folded ->> 'email' is null then lower(old.email) else old.folded ->> 'email' end
    and not exists (select 1 from contacts c where c.company_id = old.company_id
      and case when c.folded ->> 'email' is null then lower(c.email) else c.folded ->> 'email' end = case when old.folded ->> 'email' is null then lower(old.email) else old.folded ->> 'email' end);
end;
--> statement-breakpoint
create trigger refusals_contact_email after update of email on contacts when old.email is not null and old.email is not new.email begin
  update refusals set email_key = null where company_id = old.company_id and email_key = case when old.folded ->> 'email' is null then lower(old.email) else old.folded ->> 'email' end
    and not exists (select 1 from contacts c where c.company_id = old.company_id
      and case when c.folded ->> 'email' is null then lower(c.email) else c.folded ->> 'email' end = case when old.folded ->> 'email' is null then lower(old.email) else old.folded ->> 'email' end);
end;
--> statement-breakpoint
create trigger refusals_contact_number_delete after delete on contacts when old.e164 is not null begin
  update refusals set e164 = null where company_id = old.company_id and e164 = old.e164
    and not exists (select 1 from contacts c where c.company_id = old.company_id and c.e164 = old.e164);
end;
--> statement-breakpoint
create trigger refusals_contact_number after update of e164 on contacts when old.e164 is not null and old.e164 is not new.e164 begin
  update refusals set e164 = null where company_id = old.company_id and e164 = old.e164
    and not exists (select 1 from contacts c where c.company_id = old.company_id and c.e164 = old.e164);
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
create virtual table products_search using fts5(words, content='', contentless_delete=1, detail=none, tokenize='ascii');
--> statement-breakpoint
create trigger products_search_delete after delete on products begin
  delete from products_search where rowid = old.seq;
end;
--> statement-breakpoint
create trigger relations_paths_total_insert after insert on relations_paths begin
  insert into totals (company_id, kind, team_id, status, agency_team_id, n)
    values (new.company_id, 'relations_paths', 0, new.reader, 0, 1)
    on conflict (company_id, kind, team_id, status, agency_team_id) do update set n = n + 1;
end;
--> statement-breakpoint
create trigger relations_paths_total_delete after delete on relations_paths begin
  update totals set n = n - 1 where company_id = old.company_id
    and kind = 'relations_paths' and team_id = 0 and status = old.reader
    and agency_team_id = 0;
end;
--> statement-breakpoint
create trigger relations_paths_total_leave after update of team_id, group_id, kept_for on relations_paths when (old.team_id is not new.team_id or old.group_id is not new.group_id or old.kept_for is not new.kept_for) begin
  update totals set n = n - 1 where company_id = old.company_id
    and kind = 'relations_paths' and team_id = 0 and status = old.reader
    and agency_team_id = 0;
end;
--> statement-breakpoint
create trigger relations_paths_total_enter after update of team_id, group_id, kept_for on relations_paths when (old.team_id is not new.team_id or old.group_id is not new.group_id or old.kept_for is not new.kept_for) begin
  insert into totals (company_id, kind, team_id, status, agency_team_id, n)
    values (new.company_id, 'relations_paths', 0, new.reader, 0, 1)
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
create virtual table leads_search using fts5(words, content='', contentless_delete=1, detail=none, tokenize='ascii');
--> statement-breakpoint
create trigger leads_search_delete after delete on leads begin
  delete from leads_search where rowid = old.seq;
end;
--> statement-breakpoint
create trigger leads_search_insert after insert on leads begin
  insert or replace into leads_search (rowid, words)
    select l.seq, ifnull(l.words, '') || ifnull(' ' || a.name_words, '') || ifnull(' ' || c.name_words, '')
    from leads l left join accounts a on a.id = case when l.account_id is null then l.original_account_id else l.account_id end
    left join contacts c on c.id = case when l.contact_id is null then l.original_contact_id else l.contact_id end
    where l.seq = new.seq;
end;
--> statement-breakpoint
create trigger leads_search_change after update of words, account_id, contact_id, original_account_id, original_contact_id on leads when old.words is not new.words or old.account_id is not new.account_id or old.contact_id is not new.contact_id or old.original_account_id is not new.original_account_id or old.original_contact_id is not new.original_contact_id begin
  insert or replace into leads_search (rowid, words)
    select l.seq, ifnull(l.words, '') || ifnull(' ' || a.name_words, '') || ifnull(' ' || c.name_words, '')
    from leads l left join accounts a on a.id = case when l.account_id is null then l.original_account_id else l.account_id end
    left join contacts c on c.id = case when l.contact_id is null then l.original_contact_id else l.contact_id end
    where l.seq = new.seq;
end;
--> statement-breakpoint
create trigger leads_search_accounts_renamed after update of name_words on accounts when old.name_words is not new.name_words begin
  insert or replace into leads_search (rowid, words)
    select l.seq, ifnull(l.words, '') || ifnull(' ' || a.name_words, '') || ifnull(' ' || c.name_words, '')
    from leads l left join accounts a on a.id = case when l.account_id is null then l.original_account_id else l.account_id end
    left join contacts c on c.id = case when l.contact_id is null then l.original_contact_id else l.contact_id end
    where case when l.account_id is null then l.original_account_id else l.account_id end = +new.id;
end;
--> statement-breakpoint
create trigger leads_search_contacts_renamed after update of name_words on contacts when old.name_words is not new.name_words begin
  insert or replace into leads_search (rowid, words)
    select l.seq, ifnull(l.words, '') || ifnull(' ' || a.name_words, '') || ifnull(' ' || c.name_words, '')
    from leads l left join accounts a on a.id = case when l.account_id is null then l.original_account_id else l.account_id end
    left join contacts c on c.id = case when l.contact_id is null then l.original_contact_id else l.contact_id end
    where case when l.contact_id is null then l.original_contact_id else l.contact_id end = +new.id;
end;
--> statement-breakpoint
create trigger facts_lead_created after insert on leads begin
  insert into fact_dims (company_id, key) select new.company_id, json_array(null, new.lead_type_id, new.lead_source, 1, null, null, json((select json_group_array(p.id) from (select value as id from json_each(new.product_ids) order by 1) p)), null, new.agency_team_id) where true on conflict do nothing;
  insert into facts (company_id, kind, at, recorded_at, user_id, zone, team_id, dim_id, subject, flags, weight, value, value2)
    select new.company_id, 8, ifnull(cast(strftime('%s', new.created_at) as integer), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer))), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer)), null, null, new.team_id, (select d.id from fact_dims d where d.company_id = new.company_id and d.key = json_array(null, new.lead_type_id, new.lead_source, 1, null, null, json((select json_group_array(p.id) from (select value as id from json_each(new.product_ids) order by 1) p)), null, new.agency_team_id)), new.id, 0, 1, null, null;
  insert into fact_dims (company_id, key) select new.company_id, json_array(null, new.lead_type_id, new.lead_source, 1, null, null, json((select json_group_array(p.id) from (select value as id from json_each(new.product_ids) order by 1) p)), null, new.agency_team_id) where new.state in ('assignable', 'assigned', 'rejected', 'escalated', 'called', 'revoked') and new.deleted_at is null on conflict do nothing;
  insert into facts (company_id, kind, at, recorded_at, user_id, zone, team_id, dim_id, subject, flags, weight, value, value2)
    select new.company_id, 18, ifnull(cast(strftime('%s', new.created_at) as integer), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer))), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer)), new.user_id, (select u.timezone from users u where u.id = new.user_id), new.team_id, (select d.id from fact_dims d where d.company_id = new.company_id and d.key = json_array(null, new.lead_type_id, new.lead_source, 1, null, null, json((select json_group_array(p.id) from (select value as id from json_each(new.product_ids) order by 1) p)), null, new.agency_team_id)), null, 0, 1, null, null where new.state in ('assignable', 'assigned', 'rejected', 'escalated', 'called', 'revoked') and new.deleted_at is null;
  insert into fact_dims (company_id, key) select new.company_id, json_array(null, new.lead_type_id, new.lead_source, 1, null, null, json((select json_group_array(p.id) from (select value as id from json_each(new.product_ids) order by 1) p)), null, new.agency_team_id) where new.state in ('assignable', 'assigned', 'rejected', 'escalated', 'called', 'revoked') and new.deleted_at is null and new.expires_at is not null on conflict do nothing;
  insert into facts (company_id, kind, at, recorded_at, user_id, zone, team_id, dim_id, subject, flags, weight, value, value2)
    select new.company_id, 18, ifnull(max(cast(strftime('%s', new.created_at) as integer), cast(strftime('%s', new.expires_at) as integer)), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer))), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer)), new.user_id, (select u.timezone from users u where u.id = new.user_id), new.team_id, (select d.id from fact_dims d where d.company_id = new.company_id and d.key = json_array(null, new.lead_type_id, new.lead_source, 1, null, null, json((select json_group_array(p.id) from (select value as id from json_each(new.product_ids) order by 1) p)), null, new.agency_team_id)), null, 0, -1, null, null where new.state in ('assignable', 'assigned', 'rejected', 'escalated', 'called', 'revoked') and new.deleted_at is null and new.expires_at is not null;
end;
--> statement-breakpoint
create trigger facts_lead_changed after update of state, user_id, team_id, agency_team_id, lead_type_id, lead_source, product_ids, expires_at, deleted_at on leads when (old.state is not new.state or old.user_id is not new.user_id or old.team_id is not new.team_id or old.agency_team_id is not new.agency_team_id or old.lead_type_id is not new.lead_type_id or old.lead_source is not new.lead_source or old.product_ids is not new.product_ids or old.expires_at is not new.expires_at or old.deleted_at is not new.deleted_at) begin
  insert into fact_dims (company_id, key) select old.company_id, json_array(null, old.lead_type_id, old.lead_source, 1, null, null, json((select json_group_array(p.id) from (select value as id from json_each(old.product_ids) order by 1) p)), null, old.agency_team_id) where old.state in ('assignable', 'assigned', 'rejected', 'escalated', 'called', 'revoked') and old.deleted_at is null on conflict do nothing;
  insert into facts (company_id, kind, at, recorded_at, user_id, zone, team_id, dim_id, subject, flags, weight, value, value2)
    select old.company_id, 18, ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer)), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer)), old.user_id, (select u.timezone from users u where u.id = old.user_id), old.team_id, (select d.id from fact_dims d where d.company_id = old.company_id and d.key = json_array(null, old.lead_type_id, old.lead_source, 1, null, null, json((select json_group_array(p.id) from (select value as id from json_each(old.product_ids) order by 1) p)), null, old.agency_team_id)), null, 0, -1, null, null where old.state in ('assignable', 'assigned', 'rejected', 'escalated', 'called', 'revoked') and old.deleted_at is null;
  insert into fact_dims (company_id, key) select old.company_id, json_array(null, old.lead_type_id, old.lead_source, 1, null, null, json((select json_group_array(p.id) from (select value as id from json_each(old.product_ids) order by 1) p)), null, old.agency_team_id) where old.state in ('assignable', 'assigned', 'rejected', 'escalated', 'called', 'revoked') and old.deleted_at is null and old.expires_at is not null on conflict do nothing;
  insert into facts (company_id, kind, at, recorded_at, user_id, zone, team_id, dim_id, subject, flags, weight, value, value2)
    select old.company_id, 18, ifnull(max(ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer)), cast(strftime('%s', old.expires_at) as integer)), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer))), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer)), old.user_id, (select u.timezone from users u where u.id = old.user_id), old.team_id, (select d.id from fact_dims d where d.company_id = old.company_id and d.key = json_array(null, old.lead_type_id, old.lead_source, 1, null, null, json((select json_group_array(p.id) from (select value as id from json_each(old.product_ids) order by 1) p)), null, old.agency_team_id)), null, 0, 1, null, null where old.state in ('assignable', 'assigned', 'rejected', 'escalated', 'called', 'revoked') and old.deleted_at is null and old.expires_at is not null;
  insert into fact_dims (company_id, key) select new.company_id, json_array(null, new.lead_type_id, new.lead_source, 1, null, null, json((select json_group_array(p.id) from (select value as id from json_each(new.product_ids) order by 1) p)), null, new.agency_team_id) where new.state in ('assignable', 'assigned', 'rejected', 'escalated', 'called', 'revoked') and new.deleted_at is null on conflict do nothing;
  insert into facts (company_id, kind, at, recorded_at, user_id, zone, team_id, dim_id, subject, flags, weight, value, value2)
    select new.company_id, 18, ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer)), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer)), new.user_id, (select u.timezone from users u where u.id = new.user_id), new.team_id, (select d.id from fact_dims d where d.company_id = new.company_id and d.key = json_array(null, new.lead_type_id, new.lead_source, 1, null, null, json((select json_group_array(p.id) from (select value as id from json_each(new.product_ids) order by 1) p)), null, new.agency_team_id)), null, 0, 1, null, null where new.state in ('assignable', 'assigned', 'rejected', 'escalated', 'called', 'revoked') and new.deleted_at is null;
  insert into fact_dims (company_id, key) select new.company_id, json_array(null, new.lead_type_id, new.lead_source, 1, null, null, json((select json_group_array(p.id) from (select value as id from json_each(new.product_ids) order by 1) p)), null, new.agency_team_id) where new.state in ('assignable', 'assigned', 'rejected', 'escalated', 'called', 'revoked') and new.deleted_at is null and new.expires_at is not null on conflict do nothing;
  insert into facts (company_id, kind, at, recorded_at, user_id, zone, team_id, dim_id, subject, flags, weight, value, value2)
    select new.company_id, 18, ifnull(max(ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer)), cast(strftime('%s', new.expires_at) as integer)), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer))), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer)), new.user_id, (select u.timezone from users u where u.id = new.user_id), new.team_id, (select d.id from fact_dims d where d.company_id = new.company_id and d.key = json_array(null, new.lead_type_id, new.lead_source, 1, null, null, json((select json_group_array(p.id) from (select value as id from json_each(new.product_ids) order by 1) p)), null, new.agency_team_id)), null, 0, -1, null, null where new.state in ('assignable', 'assigned', 'rejected', 'escalated', 'called', 'revoked') and new.deleted_at is null and new.expires_at is not null;
end;
--> statement-breakpoint
create trigger facts_lead_deleted after update of deleted_at on leads when old.deleted_at is null and new.deleted_at is not null begin
  insert into fact_dims (company_id, key) select new.company_id, json_array(null, new.lead_type_id, new.lead_source, 1, null, null, json((select json_group_array(p.id) from (select value as id from json_each(new.product_ids) order by 1) p)), null, new.agency_team_id) where true on conflict do nothing;
  insert into facts (company_id, kind, at, recorded_at, user_id, zone, team_id, dim_id, subject, flags, weight, value, value2)
    select new.company_id, 15, ifnull(cast(strftime('%s', new.deleted_at) as integer), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer))), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer)), ifnull((select iif(t.kind = 'acception', t.user_id, null) from lead_transitions t where t.lead_id = new.id
    and t.kind in ('assignment', 'acception') order by t.id desc limit 1), new.user_id), (select u.timezone from users u where u.id = ifnull((select iif(t.kind = 'acception', t.user_id, null) from lead_transitions t where t.lead_id = new.id
    and t.kind in ('assignment', 'acception') order by t.id desc limit 1), new.user_id)), new.team_id, (select d.id from fact_dims d where d.company_id = new.company_id and d.key = json_array(null, new.lead_type_id, new.lead_source, 1, null, null, json((select json_group_array(p.id) from (select value as id from json_each(new.product_ids) order by 1) p)), null, new.agency_team_id)), new.id, 0, 1, null, null;
end;
--> statement-breakpoint
create trigger facts_lead_removed after delete on leads when exists (select 1 from companies o where o.id = old.company_id and o.deleted_at is null) begin
  insert into fact_dims (company_id, key) select old.company_id, json_array(null, old.lead_type_id, old.lead_source, 1, null, null, json((select json_group_array(p.id) from (select value as id from json_each(old.product_ids) order by 1) p)), null, old.agency_team_id) where old.state in ('assignable', 'assigned', 'rejected', 'escalated', 'called', 'revoked') and old.deleted_at is null on conflict do nothing;
  insert into facts (company_id, kind, at, recorded_at, user_id, zone, team_id, dim_id, subject, flags, weight, value, value2)
    select old.company_id, 18, ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer)), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer)), old.user_id, (select u.timezone from users u where u.id = old.user_id), old.team_id, (select d.id from fact_dims d where d.company_id = old.company_id and d.key = json_array(null, old.lead_type_id, old.lead_source, 1, null, null, json((select json_group_array(p.id) from (select value as id from json_each(old.product_ids) order by 1) p)), null, old.agency_team_id)), null, 0, -1, null, null where old.state in ('assignable', 'assigned', 'rejected', 'escalated', 'called', 'revoked') and old.deleted_at is null;
  insert into fact_dims (company_id, key) select old.company_id, json_array(null, old.lead_type_id, old.lead_source, 1, null, null, json((select json_group_array(p.id) from (select value as id from json_each(old.product_ids) order by 1) p)), null, old.agency_team_id) where old.state in ('assignable', 'assigned', 'rejected', 'escalated', 'called', 'revoked') and old.deleted_at is null and old.expires_at is not null on conflict do nothing;
  insert into facts (company_id, kind, at, recorded_at, user_id, zone, team_id, dim_id, subject, flags, weight, value, value2)
    select old.company_id, 18, ifnull(max(ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer)), cast(strftime('%s', old.expires_at) as integer)), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer))), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer)), old.user_id, (select u.timezone from users u where u.id = old.user_id), old.team_id, (select d.id from fact_dims d where d.company_id = old.company_id and d.key = json_array(null, old.lead_type_id, old.lead_source, 1, null, null, json((select json_group_array(p.id) from (select value as id from json_each(old.product_ids) order by 1) p)), null, old.agency_team_id)), null, 0, 1, null, null where old.state in ('assignable', 'assigned', 'rejected', 'escalated', 'called', 'revoked') and old.deleted_at is null and old.expires_at is not null;
end;
--> statement-breakpoint
create trigger facts_lead_assigned after insert on lead_transitions when new.kind = 'assignment' begin
  insert into fact_dims (company_id, key) select l.company_id, json_array(null, l.lead_type_id, l.lead_source, 1, null, null, json((select json_group_array(p.id) from (select value as id from json_each(l.product_ids) order by 1) p)), null, l.agency_team_id) from leads l where l.id = new.lead_id on conflict do nothing;
  insert into facts (company_id, kind, at, recorded_at, user_id, zone, team_id, dim_id, subject, flags, weight, value, value2)
    select l.company_id, 9, ifnull(cast(strftime('%s', new.at) as integer), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer))), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer)), new.user_id, (select u.timezone from users u where u.id = new.user_id), new.team_id, (select d.id from fact_dims d where d.company_id = l.company_id and d.key = json_array(null, l.lead_type_id, l.lead_source, 1, null, null, json((select json_group_array(p.id) from (select value as id from json_each(l.product_ids) order by 1) p)), null, l.agency_team_id)), l.id, 0, 1, null, null from leads l where l.id = new.lead_id;
end;
--> statement-breakpoint
create trigger facts_lead_accepted after insert on lead_transitions when new.kind = 'acception' begin
  insert into fact_dims (company_id, key) select l.company_id, json_array(null, l.lead_type_id, l.lead_source, 1, null, null, json((select json_group_array(p.id) from (select value as id from json_each(l.product_ids) order by 1) p)), null, l.agency_team_id) from leads l left join lead_transitions s on s.id = (select max(t.id) from lead_transitions t
    where t.lead_id = new.lead_id and t.kind = 'assignment' and t.id < new.id) where l.id = new.lead_id on conflict do nothing;
  insert into facts (company_id, kind, at, recorded_at, user_id, zone, team_id, dim_id, subject, flags, weight, value, value2)
    select l.company_id, 10, ifnull(cast(strftime('%s', new.at) as integer), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer))), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer)), new.user_id, (select u.timezone from users u where u.id = new.user_id), new.team_id, (select d.id from fact_dims d where d.company_id = l.company_id and d.key = json_array(null, l.lead_type_id, l.lead_source, 1, null, null, json((select json_group_array(p.id) from (select value as id from json_each(l.product_ids) order by 1) p)), null, l.agency_team_id)), l.id, 0, 1, max(0, cast(strftime('%s', new.at) as integer) - cast(strftime('%s', s.at) as integer)), null from leads l left join lead_transitions s on s.id = (select max(t.id) from lead_transitions t
    where t.lead_id = new.lead_id and t.kind = 'assignment' and t.id < new.id) where l.id = new.lead_id;
  insert into facts (company_id, kind, at, recorded_at, user_id, zone, team_id, dim_id, subject, flags, weight, value, value2)
    select l.company_id, 17, ifnull(cast(strftime('%s', new.at) as integer), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer))), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer)), s.user_id, (select u.timezone from users u where u.id = s.user_id), s.team_id, (select f.dim_id from facts f where f.subject = l.id and f.kind = 9
    order by f.seq desc limit 1), l.id, 0, 1, max(0, cast(strftime('%s', new.at) as integer) - cast(strftime('%s', s.at) as integer)), null from leads l left join lead_transitions s on s.id = (select max(t.id) from lead_transitions t
    where t.lead_id = new.lead_id and t.kind = 'assignment' and t.id < new.id) where l.id = new.lead_id and s.id is not null;
end;
--> statement-breakpoint
create trigger facts_lead_rejected after insert on lead_transitions when new.kind = 'rejection' begin
  insert into fact_dims (company_id, key) select l.company_id, json_array(null, l.lead_type_id, l.lead_source, 1, null, null, json((select json_group_array(p.id) from (select value as id from json_each(l.product_ids) order by 1) p)), null, l.agency_team_id) from leads l where l.id = new.lead_id on conflict do nothing;
  insert into facts (company_id, kind, at, recorded_at, user_id, zone, team_id, dim_id, subject, flags, weight, value, value2)
    select l.company_id, 11, ifnull(cast(strftime('%s', new.at) as integer), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer))), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer)), new.user_id, (select u.timezone from users u where u.id = new.user_id), new.team_id, (select d.id from fact_dims d where d.company_id = l.company_id and d.key = json_array(null, l.lead_type_id, l.lead_source, 1, null, null, json((select json_group_array(p.id) from (select value as id from json_each(l.product_ids) order by 1) p)), null, l.agency_team_id)), l.id, 0, 1, null, null from leads l where l.id = new.lead_id;
end;
--> statement-breakpoint
create trigger facts_lead_called after insert on lead_transitions when new.kind = 'call' begin
  insert into fact_dims (company_id, key) select l.company_id, json_array(null, l.lead_type_id, l.lead_source, 1, null, null, json((select json_group_array(p.id) from (select value as id from json_each(l.product_ids) order by 1) p)), null, l.agency_team_id) from leads l where l.id = new.lead_id on conflict do nothing;
  insert into facts (company_id, kind, at, recorded_at, user_id, zone, team_id, dim_id, subject, flags, weight, value, value2)
    select l.company_id, 12, ifnull(cast(strftime('%s', new.at) as integer), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer))), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer)), new.user_id, (select u.timezone from users u where u.id = new.user_id), new.team_id, (select d.id from fact_dims d where d.company_id = l.company_id and d.key = json_array(null, l.lead_type_id, l.lead_source, 1, null, null, json((select json_group_array(p.id) from (select value as id from json_each(l.product_ids) order by 1) p)), null, l.agency_team_id)), l.id, 0, 1, null, null from leads l where l.id = new.lead_id;
end;
--> statement-breakpoint
create trigger facts_lead_escalated after insert on lead_transitions when new.kind = 'escalation' begin
  insert into fact_dims (company_id, key) select l.company_id, json_array(null, l.lead_type_id, l.lead_source, 1, null, null, json((select json_group_array(p.id) from (select value as id from json_each(l.product_ids) order by 1) p)), null, l.agency_team_id) from leads l where l.id = new.lead_id on conflict do nothing;
  insert into facts (company_id, kind, at, recorded_at, user_id, zone, team_id, dim_id, subject, flags, weight, value, value2)
    select l.company_id, 13, ifnull(cast(strftime('%s', new.at) as integer), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer))), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer)), ifnull((select iif(t.kind = 'acception', t.user_id, null) from lead_transitions t where t.lead_id = l.id
    and t.kind in ('assignment', 'acception') order by t.id desc limit 1), l.user_id), (select u.timezone from users u where u.id = ifnull((select iif(t.kind = 'acception', t.user_id, null) from lead_transitions t where t.lead_id = l.id
    and t.kind in ('assignment', 'acception') order by t.id desc limit 1), l.user_id)), new.team_id, (select d.id from fact_dims d where d.company_id = l.company_id and d.key = json_array(null, l.lead_type_id, l.lead_source, 1, null, null, json((select json_group_array(p.id) from (select value as id from json_each(l.product_ids) order by 1) p)), null, l.agency_team_id)), l.id, 0, 1, null, null from leads l where l.id = new.lead_id;
end;
--> statement-breakpoint
create trigger facts_lead_revoked after insert on lead_transitions when new.kind = 'revocation' begin
  insert into fact_dims (company_id, key) select l.company_id, json_array(null, l.lead_type_id, l.lead_source, 1, null, null, json((select json_group_array(p.id) from (select value as id from json_each(l.product_ids) order by 1) p)), null, l.agency_team_id) from leads l where l.id = new.lead_id on conflict do nothing;
  insert into facts (company_id, kind, at, recorded_at, user_id, zone, team_id, dim_id, subject, flags, weight, value, value2)
    select l.company_id, 14, ifnull(cast(strftime('%s', new.at) as integer), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer))), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer)), ifnull((select iif(t.kind = 'acception', t.user_id, null) from lead_transitions t where t.lead_id = l.id
    and t.kind in ('assignment', 'acception') order by t.id desc limit 1), l.user_id), (select u.timezone from users u where u.id = ifnull((select iif(t.kind = 'acception', t.user_id, null) from lead_transitions t where t.lead_id = l.id
    and t.kind in ('assignment', 'acception') order by t.id desc limit 1), l.user_id)), new.team_id, (select d.id from fact_dims d where d.company_id = l.company_id and d.key = json_array(null, l.lead_type_id, l.lead_source, 1, null, null, json((select json_group_array(p.id) from (select value as id from json_each(l.product_ids) order by 1) p)), null, l.agency_team_id)), l.id, 0, 1, null, null from leads l where l.id = new.lead_id;
end;
--> statement-breakpoint
create trigger facts_lead_first_activity after update of first_activity_at on lead_transitions
    when old.first_activity_at is null and new.first_activity_at is not null begin
  insert into fact_dims (company_id, key) select l.company_id, json_array(null, l.lead_type_id, l.lead_source, 1, null, null, json((select json_group_array(p.id) from (select value as id from json_each(l.product_ids) order by 1) p)), null, l.agency_team_id) from leads l where l.id = new.lead_id on conflict do nothing;
  insert into facts (company_id, kind, at, recorded_at, user_id, zone, team_id, dim_id, subject, flags, weight, value, value2)
    select l.company_id, 16, ifnull(cast(strftime('%s', new.first_activity_at) as integer), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer))), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer)), new.user_id, (select u.timezone from users u where u.id = new.user_id), new.team_id, (select d.id from fact_dims d where d.company_id = l.company_id and d.key = json_array(null, l.lead_type_id, l.lead_source, 1, null, null, json((select json_group_array(p.id) from (select value as id from json_each(l.product_ids) order by 1) p)), null, l.agency_team_id)), l.id, 0, 1, max(0, cast(strftime('%s', new.first_activity_at) as integer) - cast(strftime('%s', new.at) as integer)), null from leads l where l.id = new.lead_id;
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
create trigger cases_totals_delete after delete on cases begin
  delete from totals where company_id = old.company_id and kind in ('correspondences', 'automated_sends')
    and team_id = 0 and status = old.id;
end;
--> statement-breakpoint
create trigger facts_case_created after insert on cases begin
  insert into fact_dims (company_id, key) select new.company_id, json_array(new.relations_path_id, new.lead_type_id, new.lead_source, (new.lead_id is not null), null, null, json(new.product_ids), null, null) where true on conflict do nothing;
  insert into facts (company_id, kind, at, recorded_at, user_id, zone, team_id, dim_id, subject, flags, weight, value, value2)
    select new.company_id, 19, ifnull(cast(strftime('%s', new.created_at) as integer), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer))), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer)), new.user_id, (select u.timezone from users u where u.id = new.user_id), new.team_id, (select d.id from fact_dims d where d.company_id = new.company_id and d.key = json_array(new.relations_path_id, new.lead_type_id, new.lead_source, (new.lead_id is not null), null, null, json(new.product_ids), null, null)), new.id, 0, 1, null, null;
  insert into facts (company_id, kind, at, recorded_at, user_id, zone, team_id, dim_id, subject, flags, weight, value, value2)
    select new.company_id, 24, ifnull(cast(strftime('%s', new.created_at) as integer), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer))), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer)), new.user_id, (select u.timezone from users u where u.id = new.user_id), new.team_id, null, new.id, 0, 1, null, null;
  insert into fact_dims (company_id, key) select new.company_id, json_array(new.relations_path_id, new.lead_type_id, new.lead_source, (new.lead_id is not null), null, null, json(new.product_ids), null, null) where new.status = 'open' on conflict do nothing;
  insert into facts (company_id, kind, at, recorded_at, user_id, zone, team_id, dim_id, subject, flags, weight, value, value2)
    select new.company_id, 23, ifnull(cast(strftime('%s', new.created_at) as integer), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer))), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer)), new.user_id, (select u.timezone from users u where u.id = new.user_id), new.team_id, (select d.id from fact_dims d where d.company_id = new.company_id and d.key = json_array(new.relations_path_id, new.lead_type_id, new.lead_source, (new.lead_id is not null), null, null, json(new.product_ids), null, null)), new.id, 0, 1, new.offer_value, round(new.offer_value * new.chance_of_success / 100.0, 8) where new.status = 'open';
end;
--> statement-breakpoint
create trigger facts_case_changed after update of status, chance_of_success on cases when (old.status is not new.status or old.chance_of_success is not new.chance_of_success) begin
  insert into facts (company_id, kind, at, recorded_at, user_id, zone, team_id, dim_id, subject, flags, weight, value, value2)
    select new.company_id, 40, ifnull(cast(strftime('%s', new.created_at) as integer), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer))), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer)), null, null, null, null, new.id, 0, 1, old.chance_of_success, null where old.chance_of_success <> new.chance_of_success and not exists (select 1 from facts f where f.subject = new.id and f.kind = 40);
  insert into facts (company_id, kind, at, recorded_at, user_id, zone, team_id, dim_id, subject, flags, weight, value, value2)
    select new.company_id, 40, ifnull(ifnull(cast(strftime('%s', new.effective_at) as integer), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer))), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer))), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer)), null, null, null, null, new.id, 0, 1, new.chance_of_success, null where old.chance_of_success <> new.chance_of_success;
  insert into facts (company_id, kind, at, recorded_at, user_id, team_id, dim_id, subject, weight, value, value2)
    select new.company_id, 23, max(f.at, ifnull(cast(strftime('%s', new.effective_at) as integer), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer)))), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer)), f.user_id, f.team_id, f.dim_id, new.id,
    -sum(f.weight), -sum(f.value), -sum(f.value2) from facts f where f.subject = new.id and f.kind = 23
    group by max(f.at, ifnull(cast(strftime('%s', new.effective_at) as integer), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer)))), f.user_id, f.team_id, f.dim_id having sum(f.weight) <> 0 or round(ifnull(sum(f.value), 0), 6) <> 0 or round(ifnull(sum(f.value2), 0), 6) <> 0;
  insert into fact_dims (company_id, key) select new.company_id, json_array(new.relations_path_id, new.lead_type_id, new.lead_source, (new.lead_id is not null), null, null, json(s.p), null, null) from (select o.at, o.user_id, o.team_id, iif(y.value = 1, o.n, -o.n_before) as n,
    iif(y.value = 1, o.v, o.v_before) as v, iif(y.value = 1, o.p, o.p_before) as p,
    iif(y.value = 1, o.c, o.c_before) as c
    from (select b.at, g.user_id, g.team_id,
    (ifnull((select h.to_status from case_status_changes h where h.case_id = new.id
    and cast(strftime('%s', h.at) as integer) <= b.at order by h.id desc limit 1),
    ifnull((select h.from_status from case_status_changes h where h.case_id = new.id order by h.id limit 1),
    new.status)) = 'open') * ifnull((select sum(f.weight) from facts f where f.subject = new.id and f.kind = 24 and f.user_id is g.user_id
    and f.team_id is g.team_id and f.at <= b.at), 0) as n,
    iif(b.at = ifnull(cast(strftime('%s', new.effective_at) as integer), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer))), 0, (ifnull((select h.to_status from case_status_changes h where h.case_id = new.id
    and cast(strftime('%s', h.at) as integer) < b.at order by h.id desc limit 1),
    ifnull((select h.from_status from case_status_changes h where h.case_id = new.id order by h.id limit 1),
    new.status)) = 'open') * ifnull((select sum(f.weight) from facts f where f.subject = new.id and f.kind = 24 and f.user_id is g.user_id
    and f.team_id is g.team_id and f.at < b.at), 0)) as n_before,
    ifnull((select round(sum(round((l.value ->> 'quantity') * ifnull(l.value ->> 'price', 0) - ifnull(l.value ->> 'discount', 0), 8)), 8)
    from (select o.product_details from activities o where o.case_id = new.id and +o.product_details <> '[]'
    and o.created_at <= datetime(b.at, 'unixepoch') order by o.created_at desc, o.id desc limit 1) a,
    json_each(a.product_details) d, json_each(d.value, '$.products') l), 0) as v, ifnull((select round(sum(round((l.value ->> 'quantity') * ifnull(l.value ->> 'price', 0) - ifnull(l.value ->> 'discount', 0), 8)), 8)
    from (select o.product_details from activities o where o.case_id = new.id and +o.product_details <> '[]'
    and o.created_at < datetime(b.at, 'unixepoch') order by o.created_at desc, o.id desc limit 1) a,
    json_each(a.product_details) d, json_each(d.value, '$.products') l), 0) as v_before,
    (select json_group_array(p.id) from (select x.key as id from json_each(w.firsts) x where x.value <= b.at
    order by 1) p) as p, (select json_group_array(p.id) from (select x.key as id from json_each(w.firsts) x where x.value < b.at
    order by 1) p) as p_before,
    ifnull((select f.value from facts f where f.subject = new.id and f.kind = 40 and f.at <= b.at order by f.seq desc limit 1),
    new.chance_of_success) as c, ifnull((select f.value from facts f where f.subject = new.id and f.kind = 40 and f.at < b.at order by f.seq desc limit 1),
    new.chance_of_success) as c_before
    from (select max(f.at, ifnull(cast(strftime('%s', new.effective_at) as integer), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer)))) as at from facts f where f.subject = new.id and f.kind = 24
    union select max(cast(strftime('%s', o.created_at) as integer), ifnull(cast(strftime('%s', new.effective_at) as integer), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer)))) from activities o
    where o.case_id = new.id and o.product_details <> '[]'
    union select max(cast(strftime('%s', h.at) as integer), ifnull(cast(strftime('%s', new.effective_at) as integer), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer)))) from case_status_changes h where h.case_id = new.id
    union select max(f.at, ifnull(cast(strftime('%s', new.effective_at) as integer), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer)))) from facts f where f.subject = new.id and f.kind = 40) b,
    (select distinct f.user_id, f.team_id from facts f where f.subject = new.id and f.kind = 24) g, (select ifnull(json_group_object(q.id, q.at), '{}') as firsts from (select l.value ->> 'id' as id,
    min(cast(strftime('%s', o.created_at) as integer)) as at from activities o, json_each(o.product_details) d,
    json_each(d.value, '$.products') l where o.case_id = new.id and o.product_details <> '[]' group by 1) q) w) o, json_each('[-1,1]') y
    where o.n <> o.n_before or o.v <> o.v_before or o.p <> o.p_before or o.c <> o.c_before) s where s.n <> 0 on conflict do nothing;
  insert into facts (company_id, kind, at, recorded_at, user_id, zone, team_id, dim_id, subject, flags, weight, value, value2)
    select new.company_id, 23, ifnull(s.at, ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer))), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer)), s.user_id, (select u.timezone from users u where u.id = s.user_id), s.team_id, (select d.id from fact_dims d where d.company_id = new.company_id and d.key = json_array(new.relations_path_id, new.lead_type_id, new.lead_source, (new.lead_id is not null), null, null, json(s.p), null, null)), new.id, 0, s.n, s.n * s.v, round(s.n * s.v * s.c / 100.0, 8) from (select o.at, o.user_id, o.team_id, iif(y.value = 1, o.n, -o.n_before) as n,
    iif(y.value = 1, o.v, o.v_before) as v, iif(y.value = 1, o.p, o.p_before) as p,
    iif(y.value = 1, o.c, o.c_before) as c
    from (select b.at, g.user_id, g.team_id,
    (ifnull((select h.to_status from case_status_changes h where h.case_id = new.id
    and cast(strftime('%s', h.at) as integer) <= b.at order by h.id desc limit 1),
    ifnull((select h.from_status from case_status_changes h where h.case_id = new.id order by h.id limit 1),
    new.status)) = 'open') * ifnull((select sum(f.weight) from facts f where f.subject = new.id and f.kind = 24 and f.user_id is g.user_id
    and f.team_id is g.team_id and f.at <= b.at), 0) as n,
    iif(b.at = ifnull(cast(strftime('%s', new.effective_at) as integer), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer))), 0, (ifnull((select h.to_status from case_status_changes h where h.case_id = new.id
    and cast(strftime('%s', h.at) as integer) < b.at order by h.id desc limit 1),
    ifnull((select h.from_status from case_status_changes h where h.case_id = new.id order by h.id limit 1),
    new.status)) = 'open') * ifnull((select sum(f.weight) from facts f where f.subject = new.id and f.kind = 24 and f.user_id is g.user_id
    and f.team_id is g.team_id and f.at < b.at), 0)) as n_before,
    ifnull((select round(sum(round((l.value ->> 'quantity') * ifnull(l.value ->> 'price', 0) - ifnull(l.value ->> 'discount', 0), 8)), 8)
    from (select o.product_details from activities o where o.case_id = new.id and +o.product_details <> '[]'
    and o.created_at <= datetime(b.at, 'unixepoch') order by o.created_at desc, o.id desc limit 1) a,
    json_each(a.product_details) d, json_each(d.value, '$.products') l), 0) as v, ifnull((select round(sum(round((l.value ->> 'quantity') * ifnull(l.value ->> 'price', 0) - ifnull(l.value ->> 'discount', 0), 8)), 8)
    from (select o.product_details from activities o where o.case_id = new.id and +o.product_details <> '[]'
    and o.created_at < datetime(b.at, 'unixepoch') order by o.created_at desc, o.id desc limit 1) a,
    json_each(a.product_details) d, json_each(d.value, '$.products') l), 0) as v_before,
    (select json_group_array(p.id) from (select x.key as id from json_each(w.firsts) x where x.value <= b.at
    order by 1) p) as p, (select json_group_array(p.id) from (select x.key as id from json_each(w.firsts) x where x.value < b.at
    order by 1) p) as p_before,
    ifnull((select f.value from facts f where f.subject = new.id and f.kind = 40 and f.at <= b.at order by f.seq desc limit 1),
    new.chance_of_success) as c, ifnull((select f.value from facts f where f.subject = new.id and f.kind = 40 and f.at < b.at order by f.seq desc limit 1),
    new.chance_of_success) as c_before
    from (select max(f.at, ifnull(cast(strftime('%s', new.effective_at) as integer), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer)))) as at from facts f where f.subject = new.id and f.kind = 24
    union select max(cast(strftime('%s', o.created_at) as integer), ifnull(cast(strftime('%s', new.effective_at) as integer), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer)))) from activities o
    where o.case_id = new.id and o.product_details <> '[]'
    union select max(cast(strftime('%s', h.at) as integer), ifnull(cast(strftime('%s', new.effective_at) as integer), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer)))) from case_status_changes h where h.case_id = new.id
    union select max(f.at, ifnull(cast(strftime('%s', new.effective_at) as integer), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer)))) from facts f where f.subject = new.id and f.kind = 40) b,
    (select distinct f.user_id, f.team_id from facts f where f.subject = new.id and f.kind = 24) g, (select ifnull(json_group_object(q.id, q.at), '{}') as firsts from (select l.value ->> 'id' as id,
    min(cast(strftime('%s', o.created_at) as integer)) as at from activities o, json_each(o.product_details) d,
    json_each(d.value, '$.products') l where o.case_id = new.id and o.product_details <> '[]' group by 1) q) w) o, json_each('[-1,1]') y
    where o.n <> o.n_before or o.v <> o.v_before or o.p <> o.p_before or o.c <> o.c_before) s where s.n <> 0;
end;
--> statement-breakpoint
create trigger facts_case_offered after update of offer_value on cases begin
  insert into facts (company_id, kind, at, recorded_at, user_id, team_id, dim_id, subject, weight, value, value2)
    select new.company_id, 23, max(f.at, ifnull(cast(strftime('%s', new.effective_at) as integer), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer)))), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer)), f.user_id, f.team_id, f.dim_id, new.id,
    -sum(f.weight), -sum(f.value), -sum(f.value2) from facts f where f.subject = new.id and f.kind = 23
    group by max(f.at, ifnull(cast(strftime('%s', new.effective_at) as integer), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer)))), f.user_id, f.team_id, f.dim_id having sum(f.weight) <> 0 or round(ifnull(sum(f.value), 0), 6) <> 0 or round(ifnull(sum(f.value2), 0), 6) <> 0;
  insert into fact_dims (company_id, key) select new.company_id, json_array(new.relations_path_id, new.lead_type_id, new.lead_source, (new.lead_id is not null), null, null, json(s.p), null, null) from (select o.at, o.user_id, o.team_id, iif(y.value = 1, o.n, -o.n_before) as n,
    iif(y.value = 1, o.v, o.v_before) as v, iif(y.value = 1, o.p, o.p_before) as p,
    iif(y.value = 1, o.c, o.c_before) as c
    from (select b.at, g.user_id, g.team_id,
    (ifnull((select h.to_status from case_status_changes h where h.case_id = new.id
    and cast(strftime('%s', h.at) as integer) <= b.at order by h.id desc limit 1),
    ifnull((select h.from_status from case_status_changes h where h.case_id = new.id order by h.id limit 1),
    new.status)) = 'open') * ifnull((select sum(f.weight) from facts f where f.subject = new.id and f.kind = 24 and f.user_id is g.user_id
    and f.team_id is g.team_id and f.at <= b.at), 0) as n,
    iif(b.at = ifnull(cast(strftime('%s', new.effective_at) as integer), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer))), 0, (ifnull((select h.to_status from case_status_changes h where h.case_id = new.id
    and cast(strftime('%s', h.at) as integer) < b.at order by h.id desc limit 1),
    ifnull((select h.from_status from case_status_changes h where h.case_id = new.id order by h.id limit 1),
    new.status)) = 'open') * ifnull((select sum(f.weight) from facts f where f.subject = new.id and f.kind = 24 and f.user_id is g.user_id
    and f.team_id is g.team_id and f.at < b.at), 0)) as n_before,
    ifnull((select round(sum(round((l.value ->> 'quantity') * ifnull(l.value ->> 'price', 0) - ifnull(l.value ->> 'discount', 0), 8)), 8)
    from (select o.product_details from activities o where o.case_id = new.id and +o.product_details <> '[]'
    and o.created_at <= datetime(b.at, 'unixepoch') order by o.created_at desc, o.id desc limit 1) a,
    json_each(a.product_details) d, json_each(d.value, '$.products') l), 0) as v, ifnull((select round(sum(round((l.value ->> 'quantity') * ifnull(l.value ->> 'price', 0) - ifnull(l.value ->> 'discount', 0), 8)), 8)
    from (select o.product_details from activities o where o.case_id = new.id and +o.product_details <> '[]'
    and o.created_at < datetime(b.at, 'unixepoch') order by o.created_at desc, o.id desc limit 1) a,
    json_each(a.product_details) d, json_each(d.value, '$.products') l), 0) as v_before,
    (select json_group_array(p.id) from (select x.key as id from json_each(w.firsts) x where x.value <= b.at
    order by 1) p) as p, (select json_group_array(p.id) from (select x.key as id from json_each(w.firsts) x where x.value < b.at
    order by 1) p) as p_before,
    ifnull((select f.value from facts f where f.subject = new.id and f.kind = 40 and f.at <= b.at order by f.seq desc limit 1),
    new.chance_of_success) as c, ifnull((select f.value from facts f where f.subject = new.id and f.kind = 40 and f.at < b.at order by f.seq desc limit 1),
    new.chance_of_success) as c_before
    from (select max(f.at, ifnull(cast(strftime('%s', new.effective_at) as integer), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer)))) as at from facts f where f.subject = new.id and f.kind = 24
    union select max(cast(strftime('%s', o.created_at) as integer), ifnull(cast(strftime('%s', new.effective_at) as integer), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer)))) from activities o
    where o.case_id = new.id and o.product_details <> '[]'
    union select max(cast(strftime('%s', h.at) as integer), ifnull(cast(strftime('%s', new.effective_at) as integer), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer)))) from case_status_changes h where h.case_id = new.id
    union select max(f.at, ifnull(cast(strftime('%s', new.effective_at) as integer), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer)))) from facts f where f.subject = new.id and f.kind = 40) b,
    (select distinct f.user_id, f.team_id from facts f where f.subject = new.id and f.kind = 24) g, (select ifnull(json_group_object(q.id, q.at), '{}') as firsts from (select l.value ->> 'id' as id,
    min(cast(strftime('%s', o.created_at) as integer)) as at from activities o, json_each(o.product_details) d,
    json_each(d.value, '$.products') l where o.case_id = new.id and o.product_details <> '[]' group by 1) q) w) o, json_each('[-1,1]') y
    where o.n <> o.n_before or o.v <> o.v_before or o.p <> o.p_before or o.c <> o.c_before) s where s.n <> 0 on conflict do nothing;
  insert into facts (company_id, kind, at, recorded_at, user_id, zone, team_id, dim_id, subject, flags, weight, value, value2)
    select new.company_id, 23, ifnull(s.at, ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer))), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer)), s.user_id, (select u.timezone from users u where u.id = s.user_id), s.team_id, (select d.id from fact_dims d where d.company_id = new.company_id and d.key = json_array(new.relations_path_id, new.lead_type_id, new.lead_source, (new.lead_id is not null), null, null, json(s.p), null, null)), new.id, 0, s.n, s.n * s.v, round(s.n * s.v * s.c / 100.0, 8) from (select o.at, o.user_id, o.team_id, iif(y.value = 1, o.n, -o.n_before) as n,
    iif(y.value = 1, o.v, o.v_before) as v, iif(y.value = 1, o.p, o.p_before) as p,
    iif(y.value = 1, o.c, o.c_before) as c
    from (select b.at, g.user_id, g.team_id,
    (ifnull((select h.to_status from case_status_changes h where h.case_id = new.id
    and cast(strftime('%s', h.at) as integer) <= b.at order by h.id desc limit 1),
    ifnull((select h.from_status from case_status_changes h where h.case_id = new.id order by h.id limit 1),
    new.status)) = 'open') * ifnull((select sum(f.weight) from facts f where f.subject = new.id and f.kind = 24 and f.user_id is g.user_id
    and f.team_id is g.team_id and f.at <= b.at), 0) as n,
    iif(b.at = ifnull(cast(strftime('%s', new.effective_at) as integer), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer))), 0, (ifnull((select h.to_status from case_status_changes h where h.case_id = new.id
    and cast(strftime('%s', h.at) as integer) < b.at order by h.id desc limit 1),
    ifnull((select h.from_status from case_status_changes h where h.case_id = new.id order by h.id limit 1),
    new.status)) = 'open') * ifnull((select sum(f.weight) from facts f where f.subject = new.id and f.kind = 24 and f.user_id is g.user_id
    and f.team_id is g.team_id and f.at < b.at), 0)) as n_before,
    ifnull((select round(sum(round((l.value ->> 'quantity') * ifnull(l.value ->> 'price', 0) - ifnull(l.value ->> 'discount', 0), 8)), 8)
    from (select o.product_details from activities o where o.case_id = new.id and +o.product_details <> '[]'
    and o.created_at <= datetime(b.at, 'unixepoch') order by o.created_at desc, o.id desc limit 1) a,
    json_each(a.product_details) d, json_each(d.value, '$.products') l), 0) as v, ifnull((select round(sum(round((l.value ->> 'quantity') * ifnull(l.value ->> 'price', 0) - ifnull(l.value ->> 'discount', 0), 8)), 8)
    from (select o.product_details from activities o where o.case_id = new.id and +o.product_details <> '[]'
    and o.created_at < datetime(b.at, 'unixepoch') order by o.created_at desc, o.id desc limit 1) a,
    json_each(a.product_details) d, json_each(d.value, '$.products') l), 0) as v_before,
    (select json_group_array(p.id) from (select x.key as id from json_each(w.firsts) x where x.value <= b.at
    order by 1) p) as p, (select json_group_array(p.id) from (select x.key as id from json_each(w.firsts) x where x.value < b.at
    order by 1) p) as p_before,
    ifnull((select f.value from facts f where f.subject = new.id and f.kind = 40 and f.at <= b.at order by f.seq desc limit 1),
    new.chance_of_success) as c, ifnull((select f.value from facts f where f.subject = new.id and f.kind = 40 and f.at < b.at order by f.seq desc limit 1),
    new.chance_of_success) as c_before
    from (select max(f.at, ifnull(cast(strftime('%s', new.effective_at) as integer), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer)))) as at from facts f where f.subject = new.id and f.kind = 24
    union select max(cast(strftime('%s', o.created_at) as integer), ifnull(cast(strftime('%s', new.effective_at) as integer), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer)))) from activities o
    where o.case_id = new.id and o.product_details <> '[]'
    union select max(cast(strftime('%s', h.at) as integer), ifnull(cast(strftime('%s', new.effective_at) as integer), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer)))) from case_status_changes h where h.case_id = new.id
    union select max(f.at, ifnull(cast(strftime('%s', new.effective_at) as integer), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer)))) from facts f where f.subject = new.id and f.kind = 40) b,
    (select distinct f.user_id, f.team_id from facts f where f.subject = new.id and f.kind = 24) g, (select ifnull(json_group_object(q.id, q.at), '{}') as firsts from (select l.value ->> 'id' as id,
    min(cast(strftime('%s', o.created_at) as integer)) as at from activities o, json_each(o.product_details) d,
    json_each(d.value, '$.products') l where o.case_id = new.id and o.product_details <> '[]' group by 1) q) w) o, json_each('[-1,1]') y
    where o.n <> o.n_before or o.v <> o.v_before or o.p <> o.p_before or o.c <> o.c_before) s where s.n <> 0;
end;
--> statement-breakpoint
create trigger facts_case_moved after update of user_id, team_id on cases when (old.user_id is not new.user_id or old.team_id is not new.team_id) begin
  insert into facts (company_id, kind, at, recorded_at, user_id, team_id, dim_id, subject, weight, value, value2)
    select new.company_id, 23, ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer)), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer)), iif(s.value = 1, new.user_id, g.user_id),
    iif(s.value = 1, new.team_id, g.team_id), g.dim_id, new.id, s.value * g.n, s.value * g.v, s.value * g.v2 from
    (select f.user_id, f.team_id, f.dim_id, sum(f.weight) as n, sum(f.value) as v, sum(f.value2) as v2
    from facts f where f.subject = new.id and f.kind = 23 group by f.user_id, f.team_id, f.dim_id having sum(f.weight) <> 0 or round(ifnull(sum(f.value), 0), 6) <> 0 or round(ifnull(sum(f.value2), 0), 6) <> 0) g,
    json_each('[-1,1]') s;
  insert into facts (company_id, kind, at, recorded_at, user_id, team_id, dim_id, subject, weight, value, value2)
    select new.company_id, 24, ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer)), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer)), iif(s.value = 1, new.user_id, g.user_id),
    iif(s.value = 1, new.team_id, g.team_id), g.dim_id, new.id, s.value * g.n, s.value * g.v, s.value * g.v2 from
    (select f.user_id, f.team_id, f.dim_id, sum(f.weight) as n, sum(f.value) as v, sum(f.value2) as v2
    from facts f where f.subject = new.id and f.kind = 24 group by f.user_id, f.team_id, f.dim_id having sum(f.weight) <> 0 or round(ifnull(sum(f.value), 0), 6) <> 0 or round(ifnull(sum(f.value2), 0), 6) <> 0) g,
    json_each('[-1,1]') s;
end;
--> statement-breakpoint
create trigger facts_case_deleted after delete on cases when exists (select 1 from companies o where o.id = old.company_id and o.deleted_at is null) begin
  insert into facts (company_id, kind, at, recorded_at, user_id, team_id, dim_id, subject, weight, value, value2)
    select old.company_id, 23, max(f.at, ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer))), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer)), f.user_id, f.team_id, f.dim_id, old.id,
    -sum(f.weight), -sum(f.value), -sum(f.value2) from facts f where f.subject = old.id and f.kind = 23
    group by max(f.at, ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer))), f.user_id, f.team_id, f.dim_id having sum(f.weight) <> 0 or round(ifnull(sum(f.value), 0), 6) <> 0 or round(ifnull(sum(f.value2), 0), 6) <> 0;
  insert into facts (company_id, kind, at, recorded_at, user_id, team_id, dim_id, subject, weight, value, value2)
    select old.company_id, 24, max(f.at, ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer))), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer)), f.user_id, f.team_id, f.dim_id, old.id,
    -sum(f.weight), -sum(f.value), -sum(f.value2) from facts f where f.subject = old.id and f.kind = 24
    group by max(f.at, ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer))), f.user_id, f.team_id, f.dim_id having sum(f.weight) <> 0 or round(ifnull(sum(f.value), 0), 6) <> 0 or round(ifnull(sum(f.value2), 0), 6) <> 0;
end;
--> statement-breakpoint
create trigger facts_case_closed after insert on case_status_changes when new.to_status = 'closed' begin
  insert into fact_dims (company_id, key) select c.company_id, json_array(c.relations_path_id, c.lead_type_id, c.lead_source, (c.lead_id is not null), null, null, json(c.product_ids), null, null) from cases c where c.id = new.case_id on conflict do nothing;
  insert into facts (company_id, kind, at, recorded_at, user_id, zone, team_id, dim_id, subject, flags, weight, value, value2)
    select c.company_id, 20, ifnull(cast(strftime('%s', new.at) as integer), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer))), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer)), c.user_id, (select u.timezone from users u where u.id = c.user_id), c.team_id, (select d.id from fact_dims d where d.company_id = c.company_id and d.key = json_array(c.relations_path_id, c.lead_type_id, c.lead_source, (c.lead_id is not null), null, null, json(c.product_ids), null, null)), c.id, 0, 1, c.offer_value, max(0, cast(strftime('%s', new.at) as integer) - cast(strftime('%s', c.created_at) as integer)) from cases c where c.id = new.case_id;
  insert into fact_dims (company_id, key) select c.company_id, json_array(c.relations_path_id, c.lead_type_id, c.lead_source, (c.lead_id is not null), null, null, json(json_array(l.value ->> 'id')), null, null) from cases c join activities a on a.id = (select o.id from activities o where o.case_id = c.id
    and o.product_details <> '[]' order by o.created_at desc, o.id desc limit 1),
    json_each(a.product_details) d, json_each(d.value, '$.products') l where c.id = new.case_id on conflict do nothing;
  insert into facts (company_id, kind, at, recorded_at, user_id, zone, team_id, dim_id, subject, flags, weight, value, value2)
    select c.company_id, 29, ifnull(cast(strftime('%s', new.at) as integer), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer))), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer)), c.user_id, (select u.timezone from users u where u.id = c.user_id), c.team_id, (select d.id from fact_dims d where d.company_id = c.company_id and d.key = json_array(c.relations_path_id, c.lead_type_id, c.lead_source, (c.lead_id is not null), null, null, json(json_array(l.value ->> 'id')), null, null)), c.id, 0, 1, l.value ->> 'quantity', round((l.value ->> 'quantity') * ifnull(l.value ->> 'price', 0) - ifnull(l.value ->> 'discount', 0), 8) from cases c join activities a on a.id = (select o.id from activities o where o.case_id = c.id
    and o.product_details <> '[]' order by o.created_at desc, o.id desc limit 1),
    json_each(a.product_details) d, json_each(d.value, '$.products') l where c.id = new.case_id;
end;
--> statement-breakpoint
create trigger facts_case_declined after insert on case_status_changes when new.to_status = 'declined' begin
  insert into fact_dims (company_id, key) select c.company_id, json_array(c.relations_path_id, c.lead_type_id, c.lead_source, (c.lead_id is not null), null, null, json(c.product_ids), null, null) from cases c where c.id = new.case_id on conflict do nothing;
  insert into facts (company_id, kind, at, recorded_at, user_id, zone, team_id, dim_id, subject, flags, weight, value, value2)
    select c.company_id, 21, ifnull(cast(strftime('%s', new.at) as integer), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer))), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer)), c.user_id, (select u.timezone from users u where u.id = c.user_id), c.team_id, (select d.id from fact_dims d where d.company_id = c.company_id and d.key = json_array(c.relations_path_id, c.lead_type_id, c.lead_source, (c.lead_id is not null), null, null, json(c.product_ids), null, null)), c.id, 0, 1, null, null from cases c where c.id = new.case_id;
end;
--> statement-breakpoint
create trigger facts_case_reopened after insert on case_status_changes when new.to_status = 'open' begin
  insert into fact_dims (company_id, key) select c.company_id, json_array(c.relations_path_id, c.lead_type_id, c.lead_source, (c.lead_id is not null), null, null, json(c.product_ids), null, null) from cases c where c.id = new.case_id on conflict do nothing;
  insert into facts (company_id, kind, at, recorded_at, user_id, zone, team_id, dim_id, subject, flags, weight, value, value2)
    select c.company_id, 22, ifnull(cast(strftime('%s', new.at) as integer), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer))), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer)), c.user_id, (select u.timezone from users u where u.id = c.user_id), c.team_id, (select d.id from fact_dims d where d.company_id = c.company_id and d.key = json_array(c.relations_path_id, c.lead_type_id, c.lead_source, (c.lead_id is not null), null, null, json(c.product_ids), null, null)), c.id, 0, 1, null, null from cases c where c.id = new.case_id;
end;
--> statement-breakpoint
create trigger facts_activity_created after insert on activities begin
  insert into fact_dims (company_id, key) select new.company_id, json_array(c.relations_path_id, c.lead_type_id, c.lead_source, (c.lead_id is not null), json((select json_group_array(t.id) from (select value ->> 'id' as id from json_each(new.activity_types) order by 1) t)), json((select json_group_array(t.id) from (select value ->> 'id' as id from json_each(new.activity_types) where value ->> 'is_milestone' order by 1) t)), null, null, null) from cases c where c.id = new.case_id on conflict do nothing;
  insert into facts (company_id, kind, at, recorded_at, user_id, zone, team_id, dim_id, subject, flags, weight, value, value2)
    select new.company_id, 25, ifnull(cast(strftime('%s', new.created_at) as integer), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer))), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer)), new.user_id, (select u.timezone from users u where u.id = new.user_id), c.team_id, (select d.id from fact_dims d where d.company_id = new.company_id and d.key = json_array(c.relations_path_id, c.lead_type_id, c.lead_source, (c.lead_id is not null), json((select json_group_array(t.id) from (select value ->> 'id' as id from json_each(new.activity_types) order by 1) t)), json((select json_group_array(t.id) from (select value ->> 'id' as id from json_each(new.activity_types) where value ->> 'is_milestone' order by 1) t)), null, null, null)), new.id, iif(exists (select 1 from json_each(new.activity_types) where value ->> 'is_milestone'), 1, 0)
    | case new.communication_channel when 'email' then 2 when 'phone' then 4 when 'letter' then 8 when 'meeting' then 16 when 'chat' then 32 else 0 end, 1, null, null from cases c where c.id = new.case_id;
end;
--> statement-breakpoint
create trigger cases_offer_of_activity after insert on activities when new.product_details <> '[]' begin
  update cases set effective_at = new.created_at, offer_value = ifnull((select round(sum(round((l.value ->> 'quantity') * ifnull(l.value ->> 'price', 0) - ifnull(l.value ->> 'discount', 0), 8)), 8)
    from json_each(a.product_details) d, json_each(d.value, '$.products') l
    where a.id is not null), 0), product_ids = (select json_group_array(p.id) from
    (select value as id from json_each(cases.product_ids) union
    select l.value ->> 'id' from json_each(new.product_details) d, json_each(d.value, '$.products') l order by 1) p)
    from (select a.id, a.product_details from activities a where a.case_id = new.case_id and a.product_details <> '[]'
    order by a.created_at desc, a.id desc limit 1) a where cases.id = new.case_id;
end;
--> statement-breakpoint
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
create trigger facts_task_created after insert on tasks begin
  insert into fact_dims (company_id, key) select new.company_id, json_array(c.relations_path_id, c.lead_type_id, c.lead_source, (c.lead_id is not null), null, null, null, null, null) from cases c where c.id = new.case_id on conflict do nothing;
  insert into facts (company_id, kind, at, recorded_at, user_id, zone, team_id, dim_id, subject, flags, weight, value, value2)
    select new.company_id, 26, ifnull(cast(strftime('%s', new.created_at) as integer), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer))), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer)), new.user_id, (select u.timezone from users u where u.id = new.user_id), new.team_id, (select d.id from fact_dims d where d.company_id = new.company_id and d.key = json_array(c.relations_path_id, c.lead_type_id, c.lead_source, (c.lead_id is not null), null, null, null, null, null)), new.id, 0, 1, null, null from cases c where c.id = new.case_id;
  insert into fact_dims (company_id, key) select new.company_id, json_array(c.relations_path_id, c.lead_type_id, c.lead_source, (c.lead_id is not null), null, null, null, null, null) from cases c where c.id = new.case_id and new.completed_at is null on conflict do nothing;
  insert into facts (company_id, kind, at, recorded_at, user_id, zone, team_id, dim_id, subject, flags, weight, value, value2)
    select new.company_id, 28, ifnull(max(cast(strftime('%s', new.end_at) as integer), cast(strftime('%s', new.created_at) as integer)), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer))), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer)), new.user_id, (select u.timezone from users u where u.id = new.user_id), new.team_id, (select d.id from fact_dims d where d.company_id = new.company_id and d.key = json_array(c.relations_path_id, c.lead_type_id, c.lead_source, (c.lead_id is not null), null, null, null, null, null)), null, 0, 1, null, null from cases c where c.id = new.case_id and new.completed_at is null;
end;
--> statement-breakpoint
create trigger facts_task_changed after update of user_id, team_id, end_at, completed_at on tasks when (old.user_id is not new.user_id or old.team_id is not new.team_id or old.end_at is not new.end_at or old.completed_at is not new.completed_at) begin
  insert into fact_dims (company_id, key) select old.company_id, json_array(c.relations_path_id, c.lead_type_id, c.lead_source, (c.lead_id is not null), null, null, null, null, null) from cases c where c.id = old.case_id and old.completed_at is null on conflict do nothing;
  insert into facts (company_id, kind, at, recorded_at, user_id, zone, team_id, dim_id, subject, flags, weight, value, value2)
    select old.company_id, 28, ifnull(max(cast(strftime('%s', old.end_at) as integer), ifnull(cast(strftime('%s', new.completed_at) as integer), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer)))), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer))), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer)), old.user_id, (select u.timezone from users u where u.id = old.user_id), old.team_id, (select d.id from fact_dims d where d.company_id = old.company_id and d.key = json_array(c.relations_path_id, c.lead_type_id, c.lead_source, (c.lead_id is not null), null, null, null, null, null)), null, 0, -1, null, null from cases c where c.id = old.case_id and old.completed_at is null;
  insert into fact_dims (company_id, key) select new.company_id, json_array(c.relations_path_id, c.lead_type_id, c.lead_source, (c.lead_id is not null), null, null, null, null, null) from cases c where c.id = new.case_id and new.completed_at is null on conflict do nothing;
  insert into facts (company_id, kind, at, recorded_at, user_id, zone, team_id, dim_id, subject, flags, weight, value, value2)
    select new.company_id, 28, ifnull(max(cast(strftime('%s', new.end_at) as integer), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer))), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer))), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer)), new.user_id, (select u.timezone from users u where u.id = new.user_id), new.team_id, (select d.id from fact_dims d where d.company_id = new.company_id and d.key = json_array(c.relations_path_id, c.lead_type_id, c.lead_source, (c.lead_id is not null), null, null, null, null, null)), null, 0, 1, null, null from cases c where c.id = new.case_id and new.completed_at is null;
end;
--> statement-breakpoint
create trigger facts_task_completed after update of completed_at on tasks when old.completed_at is null and new.completed_at is not null
    and not exists (select 1 from facts f where f.subject = new.id and f.kind = 27) begin
  insert into fact_dims (company_id, key) select new.company_id, json_array(c.relations_path_id, c.lead_type_id, c.lead_source, (c.lead_id is not null), null, null, null, null, null) from cases c where c.id = new.case_id on conflict do nothing;
  insert into facts (company_id, kind, at, recorded_at, user_id, zone, team_id, dim_id, subject, flags, weight, value, value2)
    select new.company_id, 27, ifnull(cast(strftime('%s', new.completed_at) as integer), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer))), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer)), new.user_id, (select u.timezone from users u where u.id = new.user_id), new.team_id, (select d.id from fact_dims d where d.company_id = new.company_id and d.key = json_array(c.relations_path_id, c.lead_type_id, c.lead_source, (c.lead_id is not null), null, null, null, null, null)), new.id, iif(new.completed_at <= new.end_at, 1, 0), 1, null, null from cases c where c.id = new.case_id;
end;
--> statement-breakpoint
create trigger facts_task_deleted after delete on tasks when old.completed_at is null and exists (select 1 from companies o where o.id = old.company_id and o.deleted_at is null) begin
  insert into fact_dims (company_id, key) select old.company_id, json_array(c.relations_path_id, c.lead_type_id, c.lead_source, (c.lead_id is not null), null, null, null, null, null) from cases c where c.id = old.case_id on conflict do nothing;
  insert into facts (company_id, kind, at, recorded_at, user_id, zone, team_id, dim_id, subject, flags, weight, value, value2)
    select old.company_id, 28, ifnull(max(cast(strftime('%s', old.end_at) as integer), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer))), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer))), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer)), old.user_id, (select u.timezone from users u where u.id = old.user_id), old.team_id, (select d.id from fact_dims d where d.company_id = old.company_id and d.key = json_array(c.relations_path_id, c.lead_type_id, c.lead_source, (c.lead_id is not null), null, null, null, null, null)), null, 0, -1, null, null from cases c where c.id = old.case_id;
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
create trigger facts_note_created after insert on notes begin
  insert into fact_dims (company_id, key) select new.company_id, json_array(c.relations_path_id, c.lead_type_id, c.lead_source, (c.lead_id is not null), null, null, null, null, null) from cases c where c.id = new.case_id on conflict do nothing;
  insert into facts (company_id, kind, at, recorded_at, user_id, zone, team_id, dim_id, subject, flags, weight, value, value2)
    select new.company_id, 35, ifnull(cast(strftime('%s', new.created_at) as integer), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer))), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer)), new.user_id, (select u.timezone from users u where u.id = new.user_id), new.team_id, (select d.id from fact_dims d where d.company_id = new.company_id and d.key = json_array(c.relations_path_id, c.lead_type_id, c.lead_source, (c.lead_id is not null), null, null, null, null, null)), null, 0, 1, null, null from cases c where c.id = new.case_id;
  insert into facts (company_id, kind, at, recorded_at, user_id, zone, team_id, dim_id, subject, flags, weight, value, value2)
    select new.company_id, 35, ifnull(cast(strftime('%s', new.created_at) as integer), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer))), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer)), new.user_id, (select u.timezone from users u where u.id = new.user_id), new.team_id, null, null, 0, 1, null, null where new.case_id is null;
end;
--> statement-breakpoint
create trigger facts_note_mentions after insert on notes when new.mentions > 0 begin
  insert into fact_dims (company_id, key) select new.company_id, json_array(c.relations_path_id, c.lead_type_id, c.lead_source, (c.lead_id is not null), null, null, null, null, null) from cases c where c.id = new.case_id on conflict do nothing;
  insert into facts (company_id, kind, at, recorded_at, user_id, zone, team_id, dim_id, subject, flags, weight, value, value2)
    select new.company_id, 36, ifnull(cast(strftime('%s', new.created_at) as integer), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer))), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer)), new.user_id, (select u.timezone from users u where u.id = new.user_id), new.team_id, (select d.id from fact_dims d where d.company_id = new.company_id and d.key = json_array(c.relations_path_id, c.lead_type_id, c.lead_source, (c.lead_id is not null), null, null, null, null, null)), null, iif(new.mentions & 2, 1, 0), 1, null, null from cases c where c.id = new.case_id;
  insert into facts (company_id, kind, at, recorded_at, user_id, zone, team_id, dim_id, subject, flags, weight, value, value2)
    select new.company_id, 36, ifnull(cast(strftime('%s', new.created_at) as integer), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer))), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer)), new.user_id, (select u.timezone from users u where u.id = new.user_id), new.team_id, null, null, iif(new.mentions & 2, 1, 0), 1, null, null where new.case_id is null;
end;
--> statement-breakpoint
create trigger facts_note_mentions_later after update of mentions on notes when old.mentions = 0 and new.mentions > 0 begin
  insert into fact_dims (company_id, key) select new.company_id, json_array(c.relations_path_id, c.lead_type_id, c.lead_source, (c.lead_id is not null), null, null, null, null, null) from cases c where c.id = new.case_id on conflict do nothing;
  insert into facts (company_id, kind, at, recorded_at, user_id, zone, team_id, dim_id, subject, flags, weight, value, value2)
    select new.company_id, 36, ifnull(cast(strftime('%s', new.created_at) as integer), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer))), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer)), new.user_id, (select u.timezone from users u where u.id = new.user_id), new.team_id, (select d.id from fact_dims d where d.company_id = new.company_id and d.key = json_array(c.relations_path_id, c.lead_type_id, c.lead_source, (c.lead_id is not null), null, null, null, null, null)), null, iif(new.mentions & 2, 1, 0), 1, null, null from cases c where c.id = new.case_id;
  insert into facts (company_id, kind, at, recorded_at, user_id, zone, team_id, dim_id, subject, flags, weight, value, value2)
    select new.company_id, 36, ifnull(cast(strftime('%s', new.created_at) as integer), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer))), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer)), new.user_id, (select u.timezone from users u where u.id = new.user_id), new.team_id, null, null, iif(new.mentions & 2, 1, 0), 1, null, null where new.case_id is null;
end;
--> statement-breakpoint
create trigger facts_note_mentions_other after update of mentions on notes when old.mentions = 1 and new.mentions & 2 begin
  insert into fact_dims (company_id, key) select new.company_id, json_array(c.relations_path_id, c.lead_type_id, c.lead_source, (c.lead_id is not null), null, null, null, null, null) from cases c where c.id = new.case_id on conflict do nothing;
  insert into facts (company_id, kind, at, recorded_at, user_id, zone, team_id, dim_id, subject, flags, weight, value, value2)
    select new.company_id, 36, ifnull(cast(strftime('%s', new.created_at) as integer), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer))), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer)), new.user_id, (select u.timezone from users u where u.id = new.user_id), new.team_id, (select d.id from fact_dims d where d.company_id = new.company_id and d.key = json_array(c.relations_path_id, c.lead_type_id, c.lead_source, (c.lead_id is not null), null, null, null, null, null)), null, iif(new.mentions & 2, 1, 0), 0, null, null from cases c where c.id = new.case_id;
  insert into facts (company_id, kind, at, recorded_at, user_id, zone, team_id, dim_id, subject, flags, weight, value, value2)
    select new.company_id, 36, ifnull(cast(strftime('%s', new.created_at) as integer), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer))), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer)), new.user_id, (select u.timezone from users u where u.id = new.user_id), new.team_id, null, null, iif(new.mentions & 2, 1, 0), 0, null, null where new.case_id is null;
end;
--> statement-breakpoint
create trigger file_usage_insert after insert on files begin
  insert into file_usage (company_id, files, bytes) values (new.company_id, 1, new.size)
    on conflict (company_id) do update set files = files + 1, bytes = bytes + excluded.bytes;
end;
--> statement-breakpoint
create trigger file_usage_delete after delete on files begin
  update file_usage set files = files - 1, bytes = bytes - old.size - ifnull((select o.bytes from objects o where o.key = old.picture_key), 0)
    where company_id = old.company_id;
end;
--> statement-breakpoint
create trigger file_usage_update after update of size on files when old.size <> new.size begin
  update file_usage set bytes = bytes + new.size - old.size where company_id = new.company_id;
end;
--> statement-breakpoint
create trigger file_usage_pictures after update of picture_key on files when old.picture_key is not new.picture_key begin
  update file_usage set bytes = bytes + ifnull((select o.bytes from objects o where o.key = new.picture_key), 0) - ifnull((select o.bytes from objects o where o.key = old.picture_key), 0)
    where company_id = new.company_id;
end;
--> statement-breakpoint
create trigger file_readers_insert after insert on file_permissions when (select instr(readers, '"' || new.type || ':' || new.value || '"') from files where id = new.file_id) = 0 begin
  update files set readers = (select json_group_array(o.reader) from (select p.type || ':' || p.value
    as reader from file_permissions p where p.file_id = new.file_id order by p.type, p.value) o)
    where id = new.file_id;
end;
--> statement-breakpoint
create trigger file_readers_delete after delete on file_permissions when (select instr(readers, '"' || old.type || ':' || old.value || '"') from files where id = old.file_id) > 0 begin
  update files set readers = (select json_group_array(o.reader) from (select p.type || ':' || p.value
    as reader from file_permissions p where p.file_id = old.file_id order by p.type, p.value) o)
    where id = old.file_id;
end;
--> statement-breakpoint
create trigger file_totals_insert after insert on files begin
  insert into file_totals (company_id, user_id, readers, n)
    values (new.company_id, new.user_id, new.readers, 1)
    on conflict (company_id, user_id, readers) do update set n = n + 1;
end;
--> statement-breakpoint
create trigger file_totals_delete after delete on files begin
  update file_totals set n = n - 1
    where company_id = old.company_id and user_id = old.user_id and readers = old.readers;
  delete from file_totals where company_id = old.company_id and user_id = old.user_id and readers = old.readers and n = 0;
end;
--> statement-breakpoint
create trigger file_totals_update after update of user_id, readers on files when old.user_id <> new.user_id or old.readers <> new.readers begin
  update file_totals set n = n - 1
    where company_id = old.company_id and user_id = old.user_id and readers = old.readers;
  delete from file_totals where company_id = old.company_id and user_id = old.user_id and readers = old.readers and n = 0;
  insert into file_totals (company_id, user_id, readers, n)
    values (new.company_id, new.user_id, new.readers, 1)
    on conflict (company_id, user_id, readers) do update set n = n + 1;
end;
--> statement-breakpoint
create trigger files_contents_insert after insert on files when ifnull(new.folder_id, new.belongs_to || ':' || new.belongs_to_id) is not null begin
  insert into folder_contents (company_id, place, folders, files)
    values (new.company_id, ifnull(new.folder_id, new.belongs_to || ':' || new.belongs_to_id), 0, 1)
    on conflict (company_id, place) do update set files = files + 1;
end;
--> statement-breakpoint
create trigger files_contents_delete after delete on files when ifnull(old.folder_id, old.belongs_to || ':' || old.belongs_to_id) is not null begin
  update folder_contents set files = files - 1
    where company_id = old.company_id and place = ifnull(old.folder_id, old.belongs_to || ':' || old.belongs_to_id);
end;
--> statement-breakpoint
create trigger files_contents_leave after update of folder_id, belongs_to, belongs_to_id on files when (old.folder_id is not new.folder_id or old.belongs_to is not new.belongs_to or old.belongs_to_id is not new.belongs_to_id) and ifnull(old.folder_id, old.belongs_to || ':' || old.belongs_to_id) is not null begin
  update folder_contents set files = files - 1
    where company_id = old.company_id and place = ifnull(old.folder_id, old.belongs_to || ':' || old.belongs_to_id);
end;
--> statement-breakpoint
create trigger files_contents_enter after update of folder_id, belongs_to, belongs_to_id on files when (old.folder_id is not new.folder_id or old.belongs_to is not new.belongs_to or old.belongs_to_id is not new.belongs_to_id) and ifnull(new.folder_id, new.belongs_to || ':' || new.belongs_to_id) is not null begin
  insert into folder_contents (company_id, place, folders, files)
    values (new.company_id, ifnull(new.folder_id, new.belongs_to || ':' || new.belongs_to_id), 0, 1)
    on conflict (company_id, place) do update set files = files + 1;
end;
--> statement-breakpoint
create trigger folders_contents_insert after insert on folders when ifnull(new.folder_id, new.belongs_to || ':' || new.belongs_to_id) is not null and new.deleted_at is null begin
  insert into folder_contents (company_id, place, folders, files)
    values (new.company_id, ifnull(new.folder_id, new.belongs_to || ':' || new.belongs_to_id), 1, 0)
    on conflict (company_id, place) do update set folders = folders + 1;
end;
--> statement-breakpoint
create trigger folders_contents_delete after delete on folders when ifnull(old.folder_id, old.belongs_to || ':' || old.belongs_to_id) is not null and old.deleted_at is null begin
  update folder_contents set folders = folders - 1
    where company_id = old.company_id and place = ifnull(old.folder_id, old.belongs_to || ':' || old.belongs_to_id);
end;
--> statement-breakpoint
create trigger folders_contents_leave after update of folder_id, belongs_to, belongs_to_id, deleted_at on folders when (old.folder_id is not new.folder_id or old.belongs_to is not new.belongs_to or old.belongs_to_id is not new.belongs_to_id or old.deleted_at is not new.deleted_at) and ifnull(old.folder_id, old.belongs_to || ':' || old.belongs_to_id) is not null and old.deleted_at is null begin
  update folder_contents set folders = folders - 1
    where company_id = old.company_id and place = ifnull(old.folder_id, old.belongs_to || ':' || old.belongs_to_id);
end;
--> statement-breakpoint
create trigger folders_contents_enter after update of folder_id, belongs_to, belongs_to_id, deleted_at on folders when (old.folder_id is not new.folder_id or old.belongs_to is not new.belongs_to or old.belongs_to_id is not new.belongs_to_id or old.deleted_at is not new.deleted_at) and ifnull(new.folder_id, new.belongs_to || ':' || new.belongs_to_id) is not null and new.deleted_at is null begin
  insert into folder_contents (company_id, place, folders, files)
    values (new.company_id, ifnull(new.folder_id, new.belongs_to || ':' || new.belongs_to_id), 1, 0)
    on conflict (company_id, place) do update set folders = folders + 1;
end;
--> statement-breakpoint
create trigger folders_contents_end after delete on folders begin
  delete from folder_contents where company_id = old.company_id and place = old.id;
end;
--> statement-breakpoint
create virtual table files_search using fts5(words, content='', contentless_delete=1, detail=none, tokenize='ascii');
--> statement-breakpoint
create trigger files_search_delete after delete on files begin
  delete from files_search where rowid = old.seq;
end;
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
create virtual table templates_search using fts5(words, content='', contentless_delete=1, detail=none, tokenize='ascii');
--> statement-breakpoint
create trigger templates_search_delete after delete on templates begin
  delete from templates_search where rowid = old.id;
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
--> statement-breakpoint
create trigger arrived_files_forgotten after delete on correspondences when old.direction = 'in' and old.file_ids <> '[]' begin
  update objects set removed_from = 0 where removed_from is null and key in (
    select object_key from files where id in (select f.id from json_each(old.file_ids) i join files f on f.id = i.value
    where f.company_id = old.company_id and f.belongs_to is null and f.folder_id is null
    and f.public = 0 and f.picture_key is null and f.readers = '[]' and not exists (select 1
    from attachments a where a.file_id = f.id and (a.entity_type <> 'case' or a.entity_id <> old.case_id))));
  delete from attachments where file_id in (select f.id from json_each(old.file_ids) i join files f on f.id = i.value
    where f.company_id = old.company_id and f.belongs_to is null and f.folder_id is null
    and f.public = 0 and f.picture_key is null and f.readers = '[]' and not exists (select 1
    from attachments a where a.file_id = f.id and (a.entity_type <> 'case' or a.entity_id <> old.case_id)));
  delete from files where id in (select f.id from json_each(old.file_ids) i join files f on f.id = i.value
    where f.company_id = old.company_id and f.belongs_to is null and f.folder_id is null
    and f.public = 0 and f.picture_key is null and f.readers = '[]' and not exists (select 1
    from attachments a where a.file_id = f.id and (a.entity_type <> 'case' or a.entity_id <> old.case_id)));
end;
--> statement-breakpoint
create trigger facts_email_sent_at_once after insert on correspondences when new.type = 'email' and new.direction = 'out' and new.status = 'sent' and new.sent_at is not null begin
  insert into fact_dims (company_id, key) select new.company_id, json_array(c.relations_path_id, c.lead_type_id, c.lead_source, (c.lead_id is not null), null, null, null, null, null) from cases c where c.id = new.case_id on conflict do nothing;
  insert into facts (company_id, kind, at, recorded_at, user_id, zone, team_id, dim_id, subject, flags, weight, value, value2)
    select new.company_id, 30, ifnull(cast(strftime('%s', new.sent_at) as integer), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer))), ifnull(cast(strftime('%s', new.sent_at) as integer), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer))), new.user_id, (select u.timezone from users u where u.id = new.user_id), c.team_id, (select d.id from fact_dims d where d.company_id = new.company_id and d.key = json_array(c.relations_path_id, c.lead_type_id, c.lead_source, (c.lead_id is not null), null, null, null, null, null)), new.id, 0, 1, null, null from cases c where c.id = new.case_id;
end;
--> statement-breakpoint
create trigger facts_email_sent after update of status on correspondences when old.status <> 'sent' and new.type = 'email' and new.direction = 'out' and new.status = 'sent' and new.sent_at is not null begin
  insert into fact_dims (company_id, key) select new.company_id, json_array(c.relations_path_id, c.lead_type_id, c.lead_source, (c.lead_id is not null), null, null, null, null, null) from cases c where c.id = new.case_id on conflict do nothing;
  insert into facts (company_id, kind, at, recorded_at, user_id, zone, team_id, dim_id, subject, flags, weight, value, value2)
    select new.company_id, 30, ifnull(cast(strftime('%s', new.sent_at) as integer), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer))), ifnull(cast(strftime('%s', new.sent_at) as integer), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer))), new.user_id, (select u.timezone from users u where u.id = new.user_id), c.team_id, (select d.id from fact_dims d where d.company_id = new.company_id and d.key = json_array(c.relations_path_id, c.lead_type_id, c.lead_source, (c.lead_id is not null), null, null, null, null, null)), new.id, 0, 1, null, null from cases c where c.id = new.case_id;
end;
--> statement-breakpoint
create trigger facts_letter_made after insert on correspondences when new.type = 'letter' and new.direction = 'out' and new.activity_id is not null begin
  insert into fact_dims (company_id, key) select new.company_id, json_array(c.relations_path_id, c.lead_type_id, c.lead_source, (c.lead_id is not null), null, null, null, null, null) from cases c where c.id = new.case_id on conflict do nothing;
  insert into facts (company_id, kind, at, recorded_at, user_id, zone, team_id, dim_id, subject, flags, weight, value, value2)
    select new.company_id, 31, ifnull(cast(strftime('%s', ifnull((select a.created_at from activities a where a.id = new.activity_id), new.created_at)) as integer), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer))), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer)), new.user_id, (select u.timezone from users u where u.id = new.user_id), c.team_id, (select d.id from fact_dims d where d.company_id = new.company_id and d.key = json_array(c.relations_path_id, c.lead_type_id, c.lead_source, (c.lead_id is not null), null, null, null, null, null)), new.id, 0, 1, null, null from cases c where c.id = new.case_id;
end;
--> statement-breakpoint
create trigger facts_email_opened after update of opened_at on correspondences when old.opened_at is null and new.opened_at is not null begin
  insert into fact_dims (company_id, key) select new.company_id, json_array(c.relations_path_id, c.lead_type_id, c.lead_source, (c.lead_id is not null), null, null, null, null, null) from cases c where c.id = new.case_id on conflict do nothing;
  insert into facts (company_id, kind, at, recorded_at, user_id, zone, team_id, dim_id, subject, flags, weight, value, value2)
    select new.company_id, 32, ifnull(cast(strftime('%s', new.opened_at) as integer), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer))), ifnull(cast(strftime('%s', new.opened_at) as integer), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer))), new.user_id, (select u.timezone from users u where u.id = new.user_id), c.team_id, (select d.id from fact_dims d where d.company_id = new.company_id and d.key = json_array(c.relations_path_id, c.lead_type_id, c.lead_source, (c.lead_id is not null), null, null, null, null, null)), new.id, 0, 1, null, null from cases c where c.id = new.case_id;
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
create virtual table campaigns_search using fts5(words, content='', contentless_delete=1, detail=none, tokenize='ascii');
--> statement-breakpoint
create trigger campaigns_search_delete after delete on campaigns begin
  delete from campaigns_search where rowid = old.seq;
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
create trigger letter_usage_made after update of object on campaign_messages when old.object is null and new.object is not null begin
  insert into file_usage (company_id, files, bytes) values (new.company_id, 0, ifnull(new.letter_size, 0))
    on conflict (company_id) do update set bytes = bytes + excluded.bytes;
end;
--> statement-breakpoint
create trigger letter_usage_removed after update of object on campaign_messages when old.object is not null and new.object is null begin
  update file_usage set bytes = bytes - ifnull(old.letter_size, 0) where company_id = old.company_id;
end;
--> statement-breakpoint
create trigger letter_usage_deleted after delete on campaign_messages when old.object is not null begin
  update file_usage set bytes = bytes - ifnull(old.letter_size, 0) where company_id = old.company_id;
end;
--> statement-breakpoint
create trigger contacts_campaign_messages_delete after delete on contacts begin
  update objects set removed_from = unixepoch() * 1000 where removed_from is null and key in
    (select object from campaign_messages where contact_id = old.id and object is not null);
  update campaign_messages set object = null, status = iif(status = 'pending', 'skipped', status), email = null,
    email_key = null, subject = null, "values" = null where contact_id = old.id;
end;
--> statement-breakpoint
create trigger facts_campaign_inserted after insert on campaigns when new.status = 'sent' and new.sent_at is not null begin
  insert into facts (company_id, kind, at, recorded_at, user_id, zone, team_id, dim_id, subject, flags, weight, value, value2)
    select new.company_id, 33, ifnull(cast(strftime('%s', new.sent_at) as integer), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer))), ifnull(cast(strftime('%s', new.sent_at) as integer), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer))), new.user_id, (select u.timezone from users u where u.id = new.user_id), new.team_id, null, new.id, 0, 1, null, null;
end;
--> statement-breakpoint
create trigger facts_campaign_sent after update of status on campaigns when old.status <> 'sent' and new.status = 'sent' and new.sent_at is not null begin
  insert into facts (company_id, kind, at, recorded_at, user_id, zone, team_id, dim_id, subject, flags, weight, value, value2)
    select new.company_id, 33, ifnull(cast(strftime('%s', new.sent_at) as integer), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer))), ifnull(cast(strftime('%s', new.sent_at) as integer), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer))), new.user_id, (select u.timezone from users u where u.id = new.user_id), new.team_id, null, new.id, 0, 1, null, null;
end;
--> statement-breakpoint
create trigger facts_campaign_message_inserted after insert on campaign_messages when new.status = 'sent' and new.sent_at is not null begin
  insert into facts (company_id, kind, at, recorded_at, user_id, zone, team_id, dim_id, subject, flags, weight, value, value2)
    select new.company_id, 34, ifnull(cast(strftime('%s', new.sent_at) as integer), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer))), ifnull(cast(strftime('%s', new.sent_at) as integer), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer))), c.user_id, (select u.timezone from users u where u.id = c.user_id), c.team_id, null, null, 0, 1, null, null from campaigns c where c.id = new.campaign_id;
end;
--> statement-breakpoint
create trigger facts_campaign_message_sent after update of status on campaign_messages when old.status <> 'sent' and new.status = 'sent' and new.sent_at is not null begin
  insert into facts (company_id, kind, at, recorded_at, user_id, zone, team_id, dim_id, subject, flags, weight, value, value2)
    select new.company_id, 34, ifnull(cast(strftime('%s', new.sent_at) as integer), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer))), ifnull(cast(strftime('%s', new.sent_at) as integer), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer))), c.user_id, (select u.timezone from users u where u.id = c.user_id), c.team_id, null, null, 0, 1, null, null from campaigns c where c.id = new.campaign_id;
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
--> statement-breakpoint
create trigger scheduled_reports_of_company_zone after update of timezone on companies when old.timezone <> new.timezone begin
  update scheduled_reports set next_at = 0 where company_id = new.id and next_at is not null and zone <> new.timezone;
end;
--> statement-breakpoint
create trigger scheduled_reports_zone_insert after insert on scheduled_reports when new.next_at > 0 and new.zone <> (select c.timezone from companies c where c.id = new.company_id) begin
  update scheduled_reports set next_at = 0 where id = new.id;
end;
--> statement-breakpoint
create trigger scheduled_reports_zone_update after update of zone on scheduled_reports when new.next_at > 0 and new.zone <> (select c.timezone from companies c where c.id = new.company_id) begin
  update scheduled_reports set next_at = 0 where id = new.id;
end;
--> statement-breakpoint
create trigger stream_events_total_insert after insert on stream_events begin
  insert into totals (company_id, kind, team_id, status, agency_team_id, n)
    values (new.company_id, 'stream_events', 0, '', 0, 1)
    on conflict (company_id, kind, team_id, status, agency_team_id) do update set n = n + 1;
end;
--> statement-breakpoint
create trigger stream_events_total_delete after delete on stream_events begin
  update totals set n = n - 1 where company_id = old.company_id
    and kind = 'stream_events' and team_id = 0 and status = ''
    and agency_team_id = 0;
end;
--> statement-breakpoint
create trigger game_reach_returns after delete on facts when old.seq > ifnull((select max(f.seq) from facts f), 0) begin
  update game_reach set seq = min(seq, ifnull((select max(f.seq) from facts f), 0));
end;
--> statement-breakpoint
create trigger fact_rollup_reach_returns after delete on facts when old.seq > ifnull((select max(f.seq) from facts f), 0) begin
  update fact_rollup_reach set seq = min(seq, ifnull((select max(f.seq) from facts f), 0));
end;
--> statement-breakpoint
create trigger names_of_deleted_teams after delete on teams when exists (select 1 from companies o where o.id = old.company_id and o.deleted_at is null) begin
  insert into deleted_names (company_id, kind, id, name)
    values (old.company_id, 'teams', cast(old.id as text), old.name) on conflict do nothing;
end;
--> statement-breakpoint
create trigger names_of_deleted_groups after delete on groups when exists (select 1 from companies o where o.id = old.company_id and o.deleted_at is null) begin
  insert into deleted_names (company_id, kind, id, name)
    values (old.company_id, 'groups', cast(old.id as text), old.name) on conflict do nothing;
end;
--> statement-breakpoint
create trigger names_of_deleted_relations_paths after delete on relations_paths when exists (select 1 from companies o where o.id = old.company_id and o.deleted_at is null) begin
  insert into deleted_names (company_id, kind, id, name)
    values (old.company_id, 'relations_paths', cast(old.id as text), old.name) on conflict do nothing;
end;
--> statement-breakpoint
create trigger names_of_deleted_activity_types after delete on activity_types when exists (select 1 from companies o where o.id = old.company_id and o.deleted_at is null) begin
  insert into deleted_names (company_id, kind, id, name)
    values (old.company_id, 'activity_types', cast(old.id as text), old.name) on conflict do nothing;
end;
--> statement-breakpoint
create trigger names_of_deleted_lead_types after delete on lead_types when exists (select 1 from companies o where o.id = old.company_id and o.deleted_at is null) begin
  insert into deleted_names (company_id, kind, id, name)
    values (old.company_id, 'lead_types', cast(old.id as text), old.name) on conflict do nothing;
end;
--> statement-breakpoint
create trigger names_of_deleted_products after delete on products when exists (select 1 from companies o where o.id = old.company_id and o.deleted_at is null) begin
  insert into deleted_names (company_id, kind, id, name)
    values (old.company_id, 'products', cast(old.id as text), old.name) on conflict do nothing;
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
--> statement-breakpoint
create trigger notification_counts_insert after insert on notifications when new.expires_at is null begin
  insert into notification_counts (user_id, total, unread) values (new.user_id, 1, new.read_at is null)
    on conflict (user_id) do update set total = total + 1, unread = unread + excluded.unread;
end;
--> statement-breakpoint
create trigger notification_counts_read after update of read_at on notifications when old.read_at is null and new.read_at is not null
    and new.expires_at is null and not (old.reopened = 0 and exists
    (select 1 from notification_reads r where r.user_id = old.user_id and r.through >= old.seq)) begin
  update notification_counts set unread = unread - 1 where user_id = new.user_id;
end;
--> statement-breakpoint
create trigger notification_counts_reopened after update of reopened on notifications when old.reopened = 0 and new.reopened = 1
    and new.expires_at is null and (old.read_at is not null or (old.reopened = 0 and exists
    (select 1 from notification_reads r where r.user_id = old.user_id and r.through >= old.seq))) begin
  update notification_counts set unread = unread + 1 where user_id = new.user_id;
end;
--> statement-breakpoint
create trigger notification_counts_read_all after insert on notification_reads begin
  update notification_counts set unread = (select count(*) from notifications n where n.user_id = new.user_id
    and n.read_at is null and n.expires_at is null and (n.seq > new.through or n.reopened = 1)) where user_id = new.user_id;
end;
--> statement-breakpoint
create trigger notification_counts_delete after delete on notifications when old.expires_at is null begin
  update notification_counts set total = total - 1,
    unread = unread - (old.read_at is null and not (old.reopened = 0 and exists
    (select 1 from notification_reads r where r.user_id = old.user_id and r.through >= old.seq))) where user_id = old.user_id;
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
create trigger deliveries_release after update of status, again on deliveries when old.entity is not null and old.status = 'pending' and old.again = 0 and (new.status <> 'pending' or new.again = 1) begin
  update deliveries set parked = 0 where parked = 1 and rowid = (select d.rowid from deliveries d
    indexed by deliveries_in_order where d.webhook_id = old.webhook_id and d.entity = old.entity
    and d.status = 'pending' and d.again = 0 and d.entity is not null order by d.rowid limit 1);
end;
--> statement-breakpoint
create trigger import_usage_made after insert on imports when new.object_key is not null begin
  insert into file_usage (company_id, files, bytes) values (new.company_id, 0, new.bytes)
    on conflict (company_id) do update set bytes = bytes + excluded.bytes;
end;
--> statement-breakpoint
create trigger import_usage_removed after update of object_key on imports when old.object_key is not null and new.object_key is null begin
  update file_usage set bytes = bytes - old.bytes where company_id = old.company_id;
end;
--> statement-breakpoint
create trigger import_usage_deleted after delete on imports when old.object_key is not null begin
  update file_usage set bytes = bytes - old.bytes where company_id = old.company_id;
end;
--> statement-breakpoint
create trigger merges_total_insert after insert on merges begin
  insert into totals (company_id, kind, team_id, status, agency_team_id, n)
    values (new.company_id, 'merges', ifnull(new.team_id, 0), '', 0, 1)
    on conflict (company_id, kind, team_id, status, agency_team_id) do update set n = n + 1;
end;
--> statement-breakpoint
create trigger merges_total_delete after delete on merges begin
  update totals set n = n - 1 where company_id = old.company_id
    and kind = 'merges' and team_id = ifnull(old.team_id, 0) and status = ''
    and agency_team_id = 0;
end;
--> statement-breakpoint
create trigger merges_total_leave after update of team_id on merges when (old.team_id is not new.team_id) begin
  update totals set n = n - 1 where company_id = old.company_id
    and kind = 'merges' and team_id = ifnull(old.team_id, 0) and status = ''
    and agency_team_id = 0;
end;
--> statement-breakpoint
create trigger merges_total_enter after update of team_id on merges when (old.team_id is not new.team_id) begin
  insert into totals (company_id, kind, team_id, status, agency_team_id, n)
    values (new.company_id, 'merges', ifnull(new.team_id, 0), '', 0, 1)
    on conflict (company_id, kind, team_id, status, agency_team_id) do update set n = n + 1;
end;
--> statement-breakpoint
create trigger merges_follow_accounts after update of team_id on accounts when old.team_id is not new.team_id and new.counts = 1 begin
  update merges set team_id = new.team_id where root_id = new.id;
end;
--> statement-breakpoint
create trigger merges_of_accounts_delete after delete on accounts begin
  delete from merge_locks where merge_id in (select m.id from merges m where m.root_id = old.id);
  delete from merge_rows where merge_id in (select m.id from merges m where m.root_id = old.id);
  delete from merged_records where merge_id in (select m.id from merges m where m.root_id = old.id);
  delete from merges where root_id = old.id;
end;
--> statement-breakpoint
create trigger merges_follow_contacts after update of team_id on contacts when old.team_id is not new.team_id begin
  update merges set team_id = new.team_id where root_id = new.id;
end;
--> statement-breakpoint
create trigger merges_of_contacts_delete after delete on contacts begin
  delete from merge_locks where merge_id in (select m.id from merges m where m.root_id = old.id);
  delete from merge_rows where merge_id in (select m.id from merges m where m.root_id = old.id);
  delete from merged_records where merge_id in (select m.id from merges m where m.root_id = old.id);
  delete from merges where root_id = old.id;
end;
--> statement-breakpoint
insert into caller_changes (id, n) values (1, 0);
