import { IsBoolean, IsIn, IsOptional, MinLength, ValidateBy } from 'class-validator';
import { LIMITS } from './limits.js';
import { defineMessage, Nothing } from './message.js';
import { PageRequest, type Page } from './paging.js';
import { PersonFields, ROLES, type Role, UserIdRequest, type User } from './users.js';
import { changesOf, IfGiven, IsId, IsPassword, IsVersion, SingleLine } from './validation.js';

// What administrators do with accounts.

/** What a person may do; wrong beside an `isAdmin` that says otherwise. */
function IsRole(): PropertyDecorator {
  const is = IsIn(ROLES);
  const fits = ValidateBy({
    name: 'fitsIsAdmin',
    validator: {
      validate: (role, args) => {
        const { isAdmin } = args!.object as { isAdmin?: unknown };
        return typeof isAdmin !== 'boolean' || isAdmin === (role === 'owner');
      },
      defaultMessage: () => 'role and isAdmin contradict each other',
    },
  });
  return (target, name) => {
    is(target, name);
    fits(target, name);
  };
}

export class UserFilter extends PageRequest {
  /** Part of the name or email, any letter case. */
  @IsOptional()
  @SingleLine(LIMITS.search)
  q?: string;

  /** As an account's `role`. Words of the first version: `admin` for owners, `user` for everybody else. */
  @IsOptional()
  @IsIn([...ROLES, 'admin', 'user'])
  role?: Role | 'admin' | 'user';

  /** Default `-createdAt`: newest first. */
  @IsOptional()
  @IsIn(['name', '-name', 'email', '-email', 'createdAt', '-createdAt'])
  sort?: 'name' | '-name' | 'email' | '-email' | 'createdAt' | '-createdAt';
}

export class CreateUserRequest extends PersonFields {
  @MinLength(LIMITS.passwordMin, { message: 'Password must be at least 6 characters' })
  @IsPassword()
  password!: string;

  @IsOptional()
  @IsBoolean()
  isAdmin?: boolean;

  /** Left out: as `isAdmin` says. */
  @IfGiven()
  @IsRole()
  role?: Role;
}

export class KeyedCreateUserRequest extends CreateUserRequest {
  /** Made by the gateway: the same request under the same id makes one account, however often it comes. */
  @IsOptional()
  @IsId()
  id?: string;
}

// What an administrator may set of an account, as the browser sends it; the message adds whose account it is.

class AccountForm extends PersonFields {
  /** One's own cannot change here (OWN_ACCOUNT). */
  @IsBoolean()
  isAdmin!: boolean;

  /** As `isAdmin`, which may be left out. */
  @IsRole()
  role!: Role;
}

export class AccountFields extends changesOf(AccountForm) {
  /** What the change began from: refused (EDIT_CONFLICT) when there is a newer one. Left out: the last one wins. */
  @IsVersion()
  version?: number;
}

export class PasswordFields {
  @MinLength(LIMITS.passwordMin, { message: 'Password must be at least 6 characters' })
  @IsPassword()
  newPassword!: string;
}

export class RoleFields {
  @IsBoolean()
  isAdmin!: boolean;
}

export class UpdateUserRequest extends AccountFields {
  @IsId()
  userId!: string;
}

export class SetPasswordRequest extends PasswordFields {
  @IsId()
  userId!: string;
}

export class SetAdminRequest extends RoleFields {
  @IsId()
  userId!: string;
}

/** Figures of the dashboard that the auth service owns. */
export interface AccountFigures {
  total: number;
  createdLast30Days: number;
}

const auth = { service: 'auth', access: 'admin' } as const;
export const ListAccounts = defineMessage({
  ...auth,
  name: 'accounts.list',
  request: UserFilter,
  reads: true,
})<Page<User>>();
export const CreateAccount = defineMessage({
  ...auth,
  name: 'accounts.create',
  request: KeyedCreateUserRequest,
})<User>();
export const UpdateAccount = defineMessage({
  ...auth,
  name: 'accounts.update',
  request: UpdateUserRequest,
})<User>();
/** Deletes the account, which frees its places; its events pass to the caller. The sender tells events of it (AccountDeleted). */
export const RemoveAccount = defineMessage({
  ...auth,
  fresh: true,
  name: 'accounts.remove',
  request: UserIdRequest,
})<void>();
export const SetAccountPassword = defineMessage({
  ...auth,
  fresh: true,
  name: 'accounts.setPassword',
  request: SetPasswordRequest,
})<User>();
export const SetAccountAdmin = defineMessage({
  ...auth,
  fresh: true,
  name: 'accounts.setAdmin',
  request: SetAdminRequest,
})<User>();
export const SendAccountResetCode = defineMessage({
  ...auth,
  name: 'accounts.sendResetCode',
  request: UserIdRequest,
})<void>();
export const SummariseAccounts = defineMessage({
  ...auth,
  name: 'accounts.summarise',
  request: Nothing,
  reads: true,
})<AccountFigures>();
