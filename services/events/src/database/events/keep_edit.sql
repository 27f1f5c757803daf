-- Records a transaction's changes as one edit by 'meetmark.editor', on whose behalf it runs.
CREATE OR REPLACE FUNCTION events.keep_edit(edited uuid, present integer, names text[]) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = '' AS $$
  INSERT INTO events.event_edits AS edits (event_id, version, editor_id, changed)
  VALUES (edited, present, nullif(current_setting('meetmark.editor', true), '')::uuid, names)
  ON CONFLICT (event_id, version) DO UPDATE SET changed = edits.changed || (
    SELECT coalesce(array_agg(name), '{}') FROM unnest(excluded.changed) AS name WHERE name <> ALL (edits.changed))
$$;
REVOKE EXECUTE ON FUNCTION events.keep_edit FROM PUBLIC;
