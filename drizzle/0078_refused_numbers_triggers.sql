create trigger refusals_contact_number_delete after delete on contacts when old.e164 is not null begin
  update refusals set e164 = null where company_id = old.company_id and e164 = old.e164
    and not exists (select 1 from contacts c where c.company_id = old.company_id and c.e164 = old.e164);
end;
--> statement-breakpoint
create trigger refusals_contact_number after update of e164 on contacts when old.e164 is not null and old.e164 is not new.e164 begin
  update refusals set e164 = null where company_id = old.company_id and e164 = old.e164
    and not exists (select 1 from contacts c where c.company_id = old.company_id and c.e164 = old.e164);
end;
