drop trigger facts_case_changed;
--> statement-breakpoint
create trigger facts_case_changed after update of status, chance_of_success, offer_value, product_ids on cases when (old.status is not new.status or old.chance_of_success is not new.chance_of_success or old.offer_value is not new.offer_value or old.product_ids is not new.product_ids) begin
  insert into facts (company_id, kind, at, recorded_at, user_id, team_id, dim_id, subject, weight, value, value2)
    select new.company_id, 23, max(f.at, ifnull(cast(strftime('%s', new.effective_at) as integer), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer)))), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer)), f.user_id, f.team_id, f.dim_id, new.id,
    -sum(f.weight), -sum(f.value), -sum(f.value2) from facts f where f.subject = new.id and f.kind = 23
    group by max(f.at, ifnull(cast(strftime('%s', new.effective_at) as integer), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer)))), f.user_id, f.team_id, f.dim_id having sum(f.weight) <> 0 or round(ifnull(sum(f.value), 0), 6) <> 0;
  insert into fact_dims (company_id, key) select new.company_id, json_array(new.relations_path_id, new.lead_type_id, new.lead_source, (new.lead_id is not null), null, null, json(new.product_ids), null, null) from (select b.at, g.user_id, g.team_id,
    ifnull((select sum(f.weight) from facts f where f.subject = new.id and f.kind = 24 and f.user_id is g.user_id
    and f.team_id is g.team_id and f.at <= b.at), 0) as n, iif(b.at = ifnull(cast(strftime('%s', new.effective_at) as integer), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer))), 0, ifnull((select sum(f.weight) from facts f where f.subject = new.id and f.kind = 24 and f.user_id is g.user_id
    and f.team_id is g.team_id and f.at < b.at), 0)) as n_before,
    ifnull((select sum((l.value ->> 'quantity') * ifnull(l.value ->> 'price', 0) - ifnull(l.value ->> 'discount', 0))
    from (select o.product_details from activities o where o.case_id = new.id and o.product_details <> '[]'
    and cast(strftime('%s', o.created_at) as integer) <= b.at order by o.created_at desc, o.id desc limit 1) a,
    json_each(a.product_details) d, json_each(d.value, '$.products') l), 0) as v, ifnull((select sum((l.value ->> 'quantity') * ifnull(l.value ->> 'price', 0) - ifnull(l.value ->> 'discount', 0))
    from (select o.product_details from activities o where o.case_id = new.id and o.product_details <> '[]'
    and cast(strftime('%s', o.created_at) as integer) < b.at order by o.created_at desc, o.id desc limit 1) a,
    json_each(a.product_details) d, json_each(d.value, '$.products') l), 0) as v_before
    from (select max(f.at, ifnull(cast(strftime('%s', new.effective_at) as integer), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer)))) as at from facts f where f.subject = new.id and f.kind = 24
    union select max(cast(strftime('%s', o.created_at) as integer), ifnull(cast(strftime('%s', new.effective_at) as integer), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer)))) from activities o
    where o.case_id = new.id and o.product_details <> '[]') b,
    (select distinct f.user_id, f.team_id from facts f where f.subject = new.id and f.kind = 24) g) s where new.status = 'open' and (s.n <> s.n_before or s.n * s.v <> s.n_before * s.v_before) on conflict do nothing;
  insert into facts (company_id, kind, at, recorded_at, user_id, zone, team_id, dim_id, subject, flags, weight, value, value2)
    select new.company_id, 23, ifnull(s.at, ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer))), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer)), s.user_id, (select u.timezone from users u where u.id = s.user_id), s.team_id, (select d.id from fact_dims d where d.company_id = new.company_id and d.key = json_array(new.relations_path_id, new.lead_type_id, new.lead_source, (new.lead_id is not null), null, null, json(new.product_ids), null, null)), new.id, 0, s.n - s.n_before, s.n * s.v - s.n_before * s.v_before, (s.n * s.v - s.n_before * s.v_before) * new.chance_of_success / 100.0 from (select b.at, g.user_id, g.team_id,
    ifnull((select sum(f.weight) from facts f where f.subject = new.id and f.kind = 24 and f.user_id is g.user_id
    and f.team_id is g.team_id and f.at <= b.at), 0) as n, iif(b.at = ifnull(cast(strftime('%s', new.effective_at) as integer), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer))), 0, ifnull((select sum(f.weight) from facts f where f.subject = new.id and f.kind = 24 and f.user_id is g.user_id
    and f.team_id is g.team_id and f.at < b.at), 0)) as n_before,
    ifnull((select sum((l.value ->> 'quantity') * ifnull(l.value ->> 'price', 0) - ifnull(l.value ->> 'discount', 0))
    from (select o.product_details from activities o where o.case_id = new.id and o.product_details <> '[]'
    and cast(strftime('%s', o.created_at) as integer) <= b.at order by o.created_at desc, o.id desc limit 1) a,
    json_each(a.product_details) d, json_each(d.value, '$.products') l), 0) as v, ifnull((select sum((l.value ->> 'quantity') * ifnull(l.value ->> 'price', 0) - ifnull(l.value ->> 'discount', 0))
    from (select o.product_details from activities o where o.case_id = new.id and o.product_details <> '[]'
    and cast(strftime('%s', o.created_at) as integer) < b.at order by o.created_at desc, o.id desc limit 1) a,
    json_each(a.product_details) d, json_each(d.value, '$.products') l), 0) as v_before
    from (select max(f.at, ifnull(cast(strftime('%s', new.effective_at) as integer), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer)))) as at from facts f where f.subject = new.id and f.kind = 24
    union select max(cast(strftime('%s', o.created_at) as integer), ifnull(cast(strftime('%s', new.effective_at) as integer), ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer)))) from activities o
    where o.case_id = new.id and o.product_details <> '[]') b,
    (select distinct f.user_id, f.team_id from facts f where f.subject = new.id and f.kind = 24) g) s where new.status = 'open' and (s.n <> s.n_before or s.n * s.v <> s.n_before * s.v_before);
end;
