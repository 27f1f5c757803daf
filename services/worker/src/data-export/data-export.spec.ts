import { randomBytes, randomUUID } from 'node:crypto';
import { DATA_EXPORT, DataExportMail } from '@meetmark/contracts';
import { until } from '@meetmark/testing';
import {
  daysFromNow,
  type EventRow,
  insertEvent,
  insertRegistration,
} from '@meetmark/testing/factories/events';
import { insertUser, type UserRow } from '@meetmark/testing/factories/users';
import { BlobReader, TextWriter, Uint8ArrayWriter, ZipReader } from '@zip.js/zip.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import ICAL from 'ical.js';
import { handlersForTests } from '../testing/test-worker.js';
import { DATA_EXPORT_SCHEMA } from './kinds.js';

type Row = Record<string, unknown>;
type Files = Record<string, string>;

const ACCOUNT = 'a'.repeat(22);
const PHOTO = randomBytes(40);
/** Not compressible, so that the file needs several parts. */
const COVER = randomBytes(300_000);
const [PHOTO_HASH, COVER_HASH, QUESTION] = ['a'.repeat(64), 'b'.repeat(64), randomUUID()];
/** The job waits for this lock after it has stored the photo. */
const LOCK_AFTER_PHOTO = 'LOCK TABLE events.pictures IN ACCESS EXCLUSIVE MODE';
/** Planted in columns that an export must leave out. */
const SECRET = 'SECRET-OR-SOMEONE-ELSES';

describe('the data export', () => {
  const workers = handlersForTests();
  let ada: UserRow;
  let grace: UserRow;
  let event: EventRow;
  let exportId: string;

  beforeEach(async () => {
    await workers.reset('auth.users', 'auth.pictures', 'events.pictures', 'events.events', 'events.topics');
    ada = await insertUser(workers.owner, { firstName: 'Ada', description: 'Sums' });
    grace = await insertUser(workers.owner, { firstName: SECRET, email: `${SECRET}@example.org` });
    event = await insertEvent(workers.owner, { createdById: grace.id, title: 'Tea, cake & more' });
    exportId = randomUUID();
    await workers.insert('auth.data_exports', { id: exportId, userId: ada.id, account: ACCOUNT });
  });

  const run = () => workers.run('auth', DataExportMail, { userId: ada.id, exportId });
  const fetchState = async () =>
    (await workers.owner.query<Row[]>('SELECT * FROM auth.data_exports WHERE id = $1', [exportId]))[0];
  const fetchParts = () =>
    workers.owner.query<{ attempt: string }[]>('SELECT attempt FROM auth.data_export_parts');
  const showPhoto = async () => {
    await workers.insert('auth.pictures', { hash: PHOTO_HASH, bytes: COVER, width: 1, height: 1 });
    await workers.update('auth.users', ada.id, { profilePictureHash: PHOTO_HASH });
  };
  async function readParts(): Promise<Buffer[]> {
    const rows = await workers.owner.query<{ bytes: Buffer }[]>(
      `SELECT bytes FROM auth.data_export_parts JOIN auth.data_exports USING (attempt) ORDER BY number`,
    );
    return rows.map(({ bytes }) => bytes);
  }
  /** Reads the file with another library than the one that wrote it. Checks the checksums. */
  async function unzip(): Promise<{ texts: Files; images: Record<string, Buffer> }> {
    const reader = new ZipReader(new BlobReader(new Blob(await readParts())), { checkSignature: true });
    const [texts, images]: [Files, Record<string, Buffer>] = [{}, {}];
    for (const entry of await reader.getEntries())
      if (entry.directory) throw new Error(`${entry.filename} is a folder`);
      else if (entry.filename.endsWith('.webp'))
        images[entry.filename] = Buffer.from(await entry.getData(new Uint8ArrayWriter()));
      else texts[entry.filename] = await entry.getData(new TextWriter());
    return { texts, images };
  }
  const parseFiles = (texts: Files) =>
    Object.fromEntries(
      Object.entries(texts)
        .filter(([name]) => name.endsWith('.json') && name !== 'schema.json')
        .map(([name, text]) => [name, JSON.parse(text) as unknown]),
    );
  function findFaults(files: object, schema: object) {
    const ajv = new Ajv2020({ allErrors: true });
    addFormats.default(ajv);
    return ajv.validate(schema, files) ? [] : ajv.errors;
  }

  async function registerAda(): Promise<void> {
    const { owner } = workers;
    const questions = [{ id: QUESTION, kind: 'text', label: 'Diet', required: false, options: [] }];
    await workers.insert('events.event_contents', {
      eventId: event.id,
      questions: JSON.stringify(questions),
    });
    const { id } = await insertRegistration(owner, { eventId: event.id, userId: ada.id });
    await workers.update('events.event_registrations', id, {
      ...{ answers: { [QUESTION]: 'Vegan' }, note: SECRET, paidAt: new Date() },
      ...{ checkedInAt: new Date(), checkedInBy: 'self', network: SECRET.slice(0, 22) },
    });
    const full = await insertEvent(owner, { createdById: grace.id, title: 'Full house', capacity: 1 });
    await insertRegistration(owner, { eventId: full.id, userId: grace.id });
    await insertRegistration(owner, { eventId: full.id, userId: ada.id, status: 'waitlisted' });
    await insertRegistration(owner, { eventId: event.id, userId: grace.id });
    const messageId = randomUUID();
    const message = { subject: 'New room', body: 'Upstairs', segment: 'registered', replyTo: 'community' };
    const sent = { state: 'sent', sendAt: new Date(), startedAt: new Date() };
    await workers.insert('events.messages', { id: messageId, eventId: event.id, ...message, ...sent });
    await workers.insert('events.message_recipients', { messageId, registrationId: id });
  }

  /** Gives Ada at least one row of each kind. */
  async function fillAccount(): Promise<void> {
    const { owner } = workers;
    const insert = (table: string, row: object) => workers.insert(table, row);
    const ofAda = { userId: ada.id };
    const picture = { width: 1, height: 1 };
    await insert('auth.pictures', { hash: PHOTO_HASH, bytes: PHOTO, ...picture });
    await insert('events.pictures', { hash: COVER_HASH, bytes: COVER, ...picture });
    await workers.update('auth.users', ada.id, {
      ...{ profilePictureHash: PHOTO_HASH, locale: 'de', digest: false },
    });
    const revert = { id: randomUUID(), linkHash: randomBytes(32), expiresAt: daysFromNow(1) };
    await insert('auth.email_reverts', { ...revert, ...ofAda, email: 'old@example.org', sealed: SECRET });
    await insert('auth.consents', { ...ofAda, page: 'terms', version: 'c'.repeat(64) });
    const factor = { kind: 'totp', name: 'Phone', sealedSecret: SECRET, lastStep: 0 };
    await insert('auth.second_factors', { id: randomUUID(), ...ofAda, ...factor });
    const sess = {
      createdAt: Date.now(),
      usedAt: Date.now(),
      device: 'Firefox on Linux',
      network: '192.0.2.0/24',
    };
    await insert('gateway.sessions', { sid: SECRET, sess, expire: daysFromNow(1), ...ofAda });
    const seen = { id: randomUUID(), kind: 'sign-in', network: 'b'.repeat(22), requestId: SECRET };
    await insert('gateway.security_events', { ...seen, account: ACCOUNT });
    await insert('admin.audit_log', {
      ...{ id: randomUUID(), action: 'user.updated', actorId: grace.id, subjectId: ada.id, at: new Date() },
      ...{ changed: ['email'], changedValues: { email: SECRET } },
    });
    const done = { id: randomUUID(), doneAt: new Date() };
    await insert('auth.outbox', { ...done, job: 'mail.welcome', payload: ofAda });
    await insert('events.outbox', { ...done, job: 'mail.promoted', payload: ofAda, skipped: true });
    await insert('events.outbox', {
      ...done,
      id: randomUUID(),
      job: 'mail.promoted',
      payload: { userId: grace.id },
    });
    await registerAda();
    await workers.insertTopic([], [ada.id]);
    await insert('events.calendar_feeds', { ...ofAda, tokenHash: randomBytes(32) });
    const span = { startDate: event.startDate, endDate: event.endDate };
    await insert('events.proposals', { id: randomUUID(), proposerId: ada.id, title: 'Tags', ...span });
    await insert('events.deleted_events', {
      ...{ id: randomUUID(), title: 'Gone', ...span, isAllDay: false, sequence: 1, createdAt: new Date() },
      registeredUserIds: [ada.id, grace.id],
    });
    const own = await insertEvent(owner, { createdById: ada.id, title: 'My talk', price: '12.50' });
    await workers.update('events.events', own.id, { bannerHash: COVER_HASH });
    await insert('events.event_edits', { eventId: own.id, version: 9, editorId: ada.id, changed: ['title'] });
    const speaker = { role: 'speaker', position: 0, title: 'Tags', bio: 'Counts' };
    await insert('events.event_people', { eventId: event.id, ...ofAda, ...speaker });
    const text = { subject: 'Welcome', body: 'Hello' };
    await insert('events.messages', {
      ...{ id: randomUUID(), eventId: own.id, authorId: ada.id, ...text },
      ...{ segment: 'registered', replyTo: 'author', state: 'draft' },
    });
    const written = {
      name: 'Ada',
      email: ada.email,
      body: 'May I bring a dog?',
      writerHash: randomBytes(32),
    };
    const toHost = { id: randomUUID(), eventId: event.id, hostId: grace.id };
    await insert('events.host_messages', { ...toHost, ...written, writerId: ada.id });
  }

  it('contains everything about the member that its schema describes, and nothing else', async () => {
    await fillAccount();
    await run();
    const { texts, images } = await unzip();
    const files = parseFiles(texts);
    expect(findFaults(files, JSON.parse(texts['schema.json']!) as object)).toEqual([]);
    expect(Object.keys(files).filter((name) => (files[name] as unknown[]).length === 0)).toEqual([]);
    expect(files['profile.json']).toMatchObject({
      ...{ id: ada.id, email: ada.email, description: 'Sums', locale: 'de' },
      emails: { announcements: true, digest: false },
      ...{ photo: `images/profile/${PHOTO_HASH}.webp`, previousEmails: [{ email: 'old@example.org' }] },
    });
    expect(files['registrations.json']).toMatchObject([
      { state: 'registered', answers: [{ question: 'Diet', answer: 'Vegan' }], checkedInBy: 'self' },
      { state: 'waitlisted', event: { title: 'Full house' } },
    ]);
    expect(files['emails.json']).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ kind: 'welcome', outcome: 'sent' }),
        expect.objectContaining({ kind: 'dataExport', outcome: 'waiting' }),
        expect.objectContaining({ kind: 'promoted', outcome: 'not-needed' }),
      ]),
    );
    expect(images).toEqual({
      [`images/profile/${PHOTO_HASH}.webp`]: PHOTO,
      [`images/events/${COVER_HASH}.webp`]: COVER,
    });
    expect(Object.entries(texts).filter(([, text]) => text.includes(SECRET))).toEqual([]);
  });

  it('has a schema that rejects missing files and unknown properties', async () => {
    await fillAccount();
    await run();
    const files = parseFiles((await unzip()).texts) as Record<string, Row[]>;
    files['topics.json']![0]!.password = 'x';
    delete files['emails.json'];
    expect(findFaults(files, DATA_EXPORT_SCHEMA)).toMatchObject([
      { params: { missingProperty: 'emails.json' } },
      { params: { additionalProperty: 'password' } },
    ]);
  });

  it('has a calendar of the registrations', async () => {
    await registerAda();
    await workers.update('events.events', event.id, { location: 'Unit 1; left, please' });
    const [startDate, endDate] = [new Date('2027-03-28T00:00:00Z'), new Date('2027-03-29T23:00:00Z')];
    const title = `Two days ${'👩🏽‍💻, '.repeat(9)}\\`;
    const days = await insertEvent(workers.owner, {
      ...{ title, startDate, endDate, isAllDay: true, createdById: grace.id },
    });
    await insertRegistration(workers.owner, { eventId: days.id, userId: ada.id });
    await run();
    const text = (await unzip()).texts['calendar.ics']!;
    const entries = new ICAL.Component(ICAL.parse(text))
      .getAllSubcomponents('vevent')
      .map((each) => new ICAL.Event(each));
    expect(
      entries.map(({ summary, location, startDate: start }) => [summary, location, start.toString()]),
    ).toEqual([
      ['Tea, cake & more', 'Unit 1; left, please', event.startDate.toISOString().replace('.000', '')],
      [title, null, '2027-03-28'],
    ]);
  });

  it('is announced by one email in the member’s language, with a link to the profile', async () => {
    await workers.update('auth.users', ada.id, { locale: 'de' });
    const [received, ...more] = await run();
    expect(more).toEqual([]);
    expect(received!.recipients).toEqual([ada.email]);
    expect(received!.mail.subject).toMatch(/^Ihre Daten bei .* sind bereit$/);
    expect(received!.mail.text).toContain('https://meet.example/profile/privacy#download-data');
    const { ready_at: readyAt, expires_at: expiresAt } = (await fetchState()) as Record<string, Date>;
    expect(expiresAt!.getTime() - readyAt!.getTime()).toBe(DATA_EXPORT.lifetime);
  });

  it('is stored in parts of equal size', async () => {
    await fillAccount();
    await run();
    const parts = await readParts();
    expect(parts.slice(0, -1).map(({ length }) => length)).toEqual([DATA_EXPORT.partBytes]);
    expect((await fetchState())?.size).toBe(String(Buffer.concat(parts).length));
  });

  it('is not prepared again when only the email failed', async () => {
    workers.smtp.manners = 'not-now';
    const job = await workers.ask('auth', DataExportMail, { userId: ada.id, exportId });
    await workers.eventually('a failure', async () => (await workers.row('auth', job)).attempts > 0);
    const before = await fetchState();
    workers.smtp.manners = 'take';
    await workers.onlyMail();
    expect(await fetchState()).toEqual(before);
  });

  it.each([
    ['the account was deleted', () => workers.owner.query('DELETE FROM auth.users WHERE id = $1', [ada.id])],
    [
      'the request has expired',
      () => workers.update('auth.data_exports', exportId, { expiresAt: daysFromNow(-1) }),
    ],
  ])('writes and sends nothing once %s', async (_, change) => {
    await change();
    expect(await run()).toEqual([]);
    expect(await fetchParts()).toEqual([]);
  });

  it.each([
    [
      'closed',
      // like the auth service
      async () => {
        await workers.update('auth.users', ada.id, { closedAt: new Date() });
        await workers.owner.query('DELETE FROM auth.data_exports WHERE user_id = $1', [ada.id]);
      },
    ],
    ['deleted', () => workers.owner.query('DELETE FROM auth.users WHERE id = $1', [ada.id])],
  ])('leaves no file and sends no email if the account is %s meanwhile', async (_, change) => {
    await showPhoto();
    const { running } = await workers.owner.transaction(async (manager) => {
      await manager.query(LOCK_AFTER_PHOTO);
      const started = run();
      await until('the first part', 60_000, async () => (await fetchParts()).length > 0);
      await change();
      return { running: started };
    });
    expect(await running).toEqual([]);
    expect(await workers.owner.query('SELECT FROM auth.data_exports')).toEqual([]);
    expect(await fetchParts()).toEqual([]);
  });

  it('starts again after an interruption, and sends one email', async () => {
    await showPhoto();
    let [left]: { attempt: string }[] = [];
    const mails = await workers.runInterrupted(
      'auth',
      DataExportMail,
      { userId: ada.id, exportId },
      {
        lock: LOCK_AFTER_PHOTO,
        halfway: async () => ([left] = await fetchParts()),
      },
    );
    expect(mails).toHaveLength(1);
    const attempts = (await fetchParts()).map(({ attempt }) => attempt);
    expect(new Set(attempts)).toEqual(new Set([(await fetchState())!.attempt]));
    expect(attempts).not.toContain(left!.attempt);
  });

  it('gives the worker no data once it is ready', async () => {
    await run();
    const rows = await workers.asWorker.query('SELECT auth.export_profile($1)', [exportId]);
    expect(rows).toEqual([]);
  });
});
