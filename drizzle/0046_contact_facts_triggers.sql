drop trigger facts_contact_created;
--> statement-breakpoint
drop trigger facts_contact_complete;
--> statement-breakpoint
create trigger facts_contact_created after insert on contacts begin
  insert into fact_dims (company_id, key) select new.company_id, json_array(null, new.created_with_lead_type_id, new.created_with_lead_source, (new.created_with_lead_type_id is not null), null, null, null, null, null) where true on conflict do nothing;
  insert into facts (company_id, kind, at, recorded_at, user_id, zone, team_id, dim_id, subject, flags, weight, value, value2)
    select new.company_id, 6, ifnull(cast(strftime('%s', new.created_at) as integer), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer))), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer)), new.user_id, (select u.timezone from users u where u.id = new.user_id), (select iif(a.counts = 1, a.team_id, new.team_id) from accounts a where a.id = new.account_id), (select d.id from fact_dims d where d.company_id = new.company_id and d.key = json_array(null, new.created_with_lead_type_id, new.created_with_lead_source, (new.created_with_lead_type_id is not null), null, null, null, null, null)), null, iif(new.b2c = 1, 4, 0) | iif(ifnull((select a.address from accounts a where a.id = new.account_id), '') = '', 8, 0) | iif(ifnull(new.email, '') = '', 16, 0) | iif(ifnull(new.phone_number, '') = '', 32, 0) | iif(new.consent_email is 1, 64, 0) | iif(new.consent_call is 1, 128, 0) | iif(new.consent_letter is 1, 256, 0) | iif(new.consent_sms is 1, 512, 0) | 1, 1, null, null;
  insert into facts (company_id, kind, at, recorded_at, user_id, zone, team_id, dim_id, flags)
    select company_id, 39, at, recorded_at, user_id, zone, team_id, dim_id, flags & ~1
    from facts where seq = last_insert_rowid() and flags & 56 = 0;
end;
