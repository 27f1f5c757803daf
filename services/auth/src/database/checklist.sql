-- Numbers for the owners' checklist; members count only with a verified email address.
CREATE OR REPLACE VIEW auth.checklist AS
SELECT count(*) FILTER (WHERE email_verified_at IS NOT NULL)::int AS members,
  count(*) FILTER (WHERE is_admin)::int AS owners,
  count(*) FILTER (WHERE is_admin AND second_factor)::int AS owners_with_factor,
  coalesce(bool_or(email_verified_at IS NOT NULL AND NOT is_admin), false) AS proved_by_mail
FROM auth.users WHERE closed_at IS NULL;
GRANT SELECT ON auth.checklist TO meetmark_admin;
