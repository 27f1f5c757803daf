import { randomUUID } from 'node:crypto';
import type { AuditFilter } from '@meetmark/contracts';
import pg from 'pg';
import { openAdminStores, type AdminStores } from '../testing/open-admin.js';
import { AuditService } from './audit.service.js';

describe('the audit log', () => {
  let stores: AdminStores;
  let worker: pg.Pool;
  let service: AuditService;
  const grace = randomUUID();
  beforeAll(async () => {
    stores = await openAdminStores();
    worker = new pg.Pool({ connectionString: stores.database.urlFor('meetmark_worker'), max: 1 });
    service = new AuditService(stores.dataSource);
    for (let i = 0; i < 7; i += 1)
      await record({
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
      `INSERT INTO admin.audit_log (id, action, actor_id, actor_name, subject_id, subject_name, changed, at)
       VALUES ($1, $2, $3, 'Grace Hopper', $4, 'Ada Lovelace', '{email}', $5) ON CONFLICT (id) DO NOTHING`,
      [id, action, actor, randomUUID(), at],
    );
  const total = async (filter: AuditFilter = {}) => (await service.page(filter)).total;

  it('tells who did what to whom and when, newest first', async () => {
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
      subjectName: 'Ada Lovelace',
      changed: ['email'],
      at: '2026-11-21T10:03:00.000Z',
    });
  });

  it('is paged without repeating or losing an entry', async () => {
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

  it('is filtered by who did it and by what was done', async () => {
    expect(await total({ actorId: grace })).toBe(7);
    expect(await total({ actorId: grace, action: 'user.updated' })).toBe(3);
    expect(await total({ action: 'user.deleted' })).toBe(1);
    expect(await total({ actorId: randomUUID() })).toBe(0);
  });

  it('writes a repeated job once', async () => {
    const before = await total();
    const id = randomUUID();
    await record({ id });
    await record({ id });
    expect(await total()).toBe(before + 1);
  });

  it('cannot be changed or emptied, not even by the owner of the database', async () => {
    for (const pool of [stores.owner, worker])
      for (const change of [
        "UPDATE admin.audit_log SET actor_name = 'x'",
        'DELETE FROM admin.audit_log',
        'TRUNCATE admin.audit_log',
      ])
        await expect(pool.query(change)).rejects.toMatchObject({ code: '42501' });
    await expect(stores.dataSource.query('DELETE FROM admin.audit_log')).rejects.toMatchObject({
      code: '42501',
    });
    await expect(worker.query('SELECT actor_name FROM admin.audit_log')).rejects.toMatchObject({
      code: '42501',
    });
  });
});
