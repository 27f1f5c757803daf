-- For the System page; hides the address of a code that was not sent because the address has no account.
CREATE OR REPLACE VIEW auth.mail_status AS
SELECT o.id, o.job, o.created_at, o.done_at, o.attempts, o.last_error, o.skipped,
  coalesce(o.payload ->> 'oldEmail', CASE WHEN f.user_id IS NOT NULL OR f.purpose IN ('rsvp', 'contact') THEN f.email END, u.email) AS recipient,
  o.available_at
FROM auth.outbox o
LEFT JOIN auth.code_flows f ON f.id = (o.payload ->> 'flowId')::uuid
LEFT JOIN auth.users u ON u.id = coalesce((o.payload ->> 'userId')::uuid, f.user_id) AND u.closed_at IS NULL
WHERE o.job LIKE 'mail.%';
GRANT SELECT ON auth.mail_status TO meetmark_admin;
