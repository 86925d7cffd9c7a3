create trigger fact_rollup_reach_returns after delete on facts when old.seq > ifnull((select max(f.seq) from facts f), 0) begin
  update fact_rollup_reach set seq = min(seq, ifnull((select max(f.seq) from facts f), 0));
end;
