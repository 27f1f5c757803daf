-- Lowercase ASCII words joined by hyphens; at most 71 characters, to leave room for a suffix.
CREATE OR REPLACE FUNCTION events.slug_words(title text) RETURNS text
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = '' AS $$
DECLARE
  words text := replace(title, '''', '');
BEGIN
  IF words ~ '[^\x01-\x7f]' THEN
    SELECT string_agg(CASE WHEN ascii(letter) < 128 THEN letter ELSE coalesce(spelt[ascii(letter) % 256 + 1], ' ') END, '' ORDER BY place)
    INTO words
    FROM string_to_table(normalize(words, NFC), NULL) WITH ORDINALITY AS each (letter, place)
    LEFT JOIN events.letters ON block = ascii(letter) / 256;
  END IF;
  words := trim(BOTH '-' FROM regexp_replace(lower(words COLLATE "C"), '[^a-z0-9]+', '-', 'g'));
  RETURN CASE WHEN char_length(words) <= 71 THEN words ELSE left(regexp_replace(left(words, 72), '-[^-]*$', ''), 71) END;
END $$;
REVOKE EXECUTE ON FUNCTION events.slug_words FROM PUBLIC;
