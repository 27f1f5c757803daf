-- For data exports: audit entries by or about the member. Names nobody else and holds no earlier values.
CREATE OR REPLACE FUNCTION admin.export_audit_entries(export uuid) RETURNS SETOF jsonb
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = '' AS $$
  SELECT jsonb_build_object('action', l.action, 'at', l.at, 'byYou', l.actor_id = (SELECT auth.exporting(export)),
    'aboutYou', coalesce(l.subject_id = (SELECT auth.exporting(export)), false), 'subject', l.subject_name, 'changed', l.changed)
  FROM admin.audit_log AS l
  WHERE l.actor_id = (SELECT auth.exporting(export)) OR l.subject_id = (SELECT auth.exporting(export)) ORDER BY l.at, l.id
$$;
REVOKE EXECUTE ON FUNCTION admin.export_audit_entries FROM PUBLIC;
GRANT EXECUTE ON FUNCTION admin.export_audit_entries TO meetmark_worker;
