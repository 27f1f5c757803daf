import { Injectable } from '@nestjs/common';
import {
  type AccountFigures,
  type Page,
  STATISTICS_DAYS,
  type User,
  type UserFilter,
} from '@meetmark/contracts';
import { containing, type KeysetOrder, keysetPage } from '@meetmark/platform';
import { DataSource } from 'typeorm';
import { presentUser, UserEntity } from '../users/user.entity.js';

/** Each has its index. */
const SORT_KEYS = {
  name: { key: 'u.sort_name', type: 'text' },
  email: { key: 'lower(u.email)', type: 'text' },
  createdAt: { key: 'u.created_at', type: 'timestamptz' },
} as const;

const OF_ROLE: Record<NonNullable<UserFilter['role']>, string> = {
  owner: 'u.isAdmin',
  admin: 'u.isAdmin',
  organiser: 'u.isOrganiser AND NOT u.isAdmin',
  member: 'NOT u.isOrganiser AND NOT u.isAdmin',
  user: 'NOT u.isAdmin',
};

/** Reading for administrators: one or two statements, however many users there are. */
@Injectable()
export class AccountList {
  constructor(private readonly dataSource: DataSource) {}

  async page({ q, role, sort = '-createdAt', limit, cursor }: UserFilter): Promise<Page<User>> {
    const query = this.dataSource.manager.createQueryBuilder(UserEntity, 'u').where('true');
    if (q !== undefined && q !== '')
      query.andWhere('u.search_text LIKE lower(:part)', { part: containing(q) });
    if (role !== undefined) query.andWhere(OF_ROLE[role]);
    const { items, ...rest } = await keysetPage(query, { limit, cursor }, orderOf(sort));
    return { items: items.map(presentUser), ...rest };
  }

  async summarise(): Promise<AccountFigures> {
    const [figures] = await this.dataSource.query<[AccountFigures]>(
      `SELECT count(*)::integer AS "total",
              count(*) FILTER (WHERE created_at > now() - $1 * interval '1 day')::integer AS "createdLast30Days"
       FROM auth.users`,
      [STATISTICS_DAYS],
    );
    return figures;
  }
}

function orderOf(sort: NonNullable<UserFilter['sort']>): KeysetOrder {
  const descending = sort.startsWith('-');
  const field = (descending ? sort.slice(1) : sort) as keyof typeof SORT_KEYS;
  return { name: sort, ...SORT_KEYS[field], id: 'u.id', direction: descending ? 'DESC' : 'ASC' };
}
