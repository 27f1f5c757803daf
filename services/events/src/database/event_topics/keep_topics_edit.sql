-- Records a change of topics as an edit of the event.
CREATE OR REPLACE FUNCTION events.keep_topics_edit(edited uuid) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
DECLARE
  present integer;
BEGIN
  UPDATE events.events
  SET version = version + (current_setting('meetmark.raised', true) IS DISTINCT FROM id::text)::integer
  WHERE id = edited RETURNING version INTO present;
  PERFORM set_config('meetmark.raised', edited::text, true);
  PERFORM events.keep_edit(edited, present, ARRAY['topics']);
END $$;
REVOKE EXECUTE ON FUNCTION events.keep_topics_edit FROM PUBLIC;
GRANT EXECUTE ON FUNCTION events.keep_topics_edit TO meetmark_events;
