-- Rows that are written from here on have what filters compare; those that may lack it are there by now.
insert or ignore into lowerings ("table", done, last) select 'accounts', 0, coalesce(max(rowid), 0) from accounts;
--> statement-breakpoint
insert or ignore into lowerings ("table", done, last) select 'contacts', 0, coalesce(max(rowid), 0) from contacts;
--> statement-breakpoint
insert or ignore into lowerings ("table", done, last) select 'leads', 0, coalesce(max(rowid), 0) from leads;
--> statement-breakpoint
insert or ignore into lowerings ("table", done, last) select 'lead_types', 0, coalesce(max(rowid), 0) from lead_types;
