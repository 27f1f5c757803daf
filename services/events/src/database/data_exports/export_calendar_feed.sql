-- For data exports: the calendar feed, without its secret URL.
CREATE OR REPLACE FUNCTION events.export_calendar_feed(export uuid) RETURNS SETOF jsonb
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = '' AS $$
  SELECT jsonb_build_object('createdAt', f.created_at)
  FROM events.calendar_feeds AS f WHERE f.user_id = (SELECT auth.exporting(export))
$$;
REVOKE EXECUTE ON FUNCTION events.export_calendar_feed FROM PUBLIC;
GRANT EXECUTE ON FUNCTION events.export_calendar_feed TO meetmark_worker;
