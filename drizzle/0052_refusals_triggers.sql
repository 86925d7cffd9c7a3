create trigger refusals_contact_delete after delete on contacts when old.email is not null begin
  update refusals set email_key = null where company_id = old.company_id and email_key = case when old.folded ->> 'email' is null then lower(old.email) else old.folded ->> 'email' end
    and not exists (select 1 from contacts c where c.company_id = old.company_id
      and case when c.folded ->> 'email' is null then lower(c.email) else c.folded ->> 'email' end = case when old.folded ->> 'email' is null then lower(old.email) else old.folded ->> 'email' end);
end;
--> statement-breakpoint
create trigger refusals_contact_email after update of email on contacts when old.email is not null and old.email is not new.email begin
  update refusals set email_key = null where company_id = old.company_id and email_key = case when old.folded ->> 'email' is null then lower(old.email) else old.folded ->> 'email' end
    and not exists (select 1 from contacts c where c.company_id = old.company_id
      and case when c.folded ->> 'email' is null then lower(c.email) else c.folded ->> 'email' end = case when old.folded ->> 'email' is null then lower(old.email) else old.folded ->> 'email' end);
end;
