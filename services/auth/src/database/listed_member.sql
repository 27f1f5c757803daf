CREATE OR REPLACE VIEW auth.listed_member AS
SELECT id, first_name, last_name, '/media/avatars/' || profile_picture_hash || '.webp' AS profile_image_url, linked_in_url
FROM auth.users WHERE email_verified_at IS NOT NULL AND closed_at IS NULL;
GRANT SELECT ON auth.listed_member TO meetmark_events;
