-- Members with email addresses, for guest lists and messages; the list of users searches search_text.
CREATE OR REPLACE VIEW auth.member_contact AS
SELECT id, first_name, last_name, email, '/media/avatars/' || profile_picture_hash || '.webp' AS profile_image_url,
  search_text, email_verified_at IS NULL AS unconfirmed
FROM auth.users WHERE closed_at IS NULL;
GRANT SELECT ON auth.member_contact TO meetmark_events;
