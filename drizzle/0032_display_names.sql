-- A case is found by the name that its account shows: a consumer's without a name shows its contact's. Triggers carry
-- the words on to the cases.
update accounts set name_words = (select c.name_words from contacts c where c.account_id = accounts.id)
  where b2c = 1 and name is null and exists (select 1 from contacts c where c.account_id = accounts.id);
--> statement-breakpoint
-- Notes that went ahead of their contact are there already.
drop trigger notes_follow_contacts;
--> statement-breakpoint
create trigger notes_follow_contacts after update of team_id, account_id on contacts when (old.team_id is not new.team_id or old.account_id is not new.account_id) begin
  update notes set account_id = new.account_id, team_id = iif(case_id is null, new.team_id, team_id), version = version + 1
    where contact_id = new.id and (account_id is not new.account_id or (case_id is null and team_id is not new.team_id));
end;
