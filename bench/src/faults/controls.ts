import { setTimeout as pause } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { brokenCreates } from './catalogue/exactness.js';
import { restartPostgres } from './catalogue/postgres.js';
import { brokenInvariants, brokenMails, brokenSessions, codeIn, brokenTables } from './invariants.js';
import { Ledger, toRegistrationKey } from './ledger.js';
import { ask } from './load.js';
import { ProcessWatch } from './process-watch.js';
import type { Rig } from './rig.js';
import { withStockTransport } from './stock-transport.js';
import { brokenAnswers } from './trial.js';

/** Negative control: removes a protection on purpose. The checks must report the invariant as broken. */
export interface Control {
  id: string;
  title: string;
  run(rig: Rig): Promise<string[]>;
}

const SEATS = 5;
const BEFORE_THE_KILL = 1_500;
const BETWEEN_WRITES = 20;
/** Milliseconds after which the process holds far more memory than allowed. */
const HOG_FOR = 20_000;
const HOG = new URL('./hog.js', import.meta.url).href;

const registerAll = (rig: Rig, ledger: Ledger, event: string) =>
  Promise.all(
    rig.members.map(async (member) => {
      const outcome = await ask(ledger, 'register', () =>
        member.send('POST', `/api/events/${event}/register`),
      );
      if (outcome === 'ok') ledger.places.set(toRegistrationKey(member.id, event), 'taken');
    }),
  );

/**
 * Negative controls. They run in this order after all faults, because each leaves the rig in a worse state.
 */
export const CONTROLS: Control[] = [
  {
    id: 'F0',
    title: "creates over Nest's stock Redis transport, which hands a request to every replica",
    async run(rig) {
      const found: string[] = [];
      await withStockTransport({ databaseUrl: rig.databaseUrl, redisUrl: rig.redisUrl }, async (create) => {
        const createdById = rig.administrator.id;
        found.push(...(await brokenCreates(rig.owner, (title) => create({ title, createdById }))));
      });
      return found;
    },
  },
  {
    id: 'I9',
    title:
      'a replica of events that keeps what it is given and whose event loop stands still, then ends unasked',
    async run(rig) {
      const { stack } = rig.stack;
      const { process } = stack.replica('events', 1);
      const watch = await ProcessWatch.learn(stack.replicas);
      await process.restart(['--import', HOG]);
      await watch.begin();
      await pause(HOG_FOR);
      const { broken } = await watch.health(await watch.look(), []);
      globalThis.process.kill(process.pid, 'SIGKILL');
      await pause(BEFORE_THE_KILL);
      broken.push(...rig.endings().map((ending) => `I9: ${ending}`));
      await process.restart();
      const noticed = ['keeps', 'event loop', 'ended'].every((what) =>
        broken.some((each) => each.includes(what)),
      );
      return noticed ? broken : [];
    },
  },
  {
    id: 'I6',
    title: 'a mail sent twice, the second time under another id',
    async run(rig) {
      const ledger = new Ledger();
      const mail = rig.sink.received.find((each) => codeIn(each) !== undefined);
      const [email] = mail?.recipients ?? [];
      if (mail === undefined || email === undefined) throw new Error('no code has been sent yet');
      ledger.codes.set(email, 'ok');
      rig.sink.received.push({ ...mail, mail: { ...mail.mail, messageId: '<another@example.org>' } });
      const found = brokenMails(rig.sink, ledger, 1);
      rig.sink.received.pop();
      return found;
    },
  },
  {
    id: 'I10',
    title: 'a draft that the database takes for published',
    async run(rig) {
      const ledger = new Ledger();
      const [draft] = await rig.drafts(1);
      await rig.owner.query("UPDATE events.events SET status = 'published' WHERE id = $1", [draft]);
      await ask(ledger, 'draft', () => rig.members[0]!.send('GET', `/api/events/${draft}`));
      await rig.owner.query('DELETE FROM events.events WHERE id = $1', [draft]);
      return brokenAnswers(ledger, { touches: [] });
    },
  },
  {
    id: 'I3',
    title: 'commits acknowledged before they are on disk, then kill -9 of PostgreSQL',
    async run(rig) {
      for (const setting of ['synchronous_commit = off', "wal_writer_delay = '10s'"])
        await rig.owner.query(`ALTER SYSTEM SET ${setting}`);
      await restartPostgres(rig);
      await pause(BEFORE_THE_KILL);
      const ledger = new Ledger();
      const events = await rig.events(SEATS);
      await pause(BEFORE_THE_KILL);
      for (const event of events) {
        await registerAll(rig, ledger, event);
        await pause(BETWEEN_WRITES);
      }
      await rig.server('postgres').kill('SIGKILL');
      await restartPostgres(rig);
      for (const setting of ['synchronous_commit', 'wal_writer_delay'])
        await rig.owner.query(`ALTER SYSTEM RESET ${setting}`);
      await restartPostgres(rig);
      await pause(BEFORE_THE_KILL);
      return brokenInvariants(rig, ledger);
    },
  },
  {
    id: 'I11',
    title: 'whoever frees a place gives it to nobody',
    async run(rig) {
      const { rows } = await rig.owner.query<{ text: string }>(
        "SELECT pg_get_functiondef('events.promote_waiting'::regproc) AS text",
      );
      const [promotion] = rows;
      await rig.owner.query(promotion!.text.replace('BEGIN', 'BEGIN RETURN 0;'));
      const [event = ''] = await rig.events(1, 1);
      const [first, second] = rig.members;
      for (const member of [first!, second!])
        await member.send('POST', `/api/events/${event}/register`, { waitlist: true });
      await first!.send('DELETE', `/api/events/${event}/register`);
      const found = await brokenTables(rig.owner);
      await rig.owner.query(promotion!.text);
      return found;
    },
  },
  {
    id: 'I12',
    title: 'check-ins that the guest list does not follow, one of them twice',
    async run(rig) {
      const table = 'events.check_ins';
      await rig.owner.query(
        `ALTER TABLE ${table} DROP CONSTRAINT check_ins_pkey, DISABLE TRIGGER check_ins_follow`,
      );
      const { rowCount } = await rig.owner.query(
        `INSERT INTO ${table} (event_id, key, registration_id, at)
         SELECT event_id, id, id, now() FROM
           (SELECT event_id, id FROM events.event_registrations WHERE checked_in_at IS NULL LIMIT 1) AS guest, generate_series(1, 2)`,
      );
      const found = await brokenTables(rig.owner);
      await rig.owner.query(`DELETE FROM ${table} WHERE key = registration_id`);
      await rig.owner.query(
        `ALTER TABLE ${table} ADD CONSTRAINT check_ins_pkey PRIMARY KEY (event_id, key), ENABLE TRIGGER check_ins_follow`,
      );
      const noticed = found.filter((each) => each.startsWith('I12:')).length;
      return rowCount === 2 && noticed === 2 ? found : [];
    },
  },
  {
    id: 'I2',
    title: 'the rule of the capacity dropped, more members than seats',
    async run(rig) {
      await rig.owner.query('ALTER TABLE events.events DROP CONSTRAINT events_within_capacity_check');
      const [event = ''] = await rig.events(1, SEATS);
      await registerAll(rig, new Ledger(), event);
      return brokenTables(rig.owner);
    },
  },
  {
    id: 'I1',
    title: 'the unique constraint dropped, one place inserted twice',
    async run(rig) {
      const table = 'events.event_registrations';
      await rig.owner.query(`ALTER TABLE ${table} DROP CONSTRAINT event_registrations_event_id_user_id_key`);
      await rig.owner.query(
        `INSERT INTO ${table} (id, event_id, user_id) SELECT gen_random_uuid(), event_id, user_id FROM ${table} LIMIT 1`,
      );
      return brokenTables(rig.owner);
    },
  },
  {
    id: 'I7',
    title: 'sessions in Redis alone, then FLUSHALL',
    async run(rig) {
      await rig.owner.query('DELETE FROM gateway.sessions');
      const redis = new Redis(rig.redisUrl);
      await redis.flushall();
      redis.disconnect();
      return brokenSessions(rig);
    },
  },
];
