import { readPages } from '@meetmark/testing/read-pages';
import { insertUser } from '@meetmark/testing/factories/users';
import { randomUUID } from 'node:crypto';
import { type AuditFilter, SOMEONE } from '@meetmark/contracts';
import { serviceForTests } from '@meetmark/platform/testing/test-service';
import pg from 'pg';
import { openAdminStores } from '../testing/open-admin.js';
import { AuditRepository } from './audit.repository.js';

describe('the audit log', () => {
  const stores = serviceForTests(async () => {
    const opened = await openAdminStores();
    const worker = new pg.Pool({ connectionString: opened.database.urlFor('meetmark_worker'), max: 1 });
    return { ...opened, worker, close: () => worker.end().then(opened.close) };
  });
  let service: AuditRepository;
  let grace: string;
  let ada: string;
  beforeAll(async () => {
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

  const record = ({
    id = randomUUID(),
    action = 'user.updated',
    actor = grace,
    at = '2026-11-21T10:00:00Z',
  } = {}) =>
    stores.worker.query(
      `INSERT INTO admin.audit_log (id, action, actor_id, subject_id, subject_name, changed, changed_values, at)
       VALUES ($1, $2, $3, $4, $5, '{email}', '{"email": {"before": "a…@e….org", "after": null}}', $6)`,
      [id, action, actor, ada, action.startsWith('event.') ? 'Tea' : null, at],
    );
  const insertNamed = (action: string, subject: string, name: string | null) =>
    stores.worker.query(
      `INSERT INTO admin.audit_log (id, action, actor_id, subject_id, subject_name, at)
       VALUES (gen_random_uuid(), $1, $2, $3, $4, '2026-11-21T08:00:00Z')`,
      [action, grace, subject, name],
    );
  const total = async (filter: AuditFilter = {}) => (await service.page(filter)).total;

  it('lists entries with actor, action, subject and time, newest first', async () => {
    const { items } = await service.page({});
    const times = items.map(({ at }) => at);
    expect(times).toEqual(times.toSorted().toReversed());
    expect(items[0]).toEqual({
      ...{ id: expect.any(String), action: 'event.created', at: '2026-11-21T10:03:00.000Z' },
      ...{ actorId: grace, actorName: 'Grace Hopper', subjectId: ada, subjectName: 'Tea' },
      ...{ changed: ['email'], values: { email: { before: 'a…@e….org', after: null } } },
    });
    expect(items[1]).toMatchObject({ action: 'user.updated', subjectId: ada, subjectName: 'Ada Lovelace' });
    expect(items.at(-1)).toMatchObject({ action: 'user.deleted', actorName: 'Former member' });
  });

  it('returns each entry exactly once when read in pages', async () => {
    const whole = (await service.page({})).items;
    const paged = await readPages(async (cursor) => {
      const page = await service.page({ limit: 3, cursor });
      expect(page.total).toBe(8);
      return page;
    });
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

  it('refuses changes and deletions, even by the database owner', async () => {
    const changes = [
      "UPDATE admin.audit_log SET subject_name = 'x'",
      'DELETE FROM admin.audit_log',
      'TRUNCATE admin.audit_log',
    ];
    const refused = { code: '42501' };
    for (const pool of [stores.owner, stores.worker])
      for (const change of changes) await expect(pool.query(change)).rejects.toMatchObject(refused);
    await expect(stores.dataSource.query(changes[1]!)).rejects.toMatchObject(refused);
    const read = stores.worker.query('SELECT subject_name FROM admin.audit_log');
    await expect(read).rejects.toMatchObject(refused);
  });

  it('lets old entries lose only their people', async () => {
    const [old, young] = [randomUUID(), randomUUID()];
    const age = (days: number) => new Date(Date.now() - days * 24 * 3_600_000).toISOString();
    await record({ id: old, at: age(31) });
    await record({ id: young, at: age(29) });
    const change = (id: string, set: string) =>
      stores.owner.query(`UPDATE admin.audit_log SET ${set} WHERE id = $1`, [id]);
    const forget = `actor_id = '${SOMEONE}', subject_id = '${SOMEONE}', changed_values = '{}'`;
    for (const refused of [
      change(young, forget),
      change(old, `${forget}, at = now()`),
      change(old, `${forget}, action = 'user.deleted'`),
      change(
        old,
        `actor_id = '${SOMEONE}', changed_values = changed_values - 'email', subject_id = '${grace}'`,
      ),
      change(old, `actor_id = '${randomUUID()}'`),
    ])
      await expect(refused).rejects.toMatchObject({ code: '42501' });
    await change(old, forget);
    const { items } = await service.page({ actorId: SOMEONE });
    expect(items).toMatchObject([{ id: old, actorName: 'Someone', subjectName: 'Someone', values: {} }]);
  });

  it.each([
    ['event.updated', 'Tea'],
    ['message.created', 'Tea'],
    ['topic.merged', 'SEO basics'],
    ['topic.updated', null],
  ])('shows the stored name of the subject: %s, %j', async (action, name) => {
    const subject = randomUUID();
    await insertNamed(action, subject, name);
    const { items } = await service.page({ subjectId: subject });
    expect(items.map(({ subjectName }) => subjectName)).toEqual([name]);
  });

  it.each(['user.updated', 'waitlist.promoted', 'proposal.declined', 'messages.of', 'eventful'])(
    'refuses to store a person’s name for %s',
    async (action) => {
      await expect(insertNamed(action, ada, 'Ada Lovelace')).rejects.toMatchObject({
        constraint: 'audit_log_subject_name_thing_check',
      });
    },
  );
});
