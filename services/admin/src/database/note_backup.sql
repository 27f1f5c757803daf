-- Records the time of a finished backup, for the System page; only the database owner can do this.
CREATE OR REPLACE FUNCTION admin.note_backup() RETURNS timestamptz LANGUAGE sql AS $$
  INSERT INTO admin.last_backup (made_at) VALUES (now())
  ON CONFLICT (is_last) DO UPDATE SET made_at = excluded.made_at
  RETURNING made_at
$$;
