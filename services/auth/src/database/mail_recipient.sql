-- Closed accounts get only codes and the email about the closing; callers check closed_at.
CREATE OR REPLACE VIEW auth.mail_recipient AS
SELECT id, email, first_name, last_name, event_updates, reminders, email_verified_at IS NOT NULL AS verified,
  messages, announcements, digest, closed_at
FROM auth.users;
GRANT SELECT ON auth.mail_recipient TO meetmark_worker;
