import { type PayloadOf, RecordAudit } from '@meetmark/contracts';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { HandlesJob, type JobContext } from '../queue/job-handler.js';

type Payload = PayloadOf<typeof RecordAudit>;

/** The entry has the job's id, so that a retry adds no duplicate. */
@Injectable()
export class RecordAuditJob {
  constructor(private readonly dataSource: DataSource) {}

  @HandlesJob(RecordAudit)
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
