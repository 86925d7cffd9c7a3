CREATE TABLE `accounts_stale` (
	`key` integer PRIMARY KEY NOT NULL
);
--> statement-breakpoint
CREATE TABLE `contacts_stale` (
	`key` integer PRIMARY KEY NOT NULL
);

--> statement-breakpoint
create virtual table contacts_texts using fts5(salutation, first_name, last_name, email, phone_number, title, team, content='', contentless_delete=1, tokenize='trigram case_sensitive 1');
--> statement-breakpoint
create trigger contacts_texts_insert after insert on contacts begin
  insert or ignore into contacts_stale (key) values ((new.company_id << 39 | new.seq));
end;
--> statement-breakpoint
create trigger contacts_texts_update after update of salutation, first_name, last_name, email, phone_number, title, lowered, b2c, team_id on contacts
  when old.salutation is not new.salutation
    or old.first_name is not new.first_name
    or old.last_name is not new.last_name
    or old.email is not new.email
    or old.phone_number is not new.phone_number
    or old.title is not new.title
    or old.lowered is not new.lowered
    or old.b2c is not new.b2c
    or old.team_id is not new.team_id begin
  insert or ignore into contacts_stale (key) values ((new.company_id << 39 | new.seq));
end;
--> statement-breakpoint
create trigger contacts_texts_delete after delete on contacts begin
  delete from contacts_texts where rowid = (old.company_id << 39 | old.seq) * 2;
  delete from contacts_texts where rowid = (old.company_id << 39 | old.seq) * 2 + 1;
  delete from contacts_stale where key = (old.company_id << 39 | old.seq);
end;
--> statement-breakpoint
-- Indexed by a job, in steps.
insert into contacts_stale (key) select company_id << 39 | seq from contacts order by 1;
--> statement-breakpoint
create virtual table accounts_texts using fts5(name, address, zip_code, city, state_region, vat, website, team, content='', contentless_delete=1, tokenize='trigram case_sensitive 1');
--> statement-breakpoint
create trigger accounts_texts_insert after insert on accounts begin
  insert or ignore into accounts_stale (key) values ((new.company_id << 39 | new.seq));
end;
--> statement-breakpoint
create trigger accounts_texts_update after update of name, address, zip_code, city, state_region, vat, website, lowered, b2c, team_id on accounts
  when old.name is not new.name
    or old.address is not new.address
    or old.zip_code is not new.zip_code
    or old.city is not new.city
    or old.state_region is not new.state_region
    or old.vat is not new.vat
    or old.website is not new.website
    or old.lowered is not new.lowered
    or old.b2c is not new.b2c
    or old.team_id is not new.team_id begin
  insert or ignore into accounts_stale (key) values ((new.company_id << 39 | new.seq));
end;
--> statement-breakpoint
create trigger accounts_texts_delete after delete on accounts begin
  delete from accounts_texts where rowid = (old.company_id << 39 | old.seq) * 2;
  delete from accounts_texts where rowid = (old.company_id << 39 | old.seq) * 2 + 1;
  delete from accounts_stale where key = (old.company_id << 39 | old.seq);
end;
--> statement-breakpoint
-- Indexed by a job, in steps.
insert into accounts_stale (key) select company_id << 39 | seq from accounts order by 1;
