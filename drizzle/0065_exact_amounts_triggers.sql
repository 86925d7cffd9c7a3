drop trigger facts_case_created;
--> statement-breakpoint
drop trigger facts_case_closed;
--> statement-breakpoint
drop trigger cases_offer_of_activity;
--> statement-breakpoint
drop trigger facts_case_changed;
--> statement-breakpoint
drop trigger facts_case_offered;
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
create trigger cases_offer_of_activity after insert on activities when new.product_details <> '[]' begin
  update cases set effective_at = new.created_at, offer_value = ifnull((select round(sum(round((l.value ->> 'quantity') * ifnull(l.value ->> 'price', 0) - ifnull(l.value ->> 'discount', 0), 8)), 8)
    from json_each(a.product_details) d, json_each(d.value, '$.products') l
    where a.id is not null), 0), product_ids = (select json_group_array(p.id) from
    (select value as id from json_each(cases.product_ids) union
    select l.value ->> 'id' from json_each(new.product_details) d, json_each(d.value, '$.products') l order by 1) p)
    from (select a.id, a.product_details from activities a where a.case_id = new.case_id and a.product_details <> '[]'
    order by a.created_at desc, a.id desc limit 1) a where cases.id = new.case_id;
end;
