drop trigger facts_account_created;
--> statement-breakpoint
drop trigger facts_contact_created;
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
  delete from merge_rows where merge_id in (select m.id from merges m where m.root_id = old.id);
  delete from merged_records where merge_id in (select m.id from merges m where m.root_id = old.id);
  delete from merges where root_id = old.id;
end;
