-- What other schemas may read of a user; the audit log reads names here, so they disappear with the account.
-- Closed accounts are left out.
CREATE OR REPLACE VIEW auth.member_card AS
SELECT id, first_name, last_name, '/media/avatars/' || profile_picture_hash || '.webp' AS profile_image_url, linked_in_url
FROM auth.users WHERE closed_at IS NULL;
GRANT SELECT ON auth.member_card TO meetmark_events;
GRANT SELECT (id, first_name, last_name) ON auth.member_card TO meetmark_admin;
