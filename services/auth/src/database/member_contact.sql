-- For the guest list of an event only, which finds members by the same text, and the same index, as the list of users.
CREATE OR REPLACE VIEW auth.member_contact AS
SELECT id, first_name, last_name, email, '/media/avatars/' || profile_picture_hash || '.webp' AS profile_image_url,
  search_text
FROM auth.users;
GRANT SELECT ON auth.member_contact TO meetmark_events;
