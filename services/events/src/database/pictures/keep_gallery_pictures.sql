-- Keeps gallery images when the worker deletes unused ones; unlike covers, they have no foreign key.
CREATE OR REPLACE FUNCTION events.keep_gallery_pictures() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
BEGIN
  IF EXISTS (
    SELECT FROM events.events WHERE gallery_pictures <> '[]'
      AND gallery_pictures @> pg_catalog.jsonb_build_array(pg_catalog.jsonb_build_object('hash', OLD.hash))) THEN
    RETURN NULL;
  END IF;
  RETURN OLD;
END $$;

CREATE OR REPLACE TRIGGER pictures_keep_of_gallery BEFORE DELETE ON events.pictures
FOR EACH ROW EXECUTE FUNCTION events.keep_gallery_pictures();
