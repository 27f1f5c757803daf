import { IsBoolean, IsIn, MaxLength, MinLength, ValidateBy } from 'class-validator';
import { LIMITS } from '../limits.js';
import { messagesTo, Nothing } from '../message.js';
import { PageRequest, type Page } from '../paging.js';
import { PersonFields, ROLES, type Role, type SessionUser, UserIdRequest, type User } from './users.js';
import {
  About,
  toChangesClass,
  IfGiven,
  IsId,
  IsPassword,
  IsVersion,
  SingleLine,
  withIds,
} from '../validation.js';

const auth = messagesTo('auth');

function IsRole(): PropertyDecorator {
  const is = IsIn(ROLES);
  const fits = ValidateBy({
    name: 'fitsIsAdmin',
    validator: {
      validate: (role, args) => {
        const { isAdmin } = args!.object as { isAdmin?: unknown };
        return typeof isAdmin !== 'boolean' || isAdmin === (role === 'owner');
      },
      defaultMessage: () => 'role and isAdmin must agree',
    },
  });
  return (target, name) => {
    is(target, name);
    fits(target, name);
  };
}

export class UserFilter extends PageRequest {
  @About('Part of the name or email address. Ignores case and accents', 'ada')
  @IfGiven()
  @SingleLine(LIMITS.search)
  q?: string;

  @About('Role of the account. `admin` is an old name for `owner`; `user` means everyone else')
  @IfGiven()
  @IsIn([...ROLES, 'admin', 'user'])
  role?: Role | 'admin' | 'user';

  @About('`-` means descending. Default: `-createdAt`, newest first')
  @IfGiven()
  @IsIn(['name', '-name', 'email', '-email', 'createdAt', '-createdAt'])
  sort?: 'name' | '-name' | 'email' | '-email' | 'createdAt' | '-createdAt';
}

export class CreateUserRequest extends PersonFields {
  @About('At least 6 characters')
  @MinLength(LIMITS.passwordMin, { message: 'Password must be at least 6 characters' })
  @IsPassword()
  password!: string;

  @About('Whether `role` is `owner`. Prefer `role`')
  @IfGiven()
  @IsBoolean()
  isAdmin?: boolean;

  @About('Default: `owner` if `isAdmin` is true, otherwise `member`', 'member')
  @IfGiven()
  @IsRole()
  role?: Role;
}

export class KeyedCreateUserRequest extends CreateUserRequest {
  /** The gateway creates this id, so a repeated request creates only one account. */
  @IfGiven()
  @IsId()
  id?: string;
}

class AccountForm extends PersonFields {
  @About('Whether `role` is `owner`. Prefer `role`. If both are given, they must agree')
  @IsBoolean()
  isAdmin!: boolean;

  @About('The role of the user. You can’t change your own')
  @IsRole()
  role!: Role;
}

export class AccountFields extends toChangesClass(AccountForm) {
  @About(
    'The `version` that you read. 409 `EDIT_CONFLICT` if there is a newer one. If left out, the last change wins',
    3,
  )
  @IsVersion()
  version?: number;
}

export class PasswordFields {
  @About('At least 6 characters')
  @MinLength(LIMITS.passwordMin, { message: 'Password must be at least 6 characters' })
  @IsPassword()
  newPassword!: string;
}

export class RoleFields {
  @About('Whether the user is an owner')
  @IsBoolean()
  isAdmin!: boolean;
}

export class UpdateUserRequest extends withIds(AccountFields, 'userId') {}

export class SetPasswordRequest extends withIds(PasswordFields, 'userId') {}

export class SetAdminRequest extends withIds(RoleFields, 'userId') {}

export interface AccountFigures {
  total: number;
  createdLast30Days: number;
}

export const ListAccounts = auth.admin('accounts.list', UserFilter)<Page<User>>();
export const CreateAccount = auth.admin('accounts.create', KeyedCreateUserRequest)<User>();
export const UpdateAccount = auth.admin('accounts.update', UpdateUserRequest)<User>();
/**
 * Deletes an account and transfers its events to the caller. After this message, the gateway must send
 * AccountDeleted to the events service.
 */
export const RemoveAccount = auth.admin('accounts.remove', UserIdRequest, {
  fresh: 'administration',
})<void>();
export const SetAccountPassword = auth.admin('accounts.setPassword', SetPasswordRequest, {
  fresh: 'administration',
})<User>();
export const SetAccountAdmin = auth.admin('accounts.setAdmin', SetAdminRequest, {
  fresh: 'administration',
})<User>();
export const SendAccountResetCode = auth.admin('accounts.sendResetCode', UserIdRequest)<void>();
export const SummariseAccounts = auth.admin('accounts.summarise', Nothing)<AccountFigures>();

/**
 * Closes the caller's account and ends its sessions, registrations and events. It is hidden until the worker
 * deletes it.
 * @throws LAST_ADMINISTRATOR
 */
export const CloseAccount = auth.member('accounts.close', Nothing, { fresh: 'sensitive' })<void>();

/**
 * Starts the restoring of a closed account. Returns null if the account is open. The gateway has verified every
 * step of the sign-in.
 */
export const BeginRestoring = auth.internal('accounts.beginRestoring', UserIdRequest)<{
  token: string;
} | null>();

export class RestoreAccountRequest {
  @MaxLength(100)
  token!: string;
}

/** @throws SECOND_FACTOR_EXPIRED */
export const RestoreAccount = auth.public('accounts.restore', RestoreAccountRequest)<SessionUser>();
