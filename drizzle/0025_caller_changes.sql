CREATE TABLE `caller_changes` (
	`id` integer PRIMARY KEY NOT NULL,
	`n` integer NOT NULL
);

--> statement-breakpoint
insert into caller_changes (id, n) values (1, 0);
--> statement-breakpoint
create trigger users_callers_insert after insert on users begin
  update caller_changes set n = n + 1;
end;
--> statement-breakpoint
create trigger users_callers_update after update on users begin
  update caller_changes set n = n + 1;
end;
--> statement-breakpoint
create trigger users_callers_delete after delete on users begin
  update caller_changes set n = n + 1;
end;
--> statement-breakpoint
create trigger teams_callers_insert after insert on teams begin
  update caller_changes set n = n + 1;
end;
--> statement-breakpoint
create trigger teams_callers_update after update on teams begin
  update caller_changes set n = n + 1;
end;
--> statement-breakpoint
create trigger teams_callers_delete after delete on teams begin
  update caller_changes set n = n + 1;
end;
--> statement-breakpoint
create trigger team_members_callers_insert after insert on team_members begin
  update caller_changes set n = n + 1;
end;
--> statement-breakpoint
create trigger team_members_callers_update after update on team_members begin
  update caller_changes set n = n + 1;
end;
--> statement-breakpoint
create trigger team_members_callers_delete after delete on team_members begin
  update caller_changes set n = n + 1;
end;
--> statement-breakpoint
create trigger groups_callers_insert after insert on groups begin
  update caller_changes set n = n + 1;
end;
--> statement-breakpoint
create trigger groups_callers_update after update on groups begin
  update caller_changes set n = n + 1;
end;
--> statement-breakpoint
create trigger groups_callers_delete after delete on groups begin
  update caller_changes set n = n + 1;
end;
--> statement-breakpoint
create trigger user_roles_callers_insert after insert on user_roles begin
  update caller_changes set n = n + 1;
end;
--> statement-breakpoint
create trigger user_roles_callers_update after update on user_roles begin
  update caller_changes set n = n + 1;
end;
--> statement-breakpoint
create trigger user_roles_callers_delete after delete on user_roles begin
  update caller_changes set n = n + 1;
end;
--> statement-breakpoint
create trigger roles_callers_insert after insert on roles begin
  update caller_changes set n = n + 1;
end;
--> statement-breakpoint
create trigger roles_callers_update after update on roles begin
  update caller_changes set n = n + 1;
end;
--> statement-breakpoint
create trigger roles_callers_delete after delete on roles begin
  update caller_changes set n = n + 1;
end;
--> statement-breakpoint
create trigger role_rights_callers_insert after insert on role_rights begin
  update caller_changes set n = n + 1;
end;
--> statement-breakpoint
create trigger role_rights_callers_update after update on role_rights begin
  update caller_changes set n = n + 1;
end;
--> statement-breakpoint
create trigger role_rights_callers_delete after delete on role_rights begin
  update caller_changes set n = n + 1;
end;
--> statement-breakpoint
create trigger applications_callers_insert after insert on applications begin
  update caller_changes set n = n + 1;
end;
--> statement-breakpoint
create trigger applications_callers_update after update on applications begin
  update caller_changes set n = n + 1;
end;
--> statement-breakpoint
create trigger applications_callers_delete after delete on applications begin
  update caller_changes set n = n + 1;
end;
--> statement-breakpoint
create trigger companies_callers_insert after insert on companies begin
  update caller_changes set n = n + 1;
end;
--> statement-breakpoint
create trigger companies_callers_update after update on companies begin
  update caller_changes set n = n + 1;
end;
--> statement-breakpoint
create trigger companies_callers_delete after delete on companies begin
  update caller_changes set n = n + 1;
end;
--> statement-breakpoint
create trigger fields_callers_insert after insert on fields begin
  update caller_changes set n = n + 1;
end;
--> statement-breakpoint
create trigger fields_callers_update after update on fields begin
  update caller_changes set n = n + 1;
end;
--> statement-breakpoint
create trigger fields_callers_delete after delete on fields begin
  update caller_changes set n = n + 1;
end;
--> statement-breakpoint
create trigger field_orders_callers_insert after insert on field_orders begin
  update caller_changes set n = n + 1;
end;
--> statement-breakpoint
create trigger field_orders_callers_update after update on field_orders begin
  update caller_changes set n = n + 1;
end;
--> statement-breakpoint
create trigger field_orders_callers_delete after delete on field_orders begin
  update caller_changes set n = n + 1;
end;
--> statement-breakpoint
create trigger access_tokens_callers_update after update on access_tokens begin
  update caller_changes set n = n + 1;
end;
--> statement-breakpoint
create trigger access_tokens_callers_delete after delete on access_tokens begin
  update caller_changes set n = n + 1;
end;
