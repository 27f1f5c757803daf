-- Whether the event appears in lists, digests and announcements. Unlisted events can be found only by URL.
CREATE OR REPLACE FUNCTION events.is_listed(event events.events) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT event.status = 'published' AND event.start_date > now() AND event.visibility = 'public'
$$;
