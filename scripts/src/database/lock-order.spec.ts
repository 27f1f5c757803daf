import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { AccountsService } from '@meetmark/auth/accounts/accounts.service';
import { ClosingService } from '@meetmark/auth/accounts/closing.service';
import { CodesService } from '@meetmark/auth/codes/codes.service';
import { ProfilesService } from '@meetmark/auth/profiles/profiles.service';
import { DataExportsService } from '@meetmark/auth/data-exports/data-exports.service';
import { createCall, nobody, openAuth, type TestAuth } from '@meetmark/auth/testing/open-auth';
import { DEADLINES, DomainError, ERRORS } from '@meetmark/contracts';
import { DoorService } from '@meetmark/events/door/door.service';
import { EventEditingService } from '@meetmark/events/events/core/event-editing.service';
import { EventLifeService } from '@meetmark/events/events/core/event-life.service';
import { EventsService } from '@meetmark/events/events/core/events.service';
import { GuestsService } from '@meetmark/events/guests/guests.service';
import { HostMessagesController } from '@meetmark/events/host-messages/host-messages.controller';
import { ImportsService } from '@meetmark/events/imports/imports.service';
import { MessagesService } from '@meetmark/events/messages/messages.service';
import { GalleryService } from '@meetmark/events/pictures/gallery.service';
import { ProposalsService } from '@meetmark/events/proposals/proposals.service';
import { RegistrationsService } from '@meetmark/events/registrations/registrations.service';
import { WaitingListService } from '@meetmark/events/registrations/waiting-list.service';
import { SubscriptionsController } from '@meetmark/events/subscriptions/subscriptions.controller';
import { openEvents, type TestEvents } from '@meetmark/events/testing/open-events';
import { TopicsService } from '@meetmark/events/topics/topics.service';
import { SessionRecords } from '@meetmark/gateway/sessions/sessions.repository';
import { OutboxReader, type RetryingDataSource } from '@meetmark/platform';
import { databaseForTests } from '@meetmark/platform/testing/database-for-tests';
import { inTurns } from '@meetmark/testing';
import { insertAdministrator, type UserRow } from '@meetmark/testing/factories/users';
import { SendMessageJob } from '@meetmark/worker/events/organiser-messages';
import type { JobContext } from '@meetmark/worker/queue/job-handler';
import type pg from 'pg';

const LANES = 2;
const PATIENCE = 30_000;
/** Milliseconds for which rows stay locked, so that all calls of a test wait at the same time. */
const HELD = 15;
/** Keyed hash of an unverified member's network. */
const NETWORK = 'n'.repeat(22);

const sha256 = (text: string) => createHash('sha256').update(text).digest();
const literal = (bytes: Buffer) => `'\\x${bytes.toString('hex')}'`;

class Scene {
  readonly adaId = randomUUID();
  readonly eveId = randomUUID();
  readonly ottoId = randomUUID();
  readonly zoeId = randomUUID();
  readonly wesId = randomUUID();
  readonly seriesId = randomUUID();
  readonly firstId = randomUUID();
  readonly secondId = randomUUID();
  readonly emptyIds: string[];
  readonly draftId = randomUUID();
  readonly placeId = randomUUID();
  readonly guestId = randomUUID();
  readonly messageId = randomUUID();
  readonly mailId = randomUUID();
  readonly sendId = randomUUID();
  readonly flowId = randomUUID();
  readonly proposalId = randomUUID();
  readonly importId = randomUUID();
  readonly importedId = randomUUID();
  readonly wishId = randomUUID();
  readonly oldTopicId = randomUUID();
  readonly topicId = randomUUID();
  readonly token = randomBytes(16).toString('base64url');
  readonly browser = randomBytes(16).toString('base64url');
  readonly sendAt = new Date();
  readonly otto = createCall({ id: this.ottoId });
  readonly zoe = createCall({ id: this.zoeId });
  readonly eve = createCall({ id: this.eveId });
  readonly ada = createCall({ id: this.adaId });
  readonly asker = { browser: this.browser, network: '192.0.2.0/24' };

  /** @param callers number of calls, each of which has an event without registrations */
  constructor(callers = 1) {
    this.emptyIds = Array.from({ length: callers }, () => randomUUID());
  }

  getEmail(id: string): string {
    return `${id}@example.com`;
  }

  get imported(): string {
    const [startDate, endDate] = [1, 2].map((days) => new Date(Date.now() - days * 86_400_000)).toReversed();
    const empty = {
      description: null,
      timeZone: null,
      location: null,
      onlineUrl: null,
      price: null,
      capacity: null,
    };
    const event = { ...empty, title: 'Event', descriptionFormat: 'plain', startDate, endDate };
    return JSON.stringify({ ...event, isAllDay: false, format: 'in_person' });
  }

  /** Ada is a member, Eve unverified, Wes on the waiting list. Otto and Zoe organise two events and a draft. */
  get rows(): string {
    const { adaId, eveId, ottoId, zoeId, wesId, firstId, secondId, draftId, placeId, guestId } = this;
    const user = (id: string, more: string) => `('${id}', '${this.getEmail(id)}', 'First', 'Last', ${more})`;
    const event = (id: string, status: string, by = ottoId) =>
      `('${id}', 'Event', now() + interval '1 day', now() + interval '2 days', 3, '${by}', '${status}', '${this.seriesId}', true)`;
    const question = JSON.stringify([{ id: 'q', kind: 'text', label: 'Why?', required: false, options: [] }]);
    const link = literal(sha256(this.token));
    return `
      SELECT pg_advisory_xact_lock(1); -- for the free places of topics
      INSERT INTO auth.users (id, email, first_name, last_name, is_organiser, email_verified_at) VALUES
        ${user(adaId, 'false, now()')}, ${user(eveId, 'false, NULL')}, ${user(ottoId, 'true, now()')}, ${user(zoeId, 'false, now()')},
        ${user(wesId, 'false, now()')};
      INSERT INTO events.topics (id, slug, name, place) SELECT id, 't' || replace(id::text, '-', ''), left(id::text, 30), place
        FROM (VALUES ('${this.oldTopicId}'::uuid, 1), ('${this.topicId}', 2)) AS given (id, at),
          LATERAL (SELECT place FROM generate_series(1, 12) AS place WHERE place NOT IN (SELECT place FROM events.topics)
            ORDER BY place OFFSET at - 1 LIMIT 1) AS free;
      INSERT INTO events.events (id, title, start_date, end_date, capacity, created_by_id, status, series_id, waitlist_enabled) VALUES
        ${event(firstId, 'published')}, ${event(secondId, 'published')}, ${event(draftId, 'draft')},
        ${this.emptyIds.map((id) => event(id, 'published', zoeId)).join()};
      INSERT INTO events.event_contents (event_id, questions) VALUES ('${firstId}', '${question}'), ('${draftId}', '[]');
      INSERT INTO events.event_people (event_id, role, position, user_id, asked_by_id)
        SELECT id, 'host', 0, '${zoeId}', '${ottoId}' FROM events.events WHERE series_id = '${this.seriesId}';
      INSERT INTO events.event_topics (event_id, topic_id, position)
        SELECT id, '${this.oldTopicId}', 1 FROM events.events WHERE series_id = '${this.seriesId}';
      INSERT INTO events.topic_follows (topic_id, user_id)
        SELECT '${this.oldTopicId}', id FROM auth.users WHERE id IN ('${adaId}', '${ottoId}', '${zoeId}');
      INSERT INTO events.event_registrations (id, event_id, user_id, status, guest_name, guest_email, show_me) VALUES
        ('${placeId}', '${firstId}', '${ottoId}', 'registered', NULL, NULL, 'name'),
        ('${randomUUID()}', '${secondId}', '${ottoId}', 'registered', NULL, NULL, 'name'),
        ('${randomUUID()}', '${firstId}', '${zoeId}', 'registered', NULL, NULL, 'name'),
        ('${randomUUID()}', '${secondId}', '${zoeId}', 'registered', NULL, NULL, 'name'),
        ('${randomUUID()}', '${firstId}', '${wesId}', 'waitlisted', NULL, NULL, 'name'),
        ('${guestId}', '${firstId}', NULL, 'registered', 'Ada', '${this.getEmail(adaId)}', 'no'),
        ('${randomUUID()}', '${secondId}', '${adaId}', 'cancelled', NULL, NULL, 'name');
      UPDATE events.events SET has_guests = true WHERE id = '${firstId}';
      INSERT INTO events.door_links (id, event_id, token_hash, created_by_id) VALUES ('${randomUUID()}', '${firstId}', ${link}, '${ottoId}');
      INSERT INTO events.messages (id, event_id, author_id, segment, subject, body, reply_to, state, send_at) VALUES
        ('${this.messageId}', '${firstId}', '${ottoId}', 'registered', 'Subject', 'Body', 'author', 'sending', '${this.sendAt.toISOString()}'),
        ('${this.mailId}', '${firstId}', '${ottoId}', 'registered', 'Subject', 'Body', 'author', 'draft', NULL);
      UPDATE events.messages SET state = 'sending', send_at = now() - interval '2 days', recipients = 1 WHERE id = '${this.mailId}';
      INSERT INTO events.message_recipients (message_id, registration_id) VALUES ('${this.mailId}', '${placeId}');
      INSERT INTO events.outbox (id, job, payload) VALUES
        ('${this.sendId}', 'events.sendMessage', '{}'),
        ('${this.mailId}', 'mail.message', '${JSON.stringify({ messageId: this.mailId, registrationId: placeId })}');
      INSERT INTO events.proposals (id, proposer_id, title, start_date, end_date) VALUES
        ('${this.proposalId}', '${adaId}', 'Proposal', now() + interval '1 day', now() + interval '2 days');
      INSERT INTO events.imports (id, created_by_id, file_name, state) VALUES
        ('${this.importId}', '${ottoId}', 'events.csv', 'importing'), ('${this.importedId}', '${ottoId}', 'events.csv', 'done');
      INSERT INTO events.imported_events (source_key, event_id, fields, version) VALUES
        ('${draftId}', '${draftId}', '{}', 1), ('${secondId}', '${secondId}', '{}', 1);
      INSERT INTO events.import_rows (import_id, number, source_key, verdict, fields, assumed_end, repeats, outcome, event_id) VALUES
        ('${this.importId}', 1, '${randomUUID()}', 'new', '${this.imported}', false, false, NULL, NULL),
        ('${this.importId}', 2, '${draftId}', 'changed', '${this.imported}', false, false, NULL, NULL),
        ('${this.importedId}', 1, '${secondId}', 'new', '${this.imported}', false, false, 'created', '${secondId}'),
        ('${this.importedId}', 2, '${draftId}', 'new', '${this.imported}', false, false, 'created', '${draftId}');
      INSERT INTO events.subscription_requests (id, email, topic_ids, digest) VALUES
        ('${this.wishId}', '${this.getEmail(adaId)}', '{${this.topicId}}', true), ('${randomUUID()}', '${this.getEmail(adaId)}', '{}', true);
      INSERT INTO auth.code_flows (id, purpose, user_id, email, browser_hash, link_hash, expires_at, link_expires_at) VALUES
        ('${this.flowId}', 'verify', '${eveId}', '${this.getEmail(eveId)}', ${link}, ${link}, now() + interval '1 day', now() + interval '1 day');`;
  }
}

type Call = (scene: Scene, nth: number) => Promise<unknown>;

describe('the lock order', () => {
  afterAll(() => close());
  const database = databaseForTests();
  let auth: TestAuth;
  let events: TestEvents;
  let owner: pg.Pool;
  let gateway: RetryingDataSource;
  let worker: RetryingDataSource;
  let grace: UserRow;
  beforeAll(async () => {
    owner = database.openPool(database.url, 2 * LANES);
    // Pauses before and after each row change, so that transactions overlap.
    await owner.query(`CREATE FUNCTION public.pause() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF session_user <> 'meetmark_owner' THEN -- the scenes need none
          PERFORM pg_sleep(random() * 0.002);
        END IF;
        RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
      END $$`);
    const { rows: tables } = await owner.query<{ name: string }>(
      `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname IN ('auth', 'events', 'gateway')`,
    );
    for (const { name } of tables)
      await owner.query(
        `CREATE TRIGGER a_pause BEFORE INSERT OR UPDATE OR DELETE ON ${name} FOR EACH ROW EXECUTE FUNCTION public.pause();
         CREATE TRIGGER zz_pause AFTER INSERT OR UPDATE OR DELETE ON ${name} FOR EACH ROW EXECUTE FUNCTION public.pause()`,
      );
    // Long timeouts keep slow calls from failing. PostgreSQL reports a deadlock after one second anyway.
    Object.assign(DEADLINES, { lock: PATIENCE, statement: PATIENCE, call: PATIENCE });
    auth = await openAuth(database);
    events = await openEvents(database);
    const connect = (schema: string) => database.connect(schema, database.configFor(`meetmark_${schema}`, 4));
    gateway = await connect('gateway');
    worker = await connect('worker');
    grace = await insertAdministrator(owner);
  });

  let closing: Promise<unknown> | undefined;
  const close = () =>
    (closing ??= Promise.all([auth.close(), events.close(), gateway.destroy(), worker.destroy()]));

  const keep = { action: 'keep' } as const;
  const calls: Record<string, Call> = {
    'deleting a member': ({ adaId }) =>
      auth.get(AccountsService).delete({ userId: adaId }, createCall(grace)),
    'deleting an unconfirmed member': ({ eveId }) =>
      auth.get(AccountsService).delete({ userId: eveId }, createCall(grace)),
    'deleting an organiser': ({ ottoId }) =>
      auth.get(AccountsService).delete({ userId: ottoId }, createCall(grace)),
    'closing the account of an organiser': ({ otto }) => auth.get(ClosingService).close({}, otto),
    'changing an account': ({ adaId }) =>
      auth.get(AccountsService).update({ userId: adaId, firstName: randomUUID() }, createCall(grace)),
    'emailing a reset code': ({ adaId }) =>
      auth.get(AccountsService).sendResetCode({ userId: adaId }, createCall(grace)),
    'requesting a code': (scene) =>
      auth
        .get(CodesService)
        .request({ email: scene.getEmail(scene.adaId), purpose: 'sign-in', asker: scene.asker }),
    'confirming an address': ({ token }) => auth.get(CodesService).confirmLink({ token }, nobody()),
    'changing your profile': ({ ada }) =>
      auth.get(ProfilesService).update({ firstName: randomUUID(), picture: keep } as never, ada),
    'requesting your data': ({ ada }) =>
      auth.get(DataExportsService).request({ account: 'a'.repeat(22) }, ada),
    'signing in': ({ adaId }) =>
      new SessionRecords(gateway).insert(
        randomUUID(),
        { userId: adaId, createdAt: Date.now(), expire: Date.now() + 60_000, epoch: 1 } as never,
        () => Promise.resolve(),
      ),
    'registering again': ({ ada, secondId }) =>
      events.get(RegistrationsService).register({ eventId: secondId }, ada),
    'registering without a confirmed address': ({ eve, emptyIds }, nth) =>
      events.get(RegistrationsService).register({ eventId: emptyIds[nth]!, network: NETWORK }, eve),
    'joining the waiting list': ({ eve, firstId, secondId }, nth) =>
      events
        .get(RegistrationsService)
        .register({ eventId: [firstId, secondId][nth % 2]!, waitlist: true, network: NETWORK }, eve),
    'taking over the place of a guest': ({ ada, firstId }) =>
      events.get(RegistrationsService).register({ eventId: firstId, answers: { q: 'Because' } }, ada),
    unregistering: ({ zoe, firstId }) =>
      events.get(RegistrationsService).unregister({ eventId: firstId }, zoe),
    'changing what a registration shows': ({ zoe, firstId }) =>
      events.get(RegistrationsService).change({ eventId: firstId, showMe: 'no' }, zoe),
    'adding a guest': ({ otto, firstId }) =>
      events.get(GuestsService).add({ eventId: firstId, name: 'Guest', raiseCapacity: true }, otto),
    'removing a guest': ({ otto, firstId, guestId }) =>
      events.get(GuestsService).remove({ eventId: firstId, ids: [guestId] }, otto),
    'checking a guest in by hand': ({ otto, firstId, guestId }) =>
      events.get(GuestsService).edit({ eventId: firstId, guestId, paid: true, checkedIn: true }, otto),
    'removing someone from the waiting list': ({ otto, firstId, wesId }) =>
      events.get(WaitingListService).remove({ eventId: firstId, userId: wesId }, otto),
    'checking in at the door': ({ token, guestId, placeId }) => {
      const at = new Date().toISOString();
      const items = [placeId, guestId].map((id) => ({ key: randomUUID(), guestId: id, at }));
      return events.get(DoorService).checkIn({ token, sentAt: at, items });
    },
    'letting in someone at a full event': ({ token }) => {
      const at = new Date().toISOString();
      return events
        .get(DoorService)
        .walkIn({ token, key: randomUUID(), name: 'Walk', at, sentAt: at, override: true });
    },
    'editing an event': ({ otto, firstId, adaId, topicId }) =>
      events.get(EventEditingService).update(
        {
          eventId: firstId,
          scope: 'this',
          banner: keep,
          title: randomUUID(),
          hosts: [adaId],
          topics: [topicId],
        } as never,
        otto,
      ),
    'editing a series': ({ otto, firstId, zoeId, oldTopicId }) =>
      events.get(EventEditingService).update(
        {
          eventId: firstId,
          scope: 'later',
          banner: keep,
          title: randomUUID(),
          capacity: 50,
          hosts: [zoeId],
          topics: [oldTopicId],
        } as never,
        otto,
      ),
    'publishing an event': ({ otto, draftId }) =>
      events.get(EventLifeService).publish({ eventId: draftId }, otto),
    'cancelling an event': ({ otto, secondId }) =>
      events.get(EventLifeService).cancel({ eventId: secondId }, otto),
    'deleting an event': ({ otto, firstId }) =>
      events.get(EventEditingService).delete({ eventId: firstId }, otto),
    'answering a role': ({ zoe, firstId }) =>
      events.get(EventsService).answerRole({ eventId: firstId, role: 'host', agreed: true }, zoe),
    'adding to a gallery': ({ otto, firstId }) => {
      const bytes = randomBytes(8);
      const hash = createHash('sha256').update(bytes).digest('hex');
      const picture = { hash, base64: bytes.toString('base64'), width: 16, height: 9 };
      return events.get(GalleryService).add({ eventId: firstId, alt: 'Image', picture }, otto);
    },
    'writing to guests': ({ otto, secondId }) =>
      events.get(MessagesService).create(
        {
          id: randomUUID(),
          eventId: secondId,
          segment: 'registered',
          subject: 'Subject',
          body: 'Body',
        },
        otto,
      ),
    'sending a message': ({ messageId, sendAt, sendId }) =>
      new SendMessageJob(worker, new OutboxReader(worker)).handle(
        { messageId, sendAt: sendAt.toISOString() },
        { id: sendId } as JobContext,
      ),
    'recording a sent email': ({ mailId }) => new OutboxReader(worker).markDone('events', mailId, false),
    proposing: ({ ada }) => {
      const [startDate, endDate] = [1, 2].map((days) =>
        new Date(Date.now() + days * 86_400_000).toISOString(),
      );
      return events
        .get(ProposalsService)
        .make({ title: 'Idea', description: null, startDate: startDate!, endDate: endDate! }, ada);
    },
    'accepting a proposal': ({ otto, proposalId }) =>
      events.get(ProposalsService).accept({ proposalId }, otto),
    'writing to a host': ({ ada, firstId }) =>
      events
        .get(HostMessagesController)
        .write({ id: randomUUID(), eventId: firstId, message: 'May I bring my dog?' }, ada),
    'continuing an import': ({ otto, importId }) => events.get(ImportsService).continue({ importId }, otto),
    'undoing an import': ({ otto, importedId: importId }) =>
      events.get(ImportsService).undo({ importId }, otto),
    'following a topic': ({ ada, topicId }) => events.get(TopicsService).follow({ topicId }, ada),
    'merging topics': ({ oldTopicId, topicId }) =>
      events.get(TopicsService).merge({ topicId: oldTopicId, into: topicId }, createCall(grace)),
    'deleting a topic': ({ topicId }) => events.get(TopicsService).delete({ topicId }, createCall(grace)),
    'confirming a subscription': ({ wishId }) =>
      events.get(SubscriptionsController).confirm({ requestId: wishId }),
  };

  const held: Record<string, (scene: Scene) => string> = {
    'the members': ({ adaId, eveId, ottoId, zoeId, wesId }) =>
      `SELECT FROM auth.users WHERE id IN ('${adaId}', '${eveId}', '${ottoId}', '${zoeId}', '${wesId}') FOR UPDATE`,
    'the events': ({ seriesId }) => `SELECT FROM events.events WHERE series_id = '${seriesId}' FOR UPDATE`,
  };

  const removeTopics = ({ oldTopicId, topicId }: Scene) =>
    owner.query('DELETE FROM events.topics WHERE id = ANY ($1)', [[oldTopicId, topicId]]);

  /**
   * Starts the calls while another transaction holds `lock`, so that they all continue at the same time.
   * Returns unexpected errors.
   */
  async function collectFailures(together: Call[], lock: (scene: Scene) => string): Promise<string[]> {
    const scene = new Scene(together.length);
    await owner.query(scene.rows);
    const holder = await owner.connect();
    await holder.query(`BEGIN; ${lock(scene)}`);
    const running = Promise.allSettled(together.map((call, nth) => call(scene, nth)));
    await pause(HELD);
    await holder.query('COMMIT');
    holder.release();
    const failures = (await running).flatMap((settled) =>
      settled.status === 'fulfilled' ? [] : [settled.reason as unknown],
    );
    await removeTopics(scene);
    return failures
      .filter((error) => !(error instanceof DomainError) || ERRORS[error.code].status >= 500)
      .map((error) => `${String(error)} ${String((error as Error).cause)}`);
  }

  const names = Object.keys(calls);
  const pairs = names.flatMap((first, index) => names.slice(index).map((second) => [first, second] as const));

  it.each(names)('covers a call that succeeds on its own: %s', async (name) => {
    const scene = new Scene();
    await owner.query(scene.rows);
    await calls[name]!(scene, 0);
    await removeTopics(scene);
  });

  it('causes no deadlock between a member’s registrations and the deletion of the account', async () => {
    const register = calls['registering without a confirmed address']!;
    const crowd = [...Array<Call>(5).fill(register), calls['deleting an unconfirmed member']!];
    for (let round = 0; round < 6; round += 1)
      expect(await collectFailures([...crowd, ...Array<Call>(5).fill(register)], () => 'SELECT')).toEqual([]);
  });

  it('lets any two calls run together without a deadlock', async () => {
    const failures: string[] = [];
    const works = pairs.flatMap((pair) => Object.keys(held).map((lock) => ({ pair, lock })));
    await inTurns(works, LANES, async ({ pair: [first, second], lock }) => {
      const [one, other] = [calls[first]!, calls[second]!];
      const failed = await collectFailures([one, other, one, other], held[lock]!);
      failures.push(...failed.map((error) => `${first} + ${second}, holding ${lock}: ${error}`));
    });
    expect(failures).toEqual([]);
  }, 600_000);

  it('causes no deadlock in PostgreSQL’s statistics, not even one hidden by retries', async () => {
    await close();
    const { rows } = await owner.query(
      'SELECT deadlocks::integer FROM pg_stat_database WHERE datname = current_database()',
    );
    expect(rows).toEqual([{ deadlocks: 0 }]);
  });
});
