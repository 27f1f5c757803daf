-- Entries point to people by id alone: their names stand with the accounts, and go with them. The title of an event and the name of a
-- topic are no names of people; a message's subject is the event that it is about. Workers of earlier versions still send names.
CREATE OR REPLACE FUNCTION admin.leave_names_out() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.actor_name := NULL;
  IF NEW.action !~ '^(event|message|topic)[.]' THEN
    NEW.subject_name := NULL;
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER audit_log_leave_names_out BEFORE INSERT ON admin.audit_log
FOR EACH ROW EXECUTE FUNCTION admin.leave_names_out();
