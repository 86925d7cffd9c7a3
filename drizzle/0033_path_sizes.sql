ALTER TABLE `relations_paths` ADD `bytes` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
update relations_paths set bytes = 500 + length(cast(json_quote(name) as blob)) + coalesce((
  select sum(300 + length(cast(json_array(t.id, t.name, t.description, t.extra_step_id, t.extra_step_name) as blob)) +
    length(cast(t.content_suggestions || t.additional_steps || t.automated_communications as blob)))
  from activity_types t where t.relations_path_id = relations_paths.id and t.retired_at is null
), 0);
