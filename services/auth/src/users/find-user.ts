import { normaliseEmail } from '@meetmark/contracts';
import type { EntityManager } from 'typeorm';
import { UserEntity } from './user.entity.js';

/** By address, however it is typed. Stored addresses are ASCII, so the index on lower(email) has this form too. */
export const findUserByEmail = (manager: EntityManager, email: string): Promise<UserEntity | null> =>
  manager
    .createQueryBuilder(UserEntity, 'u')
    .where('lower(u.email) = :email', { email: normaliseEmail(email) })
    .getOne();

/** The row, locked until the transaction ends. */
export const lockUser = (manager: EntityManager, id: string): Promise<UserEntity | null> =>
  manager.findOne(UserEntity, { where: { id }, lock: { mode: 'for_no_key_update' } });
