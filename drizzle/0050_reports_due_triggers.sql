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
-- A clock may have changed right before.
update scheduled_reports set next_at = 0 where next_at is not null and zone <> (select c.timezone from companies c where c.id = company_id);
