-- Sets 'meetmark.public_change', without which PublicCache keeps the cache: refused requests can't empty it.
CREATE OR REPLACE FUNCTION events.note_public_change() RETURNS trigger LANGUAGE plpgsql SET search_path = '' AS $$
BEGIN
  PERFORM set_config('meetmark.public_change', 'yes', true);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER events_note_public_insert AFTER INSERT ON events.events
FOR EACH ROW WHEN (NEW.status <> 'draft') EXECUTE FUNCTION events.note_public_change();

-- Covers registrations, which update the event's counts, and content changes, which set updated_at.
CREATE OR REPLACE TRIGGER events_note_public_update AFTER UPDATE ON events.events
FOR EACH ROW WHEN ((OLD.status <> 'draft' OR NEW.status <> 'draft') AND OLD.* IS DISTINCT FROM NEW.*)
EXECUTE FUNCTION events.note_public_change();

CREATE OR REPLACE TRIGGER events_note_public_delete AFTER DELETE ON events.events
FOR EACH ROW WHEN (OLD.status <> 'draft') EXECUTE FUNCTION events.note_public_change();

-- Covers changes to a registration that leave the event's counts the same.
CREATE OR REPLACE TRIGGER event_registrations_note_public AFTER UPDATE ON events.event_registrations
FOR EACH ROW WHEN (ROW (OLD.user_id, OLD.status, OLD.show_me, OLD.selected_date, OLD.registered_at)
  IS DISTINCT FROM ROW (NEW.user_id, NEW.status, NEW.show_me, NEW.selected_date, NEW.registered_at))
EXECUTE FUNCTION events.note_public_change();

CREATE OR REPLACE TRIGGER event_people_note_public AFTER UPDATE ON events.event_people
FOR EACH ROW WHEN (OLD.agreed_at IS DISTINCT FROM NEW.agreed_at) EXECUTE FUNCTION events.note_public_change();

CREATE OR REPLACE TRIGGER topics_note_public_existence AFTER INSERT OR DELETE ON events.topics
FOR EACH ROW EXECUTE FUNCTION events.note_public_change();

CREATE OR REPLACE TRIGGER topics_note_public_update AFTER UPDATE ON events.topics
FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION events.note_public_change();
