-- Whether everybody is shown the event, on lists, in digests and in announcements. An unlisted one is found by its address alone.
CREATE OR REPLACE FUNCTION events.is_listed(event events.events) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT event.status = 'published' AND event.start_date > now() AND event.visibility = 'public'
$$;
