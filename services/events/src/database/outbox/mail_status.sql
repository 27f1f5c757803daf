-- For the System page; contains addresses only of people without an account, the auth schema has the others.
CREATE OR REPLACE VIEW events.mail_status AS
SELECT o.id, o.job, o.created_at, o.done_at, o.attempts, o.last_error, o.skipped,
  coalesce((o.payload ->> 'userId')::uuid, r.user_id, h.host_id) AS recipient_id,
  coalesce(o.payload #>> '{guest,email}', CASE WHEN r.user_id IS NULL THEN r.guest_email END,
    (SELECT email FROM events.subscriptions AS s WHERE s.id = (o.payload ->> 'subscriptionId')::uuid),
    (SELECT email FROM events.subscription_requests AS q WHERE q.id = (o.payload ->> 'requestId')::uuid)) AS recipient,
  o.available_at
FROM events.outbox o
LEFT JOIN events.event_registrations r ON r.id = (o.payload ->> 'registrationId')::uuid
LEFT JOIN events.host_messages h ON h.id = (o.payload ->> 'messageId')::uuid
WHERE o.job LIKE 'mail.%';
GRANT SELECT ON events.mail_status TO meetmark_admin;
