-- For data exports: topics that the member follows.
CREATE OR REPLACE FUNCTION events.export_topics(export uuid) RETURNS SETOF jsonb
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = '' AS $$
  SELECT jsonb_build_object('slug', t.slug, 'name', t.name, 'followedAt', f.followed_at)
  FROM events.topic_follows AS f JOIN events.topics AS t ON t.id = f.topic_id
  WHERE f.user_id = (SELECT auth.exporting(export)) ORDER BY t.place
$$;
REVOKE EXECUTE ON FUNCTION events.export_topics FROM PUBLIC;
GRANT EXECUTE ON FUNCTION events.export_topics TO meetmark_worker;
