-- Campaigns kept the address, phone number and signature of users who were deleted since.
update campaigns set snapshot = json_set(snapshot, '$.user.email', '', '$.user.phone_number', null,
  '$.user.signature_email', null)
  where stage is null and snapshot ->> '$.user.email' <> '' and not exists (select 1 from users u
    where u.company_id = campaigns.company_id and u.deleted_at is null and u.email = campaigns.snapshot ->> '$.user.email');
