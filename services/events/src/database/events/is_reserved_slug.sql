-- Whether the word can't be a slug, because it would look like a page of the site.
CREATE OR REPLACE FUNCTION events.is_reserved_slug(slug text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT slug = ANY (string_to_array('{{reservedSlugs}}', ' '))
$$;
