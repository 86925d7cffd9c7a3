-- Rows that are stored get the forms by which new ones are found and compared, in steps, by the jobs.
insert into staged_work (company_id, kind, subject, created_at)
  select id, 'reindex', cast(id as text), strftime('%Y-%m-%d %H:%M:%S', 'now') from companies where true
  on conflict (kind, subject) do update set payload = '{}';
