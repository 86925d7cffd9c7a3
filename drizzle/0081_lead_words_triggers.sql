create virtual table leads_search using fts5(words, content='', contentless_delete=1, detail=none, tokenize='ascii');
--> statement-breakpoint
create trigger leads_search_delete after delete on leads begin
  delete from leads_search where rowid = old.seq;
end;
--> statement-breakpoint
create trigger leads_search_insert after insert on leads begin
  insert or replace into leads_search (rowid, words)
    select l.seq, ifnull(l.words, '') || ifnull(' ' || a.name_words, '') || ifnull(' ' || c.name_words, '')
    from leads l left join accounts a on a.id = case when l.account_id is null then l.original_account_id else l.account_id end
    left join contacts c on c.id = case when l.contact_id is null then l.original_contact_id else l.contact_id end
    where l.seq = new.seq;
end;
--> statement-breakpoint
create trigger leads_search_change after update of words, account_id, contact_id, original_account_id, original_contact_id on leads when old.words is not new.words or old.account_id is not new.account_id or old.contact_id is not new.contact_id or old.original_account_id is not new.original_account_id or old.original_contact_id is not new.original_contact_id begin
  insert or replace into leads_search (rowid, words)
    select l.seq, ifnull(l.words, '') || ifnull(' ' || a.name_words, '') || ifnull(' ' || c.name_words, '')
    from leads l left join accounts a on a.id = case when l.account_id is null then l.original_account_id else l.account_id end
    left join contacts c on c.id = case when l.contact_id is null then l.original_contact_id else l.contact_id end
    where l.seq = new.seq;
end;
--> statement-breakpoint
create trigger leads_search_accounts_renamed after update of name_words on accounts when old.name_words is not new.name_words begin
  insert or replace into leads_search (rowid, words)
    select l.seq, ifnull(l.words, '') || ifnull(' ' || a.name_words, '') || ifnull(' ' || c.name_words, '')
    from leads l left join accounts a on a.id = case when l.account_id is null then l.original_account_id else l.account_id end
    left join contacts c on c.id = case when l.contact_id is null then l.original_contact_id else l.contact_id end
    where case when l.account_id is null then l.original_account_id else l.account_id end = +new.id;
end;
--> statement-breakpoint
create trigger leads_search_contacts_renamed after update of name_words on contacts when old.name_words is not new.name_words begin
  insert or replace into leads_search (rowid, words)
    select l.seq, ifnull(l.words, '') || ifnull(' ' || a.name_words, '') || ifnull(' ' || c.name_words, '')
    from leads l left join accounts a on a.id = case when l.account_id is null then l.original_account_id else l.account_id end
    left join contacts c on c.id = case when l.contact_id is null then l.original_contact_id else l.contact_id end
    where case when l.contact_id is null then l.original_contact_id else l.contact_id end = +new.id;
end;
