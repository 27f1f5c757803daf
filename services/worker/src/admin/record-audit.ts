import { type PayloadOf, RecordAudit } from '@meetmark/contracts';
import { DataSource } from 'typeorm';
import { HandlesJob, type JobContext, type JobHandler } from '../queue/job-handler.js';

type Payload = PayloadOf<typeof RecordAudit>;

/** Writes an entry of the audit log under the job's id, so that a repeated run adds no second one. */
@HandlesJob(RecordAudit)
export class RecordAuditJob implements JobHandler<Payload> {
  constructor(private readonly dataSource: DataSource) {}

  async handle(entry: Payload, { id }: JobContext): Promise<void> {
    await this.dataSource.query(
      `INSERT INTO admin.audit_log (id, action, actor_id, subject_id, subject_name, changed, changed_values, at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (id) DO NOTHING`,
      [
        id,
        entry.action,
        entry.actorId,
        entry.subjectId,
        entry.subjectName,
        entry.changed,
        entry.values ?? {},
        entry.at,
      ],
    );
  }
}
