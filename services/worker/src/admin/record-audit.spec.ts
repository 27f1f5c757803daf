import { randomUUID } from 'node:crypto';
import { type PayloadOf, RecordAudit } from '@meetmark/contracts';
import { insertUser } from '@meetmark/testing/factories/users';
import { workersForTests } from '../testing/test-worker.js';
import { RecordAuditJob } from './record-audit.js';

describe('an audit entry', () => {
  const workers = workersForTests();

  const entry = (changes: Partial<PayloadOf<typeof RecordAudit>>): PayloadOf<typeof RecordAudit> => ({
    action: 'event.updated',
    actorId: randomUUID(),
    subjectId: randomUUID(),
    subjectName: 'Tea',
    changed: ['title', 'location'],
    values: { title: { before: 'Coffee', after: 'Tea' } },
    at: '2026-07-01T10:00:00.000Z',
    ...changes,
  });
  const lines = () =>
    workers.owner.query(
      'SELECT id, actor_id, subject_name, changed, changed_values, at FROM admin.audit_log ORDER BY id DESC LIMIT 1',
    );

  it('writes one audit entry with the job id when the job runs twice', async () => {
    const actor = await insertUser(workers.owner, { firstName: 'Grace', lastName: 'Hopper' });
    const id = 'ffffffff-ffff-7fff-8fff-fffffffffffe';
    const job = new RecordAuditJob(workers.asWorker);
    for (let time = 0; time < 2; time += 1)
      await job.handle(entry({ actorId: actor.id }), { id, name: RecordAudit.name, createdAt: new Date() });
    expect(await lines()).toEqual([
      {
        id,
        actor_id: actor.id,
        subject_name: 'Tea',
        changed: ['title', 'location'],
        changed_values: { title: { before: 'Coffee', after: 'Tea' } },
        at: new Date('2026-07-01T10:00:00Z'),
      },
    ]);
  });

  it('writes an audit entry even if the actor’s account no longer exists', async () => {
    const id = 'ffffffff-ffff-7fff-8fff-ffffffffffff';
    const gone = entry({ values: undefined });
    await new RecordAuditJob(workers.asWorker).handle(gone, {
      id,
      name: RecordAudit.name,
      createdAt: new Date(),
    });
    expect(await lines()).toMatchObject([{ id, actor_id: gone.actorId, changed_values: {} }]);
  });
});
