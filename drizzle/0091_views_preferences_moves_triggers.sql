drop trigger facts_filter_saved;
--> statement-breakpoint
create trigger facts_filter_saved after insert on saved_filters when new.created_by is not null and new.kind in ('account', 'contact') begin
  insert into facts (company_id, kind, at, recorded_at, user_id, zone, team_id, dim_id, subject, flags, weight, value, value2)
    select new.company_id, 37, ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer)), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer)), new.created_by, (select u.timezone from users u where u.id = new.created_by), new.team_id, null, null, 0, 1, null, null;
end;
--> statement-breakpoint
create virtual table products_search using fts5(words, content='', contentless_delete=1, detail=none, tokenize='ascii');
--> statement-breakpoint
create trigger products_search_delete after delete on products begin
  delete from products_search where rowid = old.seq;
end;
--> statement-breakpoint
-- Products that are stored get the words by which search finds them, in steps, by the jobs.
insert into staged_work (company_id, kind, subject, created_at)
  select id, 'reindex', cast(id as text), strftime('%Y-%m-%d %H:%M:%S', 'now') from companies where true
  on conflict (kind, subject) do update set payload = '{}';
