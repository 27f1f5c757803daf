-- Searches names of verified members only, because callers must not look up email addresses.
CREATE OR REPLACE FUNCTION auth.find_members(words text)
RETURNS TABLE (id uuid, first_name text, last_name text, profile_image_url text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = '' AS $$
  SELECT card.id, card.first_name, card.last_name, card.profile_image_url
  FROM auth.users AS account JOIN auth.member_card AS card ON card.id = account.id
  WHERE public.searchable(account.sort_name) LIKE public.containing(words) AND account.email_verified_at IS NOT NULL
  ORDER BY account.sort_name, account.id LIMIT 10
$$;
REVOKE EXECUTE ON FUNCTION auth.find_members FROM PUBLIC;
GRANT EXECUTE ON FUNCTION auth.find_members TO meetmark_events;
