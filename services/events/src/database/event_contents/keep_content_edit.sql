-- 'meetmark.raised' is the event whose version this transaction raised: row and content count as one edit.
CREATE OR REPLACE FUNCTION events.keep_content_edit() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
DECLARE
  present integer;
BEGIN
  UPDATE events.events
  SET version = version + (current_setting('meetmark.raised', true) IS DISTINCT FROM id::text)::integer
  WHERE id = NEW.event_id RETURNING version INTO present;
  PERFORM set_config('meetmark.raised', NEW.event_id::text, true);
  PERFORM events.keep_edit(NEW.event_id, present, array_remove(ARRAY[
    {{changedOfContent}}
  ], NULL));
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER event_contents_keep_edit AFTER UPDATE ON events.event_contents
FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION events.keep_content_edit();
