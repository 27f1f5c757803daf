import { type FactorKind, SECOND_FACTOR, type SecondFactor, type WantedPlace } from '@meetmark/contracts';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuid } from 'uuid';
import type { UserEntity } from '../users/user.entity.js';
import type { NewPasskey, Passkey } from './passkeys.js';

interface FactorRow {
  id: string;
  kind: FactorKind;
  name: string;
  createdAt: Date;
  lastUsedAt: Date | null;
}

export interface PendingRow {
  userId: string;
  epoch: number;
  challenge: string | null;
  wanted: WantedPlace | null;
}

type Run = Pick<EntityManager, 'query'>;

async function changed(run: Run, statement: string, values: unknown[]): Promise<number> {
  const [, count] = (await run.query(statement, values)) as [unknown, number];
  return count;
}

const changedOne = async (run: Run, statement: string, values: unknown[]): Promise<boolean> =>
  (await changed(run, statement, values)) === 1;

/** Methods with a manager run in the caller's transaction. */
@Injectable()
export class SecondFactorsRepository {
  constructor(private readonly dataSource: DataSource) {}

  async list(userId: string, run: Run = this.dataSource): Promise<SecondFactor[]> {
    const rows = (await run.query(
      `SELECT id, kind, name, created_at AS "createdAt", last_used_at AS "lastUsedAt"
       FROM auth.second_factors WHERE user_id = $1 ORDER BY created_at, id`,
      [userId],
    )) as FactorRow[];
    return rows.map(({ createdAt, lastUsedAt, ...row }) => ({
      ...row,
      createdAt: createdAt.toISOString(),
      lastUsedAt: lastUsedAt?.toISOString() ?? null,
    }));
  }

  async recoveryCodesLeft(userId: string): Promise<number> {
    const [row] = await this.dataSource.query<{ left: number }[]>(
      'SELECT count(*)::int AS left FROM auth.recovery_codes WHERE user_id = $1 AND used_at IS NULL',
      [userId],
    );
    return row!.left;
  }

  passkeys(userId: string): Promise<Passkey[]> {
    return this.dataSource.query(
      `SELECT id, credential_id AS "credentialId", public_key AS "publicKey", counter::int8::float8 AS counter, transports
       FROM auth.second_factors WHERE user_id = $1 AND kind = 'passkey'`,
      [userId],
    );
  }

  totpSecrets(userId: string): Promise<{ id: string; sealedSecret: string }[]> {
    return this.dataSource.query(
      `SELECT id, sealed_secret AS "sealedSecret" FROM auth.second_factors WHERE user_id = $1 AND kind = 'totp'`,
      [userId],
    );
  }

  async beginSetup(userId: string, kind: FactorKind, secret: string): Promise<void> {
    await this.dataSource.query(
      `INSERT INTO auth.second_factor_setups (user_id, kind, secret, expires_at)
       VALUES ($1, $2, $3, now() + $4 * interval '1 millisecond')
       ON CONFLICT (user_id, kind) DO UPDATE SET secret = excluded.secret, expires_at = excluded.expires_at`,
      [userId, kind, secret, SECOND_FACTOR.setupLife],
    );
  }

  async openSetup(userId: string, kind: FactorKind): Promise<string | null> {
    const [row] = await this.dataSource.query<{ secret: string }[]>(
      'SELECT secret FROM auth.second_factor_setups WHERE user_id = $1 AND kind = $2 AND expires_at > now()',
      [userId, kind],
    );
    return row?.secret ?? null;
  }

  /** Returns false if a concurrent request has finished or restarted the setup. */
  finishSetup(manager: EntityManager, userId: string, kind: FactorKind, secret: string): Promise<boolean> {
    return changedOne(
      manager,
      'DELETE FROM auth.second_factor_setups WHERE user_id = $1 AND kind = $2 AND secret = $3',
      [userId, kind, secret],
    );
  }

  /** @param step time step of the confirming code, which can't be used again */
  async addTotp(manager: EntityManager, userId: string, name: string, sealedSecret: string, step: number) {
    const id = uuid();
    await manager.query(
      `INSERT INTO auth.second_factors (id, user_id, kind, name, sealed_secret, last_step)
       VALUES ($1, $2, 'totp', $3, $4, $5)`,
      [id, userId, name, sealedSecret, step],
    );
    return id;
  }

  async addPasskey(manager: EntityManager, userId: string, name: string, passkey: NewPasskey) {
    const id = uuid();
    const { credentialId, publicKey, counter, transports } = passkey;
    await manager.query(
      `INSERT INTO auth.second_factors (id, user_id, kind, name, credential_id, public_key, counter, transports)
       VALUES ($1, $2, 'passkey', $3, $4, $5, $6, $7)`,
      [id, userId, name, credentialId, publicKey, counter, transports],
    );
    return id;
  }

  async remove(manager: EntityManager, userId: string, factorId: string): Promise<string | null> {
    const [rows] = (await manager.query(
      'DELETE FROM auth.second_factors WHERE user_id = $1 AND id = $2 RETURNING name',
      [userId, factorId],
    )) as [{ name: string }[], number];
    return rows[0]?.name ?? null;
  }

  removeAll(manager: EntityManager, userId: string): Promise<number> {
    return changed(manager, 'DELETE FROM auth.second_factors WHERE user_id = $1', [userId]);
  }

  async forget(manager: EntityManager, userId: string, since: Date | null = null): Promise<void> {
    for (const table of ['second_factors', 'recovery_codes'])
      await manager.query(
        `DELETE FROM auth.${table} WHERE user_id = $1 AND created_at >= coalesce($2, '-infinity'::timestamptz)`,
        [userId, since],
      );
    for (const table of ['second_factor_setups', 'pending_sign_ins', 'wrong_codes'])
      await manager.query(`DELETE FROM auth.${table} WHERE user_id = $1`, [userId]);
  }

  async replaceRecoveryCodes(manager: EntityManager, userId: string, hashes: Buffer[]): Promise<void> {
    await manager.query('DELETE FROM auth.recovery_codes WHERE user_id = $1', [userId]);
    await manager.query(
      'INSERT INTO auth.recovery_codes (user_id, code_hash) SELECT $1, unnest($2::bytea[])',
      [userId, hashes],
    );
  }

  async begin(tokenHash: Buffer, userId: string, epoch: number, wanted?: WantedPlace): Promise<void> {
    await this.dataSource.query(
      `INSERT INTO auth.pending_sign_ins (token_hash, user_id, session_epoch, expires_at, wanted)
       VALUES ($1, $2, $3, now() + $4 * interval '1 millisecond', $5)`,
      [tokenHash, userId, epoch, SECOND_FACTOR.pendingLife, wanted && JSON.stringify(wanted)],
    );
  }

  async beginRestoring(tokenHash: Buffer, { id, sessionEpoch }: UserEntity): Promise<void> {
    await this.dataSource.query(
      `INSERT INTO auth.pending_sign_ins (token_hash, user_id, session_epoch, expires_at, restores)
       VALUES ($1, $2, $3, now() + $4 * interval '1 millisecond', true)`,
      [tokenHash, id, sessionEpoch, SECOND_FACTOR.pendingLife],
    );
  }

  async userToRestore(tokenHash: Buffer): Promise<{ userId: string; epoch: number } | null> {
    const [row] = await this.dataSource.query<{ userId: string; epoch: number }[]>(
      `SELECT user_id AS "userId", session_epoch AS epoch FROM auth.pending_sign_ins
       WHERE token_hash = $1 AND restores AND expires_at > now()`,
      [tokenHash],
    );
    return row ?? null;
  }

  setChallenge(tokenHash: Buffer, challenge: string): Promise<boolean> {
    return changedOne(
      this.dataSource,
      `UPDATE auth.pending_sign_ins SET challenge = $2
       WHERE token_hash = $1 AND NOT restores AND expires_at > now() AND attempts < $3`,
      [tokenHash, challenge, SECOND_FACTOR.attempts],
    );
  }

  async userOfPending(tokenHash: Buffer): Promise<string | null> {
    const [row] = await this.dataSource.query<{ userId: string }[]>(
      `SELECT user_id AS "userId" FROM auth.pending_sign_ins
       WHERE token_hash = $1 AND NOT restores AND expires_at > now() AND attempts < $2`,
      [tokenHash, SECOND_FACTOR.attempts],
    );
    return row?.userId ?? null;
  }

  /** Commits the attempt before the code is compared, so that concurrent guesses can't exceed the limit. */
  async countAttempt(tokenHash: Buffer): Promise<PendingRow | null> {
    const [rows] = await this.dataSource.query<[PendingRow[], number]>(
      `UPDATE auth.pending_sign_ins SET attempts = attempts + 1
       WHERE token_hash = $1 AND NOT restores AND expires_at > now() AND attempts < $2
       RETURNING user_id AS "userId", session_epoch AS epoch, challenge, wanted`,
      [tokenHash, SECOND_FACTOR.attempts],
    );
    return rows[0] ?? null;
  }

  /** Returns false if a concurrent request has ended the pending sign-in. */
  finish(manager: EntityManager, tokenHash: Buffer): Promise<boolean> {
    return changedOne(manager, 'DELETE FROM auth.pending_sign_ins WHERE token_hash = $1', [tokenHash]);
  }

  /** Returns false if this or a later time step was used before. */
  useStep(manager: EntityManager, factorId: string, step: number, sealed: string): Promise<boolean> {
    return changedOne(
      manager,
      'UPDATE auth.second_factors SET last_step = $2, sealed_secret = $3, last_used_at = now() WHERE id = $1 AND last_step < $2',
      [factorId, step, sealed],
    );
  }

  /**
   * Returns false if the counter didn't increase, because the authenticator may be cloned. Accepts 0 again,
   * because some authenticators always send 0.
   */
  usePasskey(manager: EntityManager, factorId: string, counter: number): Promise<boolean> {
    return changedOne(
      manager,
      `UPDATE auth.second_factors SET counter = $2, last_used_at = now()
       WHERE id = $1 AND ($2 > counter OR ($2 = 0 AND counter = 0))`,
      [factorId, counter],
    );
  }

  useRecoveryCode(manager: EntityManager, userId: string, hash: Buffer): Promise<boolean> {
    return changedOne(
      manager,
      'UPDATE auth.recovery_codes SET used_at = now() WHERE user_id = $1 AND code_hash = $2 AND used_at IS NULL',
      [userId, hash],
    );
  }

  /** Counts every code as wrong before the comparison. For a right code, call `takeWrongCodeBack` later. */
  async countWrongCode(userId: string): Promise<number> {
    const [row] = await this.dataSource.query<{ count: number }[]>(
      `INSERT INTO auth.wrong_codes (user_id, since, count) VALUES ($1, now(), 1)
       ON CONFLICT (user_id) DO UPDATE SET
         since = CASE WHEN wrong_codes.since < now() - interval '1 day' THEN now() ELSE wrong_codes.since END,
         count = CASE WHEN wrong_codes.since < now() - interval '1 day' THEN 1 ELSE wrong_codes.count + 1 END
       RETURNING count`,
      [userId],
    );
    return row!.count;
  }

  async takeWrongCodeBack(manager: EntityManager, userId: string): Promise<void> {
    await manager.query('UPDATE auth.wrong_codes SET count = greatest(count - 1, 0) WHERE user_id = $1', [
      userId,
    ]);
  }
}
