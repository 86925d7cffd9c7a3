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
