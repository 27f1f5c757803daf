import { Controller } from '@nestjs/common';
import {
  type AccountFigures,
  IDEMPOTENCY_LIFETIME,
  ListAccounts,
  type Page,
  SETUP_LINK_LIFETIME,
  STATISTICS_DAYS,
  SummariseAccounts,
  type User,
  type UserFilter,
} from '@meetmark/contracts';
import { Handles, type KeysetOrder, keysetPage } from '@meetmark/platform';
import { DataSource, type EntityManager } from 'typeorm';
import { presentUser, UserEntity } from '../users/user.entity.js';

const SORT_KEYS = {
  name: { key: 'u.sort_name', type: 'text' },
  email: { key: 'lower(u.email) COLLATE "und-x-icu"', type: 'text' },
  createdAt: { key: 'u.created_at', type: 'timestamptz' },
} as const;

const OF_ROLE: Record<NonNullable<UserFilter['role']>, string> = {
  owner: 'u.isAdmin',
  admin: 'u.isAdmin',
  organiser: 'u.isOrganiser AND NOT u.isAdmin',
  member: 'NOT u.isOrganiser AND NOT u.isAdmin',
  user: 'NOT u.isAdmin',
};

@Controller()
export class AccountList {
  constructor(private readonly dataSource: DataSource) {}

  @Handles(ListAccounts)
  async page({ q, role, sort = '-createdAt', limit, cursor }: UserFilter): Promise<Page<User>> {
    const query = this.dataSource.manager.createQueryBuilder(UserEntity, 'u').where('u.closedAt IS NULL');
    if (q !== undefined && q !== '') query.andWhere('u.search_text LIKE public.containing(:q)', { q });
    if (role !== undefined) query.andWhere(OF_ROLE[role]);
    const { items, ...rest } = await keysetPage(query, { limit, cursor }, getOrder(sort));
    return { items: items.map(presentUser), ...rest };
  }

  @Handles(SummariseAccounts)
  async summarise(): Promise<AccountFigures> {
    const [figures] = await this.dataSource.query<[AccountFigures]>(
      `SELECT count(*)::integer AS "total",
              count(*) FILTER (WHERE created_at > now() - $1 * interval '1 day')::integer AS "createdLast30Days"
       FROM auth.users WHERE closed_at IS NULL`,
      [STATISTICS_DAYS],
    );
    return figures;
  }
}

function getOrder(sort: NonNullable<UserFilter['sort']>): KeysetOrder {
  const descending = sort.startsWith('-');
  const field = (descending ? sort.slice(1) : sort) as keyof typeof SORT_KEYS;
  return { name: sort, ...SORT_KEYS[field], id: 'u.id', direction: descending ? 'DESC' : 'ASC' };
}

// Sign-ups by Idempotency-Key. They are stored in the same transaction as the new account.

interface SignUpRow {
  requestHash: Buffer;
  userId: string;
}

export async function fetchSignUp(manager: EntityManager, keyHash: Buffer): Promise<SignUpRow | null> {
  const [row] = await manager.sql<SignUpRow[]>`
    SELECT request_hash AS "requestHash", user_id AS "userId" FROM auth.sign_ups
    WHERE key_hash = ${keyHash} AND created_at > now() - ${IDEMPOTENCY_LIFETIME} * interval '1 millisecond'`;
  return row ?? null;
}

/** Returns false if a concurrent request has stored the same key. */
export async function keepSignUp(
  manager: EntityManager,
  keyHash: Buffer,
  { requestHash, userId }: SignUpRow,
): Promise<boolean> {
  await manager.sql`
    DELETE FROM auth.sign_ups
    WHERE key_hash = ${keyHash} AND created_at <= now() - ${IDEMPOTENCY_LIFETIME} * interval '1 millisecond'`;
  const kept = await manager.sql<unknown[]>`
    INSERT INTO auth.sign_ups (key_hash, request_hash, user_id) VALUES (${keyHash}, ${requestHash}, ${userId})
    ON CONFLICT (key_hash) DO NOTHING RETURNING user_id`;
  return kept.length === 1;
}

interface SetupLinkRow {
  ownerId: string | null;
  expired: boolean;
}

export async function replaceSetupLink(manager: EntityManager, hash: Buffer): Promise<void> {
  await manager.query('DELETE FROM auth.setup_links');
  const expiry = new Date(Date.now() + SETUP_LINK_LIFETIME);
  await manager.sql`INSERT INTO auth.setup_links (hash, expires_at) VALUES (${hash}, ${expiry})`;
}

export async function fetchSetupLink(manager: EntityManager, hash: Buffer): Promise<SetupLinkRow | null> {
  const [row] = await manager.sql<SetupLinkRow[]>`
    SELECT owner_id AS "ownerId", expires_at < now() AS expired FROM auth.setup_links WHERE hash = ${hash}`;
  return row ?? null;
}

export const useSetupLink = (manager: EntityManager, ownerId: string) =>
  manager.sql`UPDATE auth.setup_links SET owner_id = ${ownerId}`;
