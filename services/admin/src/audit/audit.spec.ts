import { insertUser } from '@meetmark/testing/factories/users';
import { randomUUID } from 'node:crypto';
import type { AuditFilter } from '@meetmark/contracts';
import pg from 'pg';
import { openAdminStores, type AdminStores } from '../testing/open-admin.js';
import { AuditRepository } from './audit.repository.js';

describe('the audit log', () => {
  let stores: AdminStores;
  let worker: pg.Pool;
  let service: AuditRepository;
  let grace: string;
  let ada: string;
  beforeAll(async () => {
    stores = await openAdminStores();
    worker = new pg.Pool({ connectionString: stores.database.urlFor('meetmark_worker'), max: 1 });
    service = new AuditRepository(stores.dataSource);
    grace = (await insertUser(stores.owner, { firstName: 'Grace', lastName: 'Hopper' })).id;
    ada = (await insertUser(stores.owner, { firstName: 'Ada', lastName: 'Lovelace' })).id;
    for (let i = 0; i < 7; i += 1)
      await record({
        id: `00000000-0000-4000-8000-00000000000${i}`,
        action: i % 2 ? 'user.updated' : 'event.created',
        at: `2026-11-21T10:0${Math.floor(i / 2)}:00Z`,
      });
    await record({ action: 'user.deleted', actor: randomUUID(), at: '2026-11-21T09:00:00Z' });
  });
  afterAll(async () => {
    await worker.end();
    await stores.close();
  });

  const record = ({
    id = randomUUID(),
    action = 'user.updated',
    actor = grace,
    at = '2026-11-21T10:00:00Z',
  } = {}) =>
    worker.query(
      `INSERT INTO admin.audit_log (id, action, actor_id, subject_id, subject_name, changed, changed_values, at)
       VALUES ($1, $2, $3, $4, $5, '{email}', '{"email": {"before": "a…@e….org", "after": null}}', $6) ON CONFLICT (id) DO NOTHING`,
      [id, action, actor, ada, action.startsWith('event.') ? 'Tea' : null, at],
    );
  const total = async (filter: AuditFilter = {}) => (await service.page(filter)).total;

  it('lists entries with actor, action, subject and time, newest first', async () => {
    const { items } = await service.page({});
    expect(items.map((entry) => entry.at)).toEqual(
      items
        .map((entry) => entry.at)
        .sort()
        .reverse(),
    );
    expect(items[0]).toEqual({
      id: expect.any(String),
      action: 'event.created',
      actorId: grace,
      actorName: 'Grace Hopper',
      subjectId: expect.any(String),
      subjectName: 'Tea',
      changed: ['email'],
      values: { email: { before: 'a…@e….org', after: null } },
      at: '2026-11-21T10:03:00.000Z',
    });
    expect(items[1]).toMatchObject({ action: 'user.updated', subjectId: ada, subjectName: 'Ada Lovelace' });
    expect(items.at(-1)).toMatchObject({ action: 'user.deleted', actorName: 'Deleted account' });
  });

  it('returns each entry exactly once when read in pages', async () => {
    const whole = (await service.page({})).items;
    const paged = [];
    let cursor: string | undefined;
    do {
      const page = await service.page({ limit: 3, cursor });
      expect(page.total).toBe(8);
      paged.push(...page.items);
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    expect(paged).toEqual(whole);
  });

  it('filters entries by actor, subject and action', async () => {
    expect(await total({ actorId: grace })).toBe(7);
    expect(await total({ actorId: grace, action: 'user.updated' })).toBe(3);
    expect(await total({ action: 'user.deleted' })).toBe(1);
    expect(await total({ actorId: randomUUID() })).toBe(0);
    expect(await total({ subjectId: ada, action: 'user.updated' })).toBe(3);
    expect(await total({ subjectId: grace })).toBe(0);
  });

  it('stores a repeated entry once', async () => {
    const before = await total();
    const id = randomUUID();
    await record({ id });
    await record({ id });
    expect(await total()).toBe(before + 1);
  });

  it('refuses changes and deletions, even by the database owner', async () => {
    for (const pool of [stores.owner, worker])
      for (const change of [
        "UPDATE admin.audit_log SET subject_name = 'x'",
        'DELETE FROM admin.audit_log',
        'TRUNCATE admin.audit_log',
      ])
        await expect(pool.query(change)).rejects.toMatchObject({ code: '42501' });
    await expect(stores.dataSource.query('DELETE FROM admin.audit_log')).rejects.toMatchObject({
      code: '42501',
    });
    await expect(worker.query('SELECT subject_name FROM admin.audit_log')).rejects.toMatchObject({
      code: '42501',
    });
  });

  it.each([
    ['event.updated', 'Tea'],
    ['message.created', 'Tea'],
    ['topic.merged', 'SEO basics'],
    ['topic.updated', null],
  ])('shows the stored name of the subject: %s, %j', async (action, name) => {
    const subject = randomUUID();
    await worker.query(
      `INSERT INTO admin.audit_log (id, action, actor_id, subject_id, subject_name, at)
       VALUES (gen_random_uuid(), $1, $2, $3, $4, '2026-11-21T08:00:00Z')`,
      [action, grace, subject, name],
    );
    const { items } = await service.page({ subjectId: subject });
    expect(items.map(({ subjectName }) => subjectName)).toEqual([name]);
  });

  it.each([
    'user.updated',
    'account.updated',
    'waitlist.promoted',
    'proposal.declined',
    'mail.testSent',
    'messages.of',
    'eventful',
  ])('refuses to store a person’s name for %s', async (action) => {
    const named = worker.query(
      `INSERT INTO admin.audit_log (id, action, actor_id, subject_id, subject_name, at)
       VALUES (gen_random_uuid(), $1, $2, $3, 'Ada Lovelace', '2026-11-21T08:00:00Z')`,
      [action, grace, ada],
    );
    await expect(named).rejects.toMatchObject({ constraint: 'audit_log_subject_name_thing_check' });
  });

  it('lets only the worker delete old entries', async () => {
    const old = randomUUID();
    await record({ id: old, at: '2020-01-01T00:00:00Z' });
    const before = await total();
    await expect(
      stores.dataSource.query('DELETE FROM admin.audit_log WHERE id = $1', [old]),
    ).rejects.toMatchObject({ code: '42501' });
    await worker.query("DELETE FROM admin.audit_log WHERE at < '2021-01-01'");
    expect(await total()).toBe(before - 1);
  });
});
