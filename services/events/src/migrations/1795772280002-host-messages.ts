import type { Migration } from '@meetmark/platform/database/migrate';
import type { QueryRunner } from 'typeorm';

/**
 * What people write to the hosts of events. Name, address and text are there until the mail is handed over; what stays is counted, and goes
 * after two days.
 */
export class HostMessages1795772280002 implements Migration {
  name = 'HostMessages1795772280002';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE events.host_messages (
        id uuid CONSTRAINT host_messages_pkey PRIMARY KEY,
        event_id uuid NOT NULL REFERENCES events.events ON DELETE CASCADE,
        host_id uuid NOT NULL REFERENCES auth.users ON DELETE CASCADE,
        writer_id uuid REFERENCES auth.users ON DELETE CASCADE,
        writer_hash bytea NOT NULL,
        name text,
        email text,
        body text,
        written_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT host_messages_writer_hash_check CHECK (octet_length(writer_hash) = 32),
        CONSTRAINT host_messages_name_check CHECK (char_length(name) BETWEEN 1 AND 201),
        CONSTRAINT host_messages_email_check CHECK (char_length(email) BETWEEN 3 AND 255),
        CONSTRAINT host_messages_body_check CHECK (char_length(body) BETWEEN 10 AND 2000),
        CONSTRAINT host_messages_forgotten_check CHECK (num_nonnulls(name, email, body) IN (0, 3))
      )`);
    await runner.query(`
      CREATE INDEX host_messages_host_idx ON events.host_messages (host_id, written_at);
      CREATE INDEX host_messages_writer_idx ON events.host_messages (writer_hash, written_at);
      CREATE INDEX host_messages_event_idx ON events.host_messages (event_id);
      CREATE INDEX host_messages_writer_id_idx ON events.host_messages (writer_id) WHERE writer_id IS NOT NULL`);
    await runner.query(`
      GRANT SELECT, INSERT ON events.host_messages TO meetmark_events;
      GRANT SELECT, UPDATE (name, email, body), DELETE ON events.host_messages TO meetmark_worker`);
  }
}
