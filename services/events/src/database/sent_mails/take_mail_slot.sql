-- Limits emails that someone other than the recipient caused. Null: send now; infinity: never; else when to
-- try again. `once` allows one email per kind and event.
CREATE OR REPLACE FUNCTION events.take_mail_slot(mail uuid, about uuid, reader text, mail_kind text, starts timestamptz, once boolean)
RETURNS timestamptz
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
DECLARE
  sent timestamptz[];
  until timestamptz;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('events.sent_mails ' || about || ' ' || reader || ' ' || mail_kind, 0));
  IF EXISTS (SELECT FROM events.sent_mails WHERE id = mail) THEN
    RETURN NULL;
  END IF;
  SELECT coalesce(array_agg(sent_at ORDER BY sent_at DESC), '{}') INTO sent FROM events.sent_mails
  WHERE recipient = reader AND event_id = about AND kind = mail_kind AND (once OR sent_at > now() - interval '24 hours');
  IF once AND cardinality(sent) > 0 THEN
    RETURN 'infinity';
  END IF;
  IF cardinality(sent) >= {{eventMailsPerDay}} THEN
    until := sent[{{eventMailsPerDay}}] + interval '24 hours';
    IF starts > now() AND starts < until AND cardinality(sent) < {{eventMailsPerDayBeforeStart}} THEN
      until := greatest(starts - interval '{{eventMailsBeforeStart}}', sent[1] + interval '{{eventMailsApart}}');
    END IF;
    IF until > now() THEN
      RETURN until;
    END IF;
  END IF;
  INSERT INTO events.sent_mails (id, event_id, recipient, kind) VALUES (mail, about, reader, mail_kind);
  RETURN NULL;
END $$;
REVOKE EXECUTE ON FUNCTION events.take_mail_slot FROM PUBLIC;
GRANT EXECUTE ON FUNCTION events.take_mail_slot TO meetmark_worker;
