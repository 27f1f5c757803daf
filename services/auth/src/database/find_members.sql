-- Members are found by their names, for the events that name them: never by their addresses, and only once those are verified. `part` is
-- a pattern of LIKE; whoever asks learns ten people at most.
CREATE OR REPLACE FUNCTION auth.find_members(part text)
RETURNS TABLE (id uuid, first_name text, last_name text, profile_image_url text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = '' AS $$
  SELECT card.id, card.first_name, card.last_name, card.profile_image_url
  FROM auth.users AS account JOIN auth.member_card AS card ON card.id = account.id
  WHERE account.sort_name LIKE lower(part) AND account.email_verified_at IS NOT NULL
  ORDER BY account.sort_name, account.id LIMIT 10
$$;
REVOKE EXECUTE ON FUNCTION auth.find_members FROM PUBLIC;
GRANT EXECUTE ON FUNCTION auth.find_members TO meetmark_events;
