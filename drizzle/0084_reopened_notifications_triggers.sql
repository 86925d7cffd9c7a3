drop trigger notification_counts_read;
--> statement-breakpoint
drop trigger notification_counts_read_all;
--> statement-breakpoint
drop trigger notification_counts_delete;
--> statement-breakpoint
create trigger notification_counts_read after update of read_at on notifications when old.read_at is null and new.read_at is not null
    and new.expires_at is null and not (old.reopened = 0 and exists
    (select 1 from notification_reads r where r.user_id = old.user_id and r.through >= old.seq)) begin
  update notification_counts set unread = unread - 1 where user_id = new.user_id;
end;
--> statement-breakpoint
create trigger notification_counts_reopened after update of reopened on notifications when old.reopened = 0 and new.reopened = 1
    and new.expires_at is null and (old.read_at is not null or (old.reopened = 0 and exists
    (select 1 from notification_reads r where r.user_id = old.user_id and r.through >= old.seq))) begin
  update notification_counts set unread = unread + 1 where user_id = new.user_id;
end;
--> statement-breakpoint
create trigger notification_counts_read_all after insert on notification_reads begin
  update notification_counts set unread = (select count(*) from notifications n where n.user_id = new.user_id
    and n.read_at is null and n.expires_at is null and (n.seq > new.through or n.reopened = 1)) where user_id = new.user_id;
end;
--> statement-breakpoint
create trigger notification_counts_delete after delete on notifications when old.expires_at is null begin
  update notification_counts set total = total - 1,
    unread = unread - (old.read_at is null and not (old.reopened = 0 and exists
    (select 1 from notification_reads r where r.user_id = old.user_id and r.through >= old.seq))) where user_id = old.user_id;
end;
