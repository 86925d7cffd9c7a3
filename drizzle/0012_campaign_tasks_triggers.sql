drop trigger contacts_campaign_messages_delete;
--> statement-breakpoint
create trigger contacts_campaign_messages_delete after delete on contacts begin
  update objects set removed_from = unixepoch() * 1000 where removed_from is null and key in
    (select object from campaign_messages where contact_id = old.id and object is not null);
  update campaign_messages set object = null, status = iif(status = 'pending', 'skipped', status), email = null,
    email_key = null, subject = null, "values" = null where contact_id = old.id;
end;
