import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { CodeMail, codeSeal, FLOW_SECRET_BYTES, type SealedCode } from '@meetmark/contracts';
import { notifyRelay } from '@meetmark/platform';
import { sealText } from '@meetmark/platform/identity/sealed-text';
import { Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { WorkerConfig } from '../worker.config.js';

const BATCH = 100;

/**
 * Removes accounts with an unverified address that hold no right, registration or event and were not used for 30 days. A mail seven days
 * before offers a link that verifies them, as does the mail about a place that lapses. Forgets requested addresses that were not confirmed within a day. Functions of auth decide;
 * they are all that the worker may do with accounts.
 */
@Injectable()
export class UnverifiedAccounts {
  private readonly logger = new Logger(UnverifiedAccounts.name);

  constructor(
    private readonly dataSource: DataSource,
    private readonly config: WorkerConfig,
  ) {}

  async settle(): Promise<void> {
    const due = await this.dataSource.query<{ id: string }[]>(
      'SELECT id FROM auth.unverified_accounts_to_warn($1)',
      [BATCH],
    );
    for (const { id } of due) await this.warn(id);
    if (due.length > 0) await this.dataSource.query(`SELECT ${notifyRelay('auth')}`);
    const [{ removed }] = await this.dataSource.query<[{ removed: number }]>(
      'SELECT auth.remove_unverified_accounts($1) AS removed',
      [BATCH],
    );
    await this.dataSource.query('SELECT auth.forget_pending_emails()');
    if (removed > 0) this.logger.log(`${removed} accounts with an unverified address were removed`);
  }

  /** Mails somebody who got a place that lapses how to keep it; once for each `flowId`. */
  async askToKeepPlace(flowId: string, userId: string, eventId: string): Promise<void> {
    await this.dataSource.query('SELECT auth.mail_held_place($1, $2, $3, $4, $5, $6)', [
      userId,
      eventId,
      ...this.linkOf(flowId),
    ]);
  }

  private async warn(userId: string): Promise<void> {
    await this.dataSource.query('SELECT auth.warn_unverified_account($1, $2, $3, $4, $5)', [
      userId,
      ...this.linkOf(randomUUID()),
    ]);
  }

  /** A new link, as the functions take it. */
  private linkOf(flowId: string) {
    const link = randomBytes(FLOW_SECRET_BYTES).toString('base64url');
    const sealed: SealedCode = { code: null, link };
    return [
      flowId,
      createHash('sha256').update(link).digest(),
      sealText(JSON.stringify(sealed), codeSeal(flowId), this.config.resetCodeSecrets),
      CodeMail.name,
    ];
  }
}
