-- Reserves a slug and never waits; short or reserved words and bare dates always get a suffix.
CREATE OR REPLACE FUNCTION events.new_slug(event uuid, given text, at_random boolean) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
DECLARE
  stands_alone boolean := char_length(given) >= 3 AND given !~ '^\d{4,}-\d\d-\d\d$' AND NOT events.is_reserved_slug(given);
  next integer;
  made text;
  bits bytea;
BEGIN
  LOOP
    IF at_random THEN
      bits := uuid_send(gen_random_uuid());
      -- all eight bits of these bytes of a UUID are random
      SELECT given || '-' || string_agg(substr('abcdefghjkmnpqrstvwxyz0123456789', get_byte(bits, place) % 32 + 1, 1), '')
      INTO made FROM unnest(ARRAY[0, 1, 2, 3, 4, 5, 9, 10]) AS place;
    ELSE
      -- The title has another collation, with which the index of slugs couldn't be used.
      next := greatest(next + 1, (SELECT max(number) + 1 FROM events.slugs WHERE words = given COLLATE pg_catalog."default"), 1);
      made := CASE WHEN stands_alone AND next = 1 THEN given ELSE given || '-' || next END;
    END IF;
    IF pg_try_advisory_xact_lock(hashtextextended('events.slugs ' || made, 0)) THEN
      INSERT INTO events.slugs (slug, event_id, words, number, is_random)
      VALUES (made, event, CASE WHEN NOT at_random THEN given END, next, at_random) ON CONFLICT DO NOTHING;
      IF FOUND THEN
        RETURN made;
      END IF;
    END IF;
  END LOOP;
END $$;
REVOKE EXECUTE ON FUNCTION events.new_slug FROM PUBLIC;
