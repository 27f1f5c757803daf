import { RecordAudit, type PayloadOf } from '@meetmark/contracts';
import { DataSource } from 'typeorm';
import { HandlesJob, type JobContext, type JobHandler } from './job-handler.js';

type Payload = PayloadOf<typeof RecordAudit>;

/** Writes a line of the audit log, whose id is the job's: running again adds no second line. */
@HandlesJob(RecordAudit)
export class RecordAuditJob implements JobHandler<Payload> {
  constructor(private readonly dataSource: DataSource) {}

  async handle(entry: Payload, { id }: JobContext): Promise<void> {
    await this.dataSource.query(
      `INSERT INTO admin.audit_log (id, action, actor_id, actor_name, subject_id, subject_name, changed, at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (id) DO NOTHING`,
      [
        id,
        entry.action,
        entry.actorId,
        await this.nameOf(entry.actorId),
        entry.subjectId,
        entry.subjectName,
        entry.changed,
        entry.at,
      ],
    );
  }

  private async nameOf(actorId: string): Promise<string> {
    const [actor] = await this.dataSource.query<{ name: string }[]>(
      `SELECT first_name || ' ' || last_name AS name FROM auth.mail_recipient WHERE id = $1`,
      [actorId],
    );
    return actor?.name ?? DELETED_ACCOUNT;
  }
}

/** Shown for somebody whose account was deleted in the moment between the act and its record. */
const DELETED_ACCOUNT = 'Deleted account';
