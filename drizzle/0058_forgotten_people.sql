-- Earlier versions kept more of deleted users than the name that records show.
update users set email = '', email_key = 'deleted:' || id, phone_number = null, job_title = null,
  profile_picture = null, signature_email = null, password_hash = null, sso_user_id = null
  where deleted_at is not null and email_key <> 'deleted:' || id;
--> statement-breakpoint
-- Notifications show names of contacts and subjects of e-mails as they are now.
update notifications set data = json_remove(data, '$.contact.first_name', '$.contact.last_name',
  '$.contact.account_id', '$.email.subject', '$.email.correspondence_id')
  where type in ('incoming_email', 'email_opened');
