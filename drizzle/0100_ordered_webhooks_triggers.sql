create trigger deliveries_release after update of status, again on deliveries when old.entity is not null and old.status = 'pending' and old.again = 0 and (new.status <> 'pending' or new.again = 1) begin
  update deliveries set parked = 0 where parked = 1 and rowid = (select d.rowid from deliveries d
    indexed by deliveries_in_order where d.webhook_id = old.webhook_id and d.entity = old.entity
    and d.status = 'pending' and d.again = 0 and d.entity is not null order by d.rowid limit 1);
end;
