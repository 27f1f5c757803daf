CREATE OR REPLACE VIEW auth.mail_recipient AS
SELECT id, email, first_name, last_name, event_updates, reminders, email_verified_at IS NOT NULL AS verified,
  messages, announcements, digest
FROM auth.users;
GRANT SELECT ON auth.mail_recipient TO meetmark_worker;
