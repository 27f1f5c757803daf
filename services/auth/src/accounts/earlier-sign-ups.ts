import { createHash } from 'node:crypto';
import { DomainError, IDEMPOTENCY_LIFETIME, type SignUpRequest } from '@meetmark/contracts';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { UserEntity } from '../users/user.entity.js';
import { PasswordHasher } from '../passwords/password-hasher.js';

interface Row {
  request_hash: Buffer;
  user_id: string;
}

/**
 * Sign-ups under an Idempotency-Key: one whose answer was lost is repeated, and finds what it made. Kept by the transaction that
 * makes the account, so that there is never one without the other.
 */
@Injectable()
export class EarlierSignUps {
  constructor(
    private readonly dataSource: DataSource,
    private readonly hasher: PasswordHasher,
  ) {}

  /**
   * The account that the same request made under this key; null when there was none. It signs in, so the password is judged as
   * it is now, and nothing is repeated for an account that has become more than it was.
   * @throws DomainError IDEMPOTENCY_CONFLICT when it was another request
   */
  async find(key: string, request: SignUpRequest): Promise<UserEntity | null> {
    const [row] = await this.dataSource.query<Row[]>(
      `SELECT request_hash, user_id FROM auth.sign_ups
       WHERE key_hash = $1 AND created_at > now() - $2 * interval '1 millisecond'`,
      [sha256(key), IDEMPOTENCY_LIFETIME],
    );
    if (row === undefined) return null;
    if (!row.request_hash.equals(contentOf(request))) throw new DomainError('IDEMPOTENCY_CONFLICT');
    const user = await this.dataSource.manager.findOneBy(UserEntity, { id: row.user_id });
    const fits = await this.hasher.verify(user?.passwordHash ?? undefined, request.password);
    if (user === null || !fits || user.isAdmin || user.secondFactor)
      throw new DomainError('IDEMPOTENCY_CONFLICT');
    return user;
  }

  /** Keeps the key in the transaction that makes the account. False when another request took it at this very moment. */
  async keep(manager: EntityManager, key: string, request: SignUpRequest, userId: string): Promise<boolean> {
    await manager.query(
      `DELETE FROM auth.sign_ups WHERE key_hash = $1 AND created_at <= now() - $2 * interval '1 millisecond'`,
      [sha256(key), IDEMPOTENCY_LIFETIME],
    );
    const kept = await manager.query<unknown[]>(
      `INSERT INTO auth.sign_ups (key_hash, request_hash, user_id) VALUES ($1, $2, $3)
       ON CONFLICT (key_hash) DO NOTHING RETURNING user_id`,
      [sha256(key), contentOf(request), userId],
    );
    return kept.length === 1;
  }
}

const sha256 = (text: string) => createHash('sha256').update(text).digest();

/** The hash of the request without the password: a fast hash of that must not be kept, and the account's own judges it. */
const contentOf = ({ email, firstName, lastName, linkedInUrl }: SignUpRequest) =>
  sha256(JSON.stringify([email, firstName, lastName, linkedInUrl]));
