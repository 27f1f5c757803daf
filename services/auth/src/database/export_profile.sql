-- For data exports: the account and its settings.
CREATE OR REPLACE FUNCTION auth.export_profile(export uuid) RETURNS SETOF jsonb
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = '' AS $$
  SELECT jsonb_build_object(
    'id', u.id, 'email', u.email, 'emailVerifiedAt', u.email_verified_at,
    'pendingEmail', u.pending_email, 'pendingEmailSince', u.pending_email_at,
    'previousEmails', (
      SELECT coalesce(jsonb_agg(jsonb_build_object('email', r.email, 'changedAt', r.created_at) ORDER BY r.created_at), '[]')
      FROM auth.email_reverts AS r WHERE r.user_id = u.id),
    'firstName', u.first_name, 'lastName', u.last_name, 'description', u.description, 'linkedInUrl', u.linked_in_url,
    'photo', 'images/profile/' || u.profile_picture_hash || '.webp',
    'role', CASE WHEN u.is_admin THEN 'owner' WHEN u.is_organiser THEN 'organiser' ELSE 'member' END,
    'hasPassword', u.password_hash IS NOT NULL, 'hasSecondFactor', u.second_factor,
    'locale', u.locale, 'showMe', u.show_me,
    'emails', jsonb_build_object('eventUpdates', u.event_updates, 'reminders', u.reminders, 'messages', u.messages,
      'announcements', u.announcements, 'digest', u.digest),
    'createdAt', u.created_at, 'updatedAt', u.updated_at)
  FROM auth.users AS u WHERE u.id = (SELECT auth.exporting(export))
$$;
REVOKE EXECUTE ON FUNCTION auth.export_profile FROM PUBLIC;
GRANT EXECUTE ON FUNCTION auth.export_profile TO meetmark_worker;
