-- For data exports: images of the events that the member organises.
CREATE OR REPLACE FUNCTION events.export_pictures(export uuid) RETURNS TABLE (name text, bytes bytea)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = '' AS $$
  SELECT 'events/' || p.hash || '.webp', p.bytes FROM events.pictures AS p
  WHERE EXISTS (SELECT FROM events.events AS e WHERE e.banner_hash = p.hash AND e.created_by_id = (SELECT auth.exporting(export)))
  ORDER BY p.hash
$$;
REVOKE EXECUTE ON FUNCTION events.export_pictures FROM PUBLIC;
GRANT EXECUTE ON FUNCTION events.export_pictures TO meetmark_worker;
