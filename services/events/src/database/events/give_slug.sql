-- Gives every event that is not a draft a slug, which stays the same when title and date change.
CREATE OR REPLACE FUNCTION events.give_slug() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
BEGIN
  IF NEW.event_slug IS NULL THEN
    NEW.event_slug := events.new_slug(NEW.id,
      coalesce(nullif(events.slug_words(NEW.title), ''), to_char(NEW.start_date AT TIME ZONE 'UTC', 'YYYY-MM-DD')),
      NEW.visibility = 'unlisted');
  ELSIF NEW.visibility = 'unlisted' AND NOT EXISTS (SELECT FROM events.slugs WHERE slug = NEW.event_slug AND event_id = NEW.id AND is_random) THEN
    NEW.event_slug := events.new_slug(NEW.id, rtrim(left(NEW.event_slug, 71), '-'), true);
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER events_give_slug_insert BEFORE INSERT ON events.events
FOR EACH ROW WHEN (NEW.status <> 'draft') EXECUTE FUNCTION events.give_slug();

CREATE OR REPLACE TRIGGER events_give_slug_update BEFORE UPDATE OF status, visibility, event_slug ON events.events
FOR EACH ROW WHEN (NEW.status <> 'draft' AND (NEW.event_slug IS NULL OR NEW.visibility = 'unlisted')) EXECUTE FUNCTION events.give_slug();
