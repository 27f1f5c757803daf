import { randomUUID } from 'node:crypto';
import { FORMER_MEMBER, type PayloadOf, RecordAudit } from '@meetmark/contracts';
import { insertUser } from '@meetmark/testing/factories/users';
import { workersForTests } from '../testing/test-worker.js';
import { RecordAuditJob } from './record-audit.js';

describe('an audit entry', () => {
  const workers = workersForTests();

  const entry = (actorId: string): PayloadOf<typeof RecordAudit> => ({
    action: 'event.updated',
    actorId,
    subjectId: randomUUID(),
    subjectName: 'Tea',
    changed: ['title', 'location'],
    values: { title: { before: 'Coffee', after: 'Tea' } },
    at: '2026-07-01T10:00:00.000Z',
  });
  const record = (payload: PayloadOf<typeof RecordAudit>, id: string) =>
    new RecordAuditJob(workers.asWorker).handle(payload, {
      id,
      name: RecordAudit.name,
      createdAt: new Date(),
    });
  const find = (id: string) =>
    workers.owner.query(
      'SELECT actor_id, subject_name, changed, changed_values, at FROM admin.audit_log WHERE id = $1',
      [id],
    );

  it('writes one audit entry with the job id when the job runs twice', async () => {
    const [actor, id] = [await insertUser(workers.owner), randomUUID()];
    for (let time = 0; time < 2; time += 1) await record(entry(actor.id), id);
    expect(await find(id)).toEqual([
      {
        actor_id: actor.id,
        subject_name: 'Tea',
        changed: ['title', 'location'],
        changed_values: { title: { before: 'Coffee', after: 'Tea' } },
        at: new Date('2026-07-01T10:00:00Z'),
      },
    ]);
  });

  it('writes an audit entry without the id of a deleted account', async () => {
    const [gone, id] = [randomUUID(), randomUUID()];
    await record({ ...entry(gone), values: undefined }, id);
    expect(await find(id)).toMatchObject([{ actor_id: FORMER_MEMBER, changed_values: {} }]);
  });
});
