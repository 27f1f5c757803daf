import { randomUUID } from 'node:crypto';
import {
  type ChecklistName,
  EventChanged,
  GetChecklist,
  type Identity,
  MAIL_RECORDS,
  type MailRecord,
  type RecordState,
  TestMail,
} from '@meetmark/contracts';
import { openCaller, type TestCaller } from '@meetmark/platform/testing/open-service';
import { serve } from '@meetmark/platform/testing/test-service';
import { daysFromNow, insertEvent, insertRegistration } from '@meetmark/testing/factories/events';
import { insertSettings } from '@meetmark/testing/factories/settings';
import { insertAdministrator, insertUser } from '@meetmark/testing/factories/users';
import { AdminConfig } from '../admin.config.js';
import { AdminModule } from '../admin.module.js';
import { openAdminStores, type AdminStores } from '../testing/open-admin.js';

describe('the checklist of the first month', () => {
  let stores: AdminStores;
  let caller: TestCaller;
  let stop: () => Promise<void>;
  const owner: Identity = { sub: randomUUID(), isAdmin: true, epoch: 1 };
  beforeAll(async () => {
    stores = await openAdminStores();
    const service = await serve({ name: 'admin', module: AdminModule, config: AdminConfig }, stores.config);
    stop = () => service.stop();
    caller = await openCaller(stores.config);
    await insertAdministrator(stores.owner, { id: owner.sub });
  });
  afterAll(async () => {
    caller.close();
    await stop();
    await stores.close();
  });

  const get = () => caller.rpc.call(GetChecklist, {}, { identity: owner });
  const query = (sql: string, values?: unknown[]) => stores.owner.query(sql, values);
  /** 'count/needed' of an item; an exclamation mark where it is done. */
  const state = async (name: ChecklistName) => {
    const { count, needed, done } = (await get()).items.find((item) => item.name === name)!;
    return `${count}/${needed}${done ? '!' : ''}`;
  };
  const mail = (job: string, { done = true, error = null as string | null, skipped = false } = {}) =>
    query(
      `INSERT INTO events.outbox (id, job, payload, done_at, attempts, last_error, skipped)
       VALUES ($1, $2, '{}', $3, 1, $4, $5)`,
      [randomUUID(), job, done ? new Date() : null, error, skipped],
    );

  it('has everything open at the beginning, in its order', async () => {
    await insertSettings(stores.owner, { terms: null, privacy: null });
    const { items, ...rest } = await get();
    expect(items.map(({ name, count, needed, done }) => `${name} ${count}/${needed} ${done}`)).toEqual([
      'mail 0/4 false',
      'legalPages 0/2 false',
      'secondFactor 0/1 false',
      'members 1/10 false',
      'topics 0/1 false',
      'firstEvent 0/1 false',
      'firstEvening 0/1 false',
      'backup 0/1 false',
    ]);
    expect(rest).toEqual({ mailArrived: false, mailCheck: null, lastBackup: null });
  });

  it('counts a mail once the mail server took it, and one by which a member proved their address', async () => {
    await mail(EventChanged.name); // is none itself
    await mail(TestMail.name, { done: false });
    await mail(TestMail.name, { error: '550 refused' });
    await mail(TestMail.name, { skipped: true });
    await insertUser(stores.owner, { emailVerifiedAt: null });
    expect(await state('mail')).toBe('0/4');
    await mail(TestMail.name);
    expect(await state('mail')).toBe('1/4');
    await query('TRUNCATE events.outbox');
    expect(await state('mail')).toBe('0/4');
    await insertUser(stores.owner);
    expect((await get()).mailArrived).toBe(true);
    expect(await state('mail')).toBe('1/4');
  });

  it('counts the records that the last check has found', async () => {
    const records = (...states: string[]): MailRecord[] =>
      MAIL_RECORDS.map((name, at) => ({ name, state: states[at] as RecordState, host: null, value: null }));
    const check = (...states: string[]) =>
      query(
        `INSERT INTO admin.mail_check (domain, selector, records) VALUES ('meet.example', 's1', $1)
         ON CONFLICT (is_last) DO UPDATE SET records = excluded.records`,
        [JSON.stringify(records(...states))],
      );
    await check('found', 'unknown', 'missing');
    expect(await state('mail')).toBe('2/4');
    await check('found', 'found', 'found');
    expect(await state('mail')).toBe('4/4!');
    expect((await get()).mailCheck).toEqual({
      domain: 'meet.example',
      selector: 's1',
      records: records('found', 'found', 'found'),
      checkedAt: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    await expect(check('found', 'perhaps', 'found')).rejects.toMatchObject({ code: '23514' });
  });

  it('counts legal pages, and the second factors of all owners', async () => {
    await insertSettings(stores.owner, { terms: 'Be kind.', privacy: null });
    expect(await state('legalPages')).toBe('1/2');
    await insertSettings(stores.owner, { terms: 'Be kind.', privacy: 'We keep little.' });
    expect(await state('legalPages')).toBe('2/2!');
    const { id } = await insertAdministrator(stores.owner);
    await query('UPDATE auth.users SET second_factor = true WHERE id = $1', [id]);
    expect(await state('secondFactor')).toBe('1/2');
    await query('UPDATE auth.users SET second_factor = true WHERE is_admin');
    expect(await state('secondFactor')).toBe('2/2!');
  });

  it('counts members, topics, events that are published, and those that took place with somebody', async () => {
    while (!(await state('members')).startsWith('9/')) await insertUser(stores.owner);
    expect(await state('members')).toBe('9/10');
    await insertUser(stores.owner);
    expect(await state('members')).toBe('10/10!');
    await query("INSERT INTO events.topics (id, slug, name, place) VALUES ($1, 'rust', 'Rust', 1)", [
      randomUUID(),
    ]);
    expect(await state('topics')).toBe('1/1!');

    const createdById = owner.sub;
    await insertEvent(stores.owner, { createdById, status: 'draft' });
    expect(await state('firstEvent')).toBe('0/1');
    const past = { createdById, startDate: daysFromNow(-2), endDate: daysFromNow(-1) };
    const [ahead, held] = [
      await insertEvent(stores.owner, { createdById }),
      await insertEvent(stores.owner, past),
    ];
    expect([await state('firstEvent'), await state('firstEvening')]).toEqual(['2/1!', '0/1']);
    await insertRegistration(stores.owner, { eventId: ahead.id, userId: owner.sub });
    expect(await state('firstEvening')).toBe('0/1');
    await insertRegistration(stores.owner, { eventId: held.id, userId: owner.sub });
    expect(await state('firstEvening')).toBe('1/1!');
  });

  it('counts a backup of the last seven days', async () => {
    const noted = (age: number) =>
      query(
        `INSERT INTO admin.last_backup (made_at) VALUES (now() - $1 * interval '1 day')
         ON CONFLICT (is_last) DO UPDATE SET made_at = excluded.made_at`,
        [age],
      );
    await noted(7.1);
    expect(await state('backup')).toBe('0/1');
    expect((await get()).lastBackup).not.toBeNull();
    await noted(6.9);
    expect(await state('backup')).toBe('1/1!');
  });
});
