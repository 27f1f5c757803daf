import type { EntityManager } from 'typeorm';
import { UserEntity } from './user.entity.js';

/** By address, in any letter case (D16); the database folds it, as its unique index does. */
export const findUserByEmail = (manager: EntityManager, email: string): Promise<UserEntity | null> =>
  manager.createQueryBuilder(UserEntity, 'u').where('lower(u.email) = lower(:email)', { email }).getOne();

/** The row, locked until the transaction ends. */
export const lockUser = (manager: EntityManager, id: string): Promise<UserEntity | null> =>
  manager.findOne(UserEntity, { where: { id }, lock: { mode: 'for_no_key_update' } });
