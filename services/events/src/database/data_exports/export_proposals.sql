-- For data exports: events that the member proposed.
CREATE OR REPLACE FUNCTION events.export_proposals(export uuid) RETURNS SETOF jsonb
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = '' AS $$
  SELECT jsonb_build_object('id', p.id, 'title', p.title, 'description', p.description, 'startDate', p.start_date,
    'endDate', p.end_date, 'proposedAt', p.proposed_at, 'decidedAt', p.decided_at, 'reply', p.words, 'eventId', p.event_id)
  FROM events.proposals AS p WHERE p.proposer_id = (SELECT auth.exporting(export)) ORDER BY p.proposed_at, p.id
$$;
REVOKE EXECUTE ON FUNCTION events.export_proposals FROM PUBLIC;
GRANT EXECUTE ON FUNCTION events.export_proposals TO meetmark_worker;
