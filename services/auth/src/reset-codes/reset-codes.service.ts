import { Injectable } from '@nestjs/common';
import {
  DomainError,
  RESET_CODE,
  ResetCodeMail,
  resetCodeSeal,
  type RequestResetCodeRequest,
  type ResetPasswordRequest,
} from '@meetmark/contracts';
import { inTransaction, OutboxWriter, sealText } from '@meetmark/platform';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { AuthConfig } from '../auth.config.js';
import { PasswordHasher } from '../passwords/password-hasher.js';
import { PasswordsService, refuseShortPassword } from '../passwords/passwords.service.js';
import { UserChanges } from '../session-users/user-changes.js';
import { lockUser } from '../users/find-user.js';
import { hashResetCode, isResetCode, newResetCode } from './reset-code.js';

interface OpenCode {
  id: string;
  user_id: string | null;
  token_hash: Buffer;
}

@Injectable()
export class ResetCodesService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly config: AuthConfig,
    private readonly hasher: PasswordHasher,
    private readonly passwords: PasswordsService,
    private readonly changes: UserChanges,
    private readonly outbox: OutboxWriter,
  ) {}

  /** Answers and works alike whether or not the account exists: a code of nobody is written too, and mailed to nobody (D18). */
  async request({ email }: RequestResetCodeRequest): Promise<void> {
    await inTransaction(this.dataSource, (manager) => this.issue(manager, email));
  }

  /**
   * Writes a new code for the address in place of an open one, and asks for its mail, in the caller's transaction. The user's
   * row is locked first, as everywhere; an account that is being deleted meanwhile then is none.
   */
  async issue(manager: EntityManager, email: string): Promise<void> {
    const id = uuid();
    const code = newResetCode();
    await manager.query(
      `INSERT INTO auth.password_reset_tokens (id, user_id, email, token_hash, sealed_code, expires_at)
       SELECT $1, (SELECT id FROM auth.users WHERE lower(email) = lower($2) FOR KEY SHARE), lower($2), $3, $4,
              now() + $5 * interval '1 millisecond'
       ON CONFLICT (email) WHERE used_at IS NULL DO UPDATE SET
         id = excluded.id, user_id = excluded.user_id, token_hash = excluded.token_hash,
         sealed_code = excluded.sealed_code, expires_at = excluded.expires_at, created_at = now(), attempts = 0`,
      [
        id,
        email,
        hashResetCode(id, code, this.config.resetCodeSecrets),
        sealText(code, resetCodeSeal(id), this.config.resetCodeSecrets),
        RESET_CODE.lifetime,
      ],
    );
    await this.outbox.add(manager, ResetCodeMail, { resetTokenId: id });
  }

  /** Uses a code up for a new password and ends every session of the account. */
  async resetPassword({ email, token, newPassword }: ResetPasswordRequest): Promise<void> {
    refuseShortPassword(newPassword);
    const open = await this.countAttempt(email);
    if (open === undefined || !isResetCode(open.token_hash, open.id, token, this.config.resetCodeSecrets))
      throw new DomainError('RESET_CODE_INVALID');
    const { id, user_id: userId } = open;
    if (userId === null) throw new DomainError('RESET_CODE_INVALID');

    const passwordHash = await this.hasher.hash(newPassword);
    await this.changes.commit(userId, async (manager) => {
      // The user's row first, as everywhere: two orders of locking would be a deadlock.
      const user = await lockUser(manager, userId);
      if (user === null || !(await this.useUp(manager, id, user.email)))
        throw new DomainError('RESET_CODE_INVALID');
      await this.passwords.set(manager, userId, passwordHash);
    });
  }

  /** Counted, and committed, before anything is compared: however many try at once, five are evaluated. */
  private async countAttempt(email: string): Promise<OpenCode | undefined> {
    const [rows] = await this.dataSource.query<[OpenCode[], number]>(
      `UPDATE auth.password_reset_tokens SET attempts = attempts + 1
       WHERE email = lower($1) AND used_at IS NULL AND expires_at > now() AND attempts < $2
       RETURNING id, user_id, token_hash`,
      [email, RESET_CODE.attempts],
    );
    return rows[0];
  }

  /** False when somebody was faster, it expired, a newer code took its place, or the account has another address by now. */
  private async useUp(manager: EntityManager, id: string, email: string): Promise<boolean> {
    const [, used] = await manager.query<[unknown[], number]>(
      `UPDATE auth.password_reset_tokens SET used_at = now(), sealed_code = NULL
       WHERE id = $1 AND email = lower($2) AND used_at IS NULL AND expires_at > now()`,
      [id, email],
    );
    return used === 1;
  }
}
