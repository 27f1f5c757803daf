import { IsBoolean, IsIn, IsOptional, MinLength } from 'class-validator';
import type { Event } from './events.js';
import { LIMITS } from './limits.js';
import { defineMessage, Nothing } from './message.js';
import { PageRequest, type Page } from './paging.js';
import { PersonFields, UserIdRequest, type User } from './users.js';
import { IsId, IsPassword, SingleLine } from './validation.js';

// The admin service answers the `administration.*` messages; it asks auth (`accounts.*`) and events and owns no user row.

export class UserFilter extends PageRequest {
  /** Part of the name or email, any letter case. */
  @IsOptional()
  @SingleLine(LIMITS.search)
  q?: string;

  @IsOptional()
  @IsIn(['admin', 'user'])
  role?: 'admin' | 'user';

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
}

// What an administrator may set of an account, as the browser sends it; the message adds whose account it is.

export class AccountFields extends PersonFields {
  /** One's own cannot change here (OWN_ACCOUNT, D39). */
  @IsBoolean()
  isAdmin!: boolean;
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

/** GET /api/admin/summary. */
export interface Summary {
  totalEvents: number;
  /** Events created in the last 30 days. */
  eventsThisMonth: number;
  upcomingEvents: number;
  /** The 3 nearest. */
  nextEvents: Event[];
  totalUsers: number;
  /** Users created in the last 30 days. */
  newUsers: number;
}

const auth = { service: 'auth', access: 'admin' } as const;
export const ListAccounts = defineMessage({ ...auth, name: 'accounts.list', request: UserFilter })<
  Page<User>
>();
export const CreateAccount = defineMessage({
  ...auth,
  name: 'accounts.create',
  request: CreateUserRequest,
})<User>();
export const UpdateAccount = defineMessage({
  ...auth,
  name: 'accounts.update',
  request: UpdateUserRequest,
})<User>();
export const DeleteAccount = defineMessage({
  ...auth,
  name: 'accounts.delete',
  request: UserIdRequest,
})<void>();
export const SetAccountPassword = defineMessage({
  ...auth,
  name: 'accounts.setPassword',
  request: SetPasswordRequest,
})<User>();
export const SetAccountAdmin = defineMessage({
  ...auth,
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
})<AccountFigures>();

const admin = { service: 'admin', access: 'admin' } as const;
export const ListUsers = defineMessage({ ...admin, name: 'administration.listUsers', request: UserFilter })<
  Page<User>
>();
export const CreateUser = defineMessage({
  ...admin,
  name: 'administration.createUser',
  request: CreateUserRequest,
})<User>();
export const UpdateUser = defineMessage({
  ...admin,
  name: 'administration.updateUser',
  request: UpdateUserRequest,
})<User>();
export const DeleteUser = defineMessage({
  ...admin,
  name: 'administration.deleteUser',
  request: UserIdRequest,
})<void>();
export const SetUserPassword = defineMessage({
  ...admin,
  name: 'administration.setPassword',
  request: SetPasswordRequest,
})<User>();
export const SetUserAdmin = defineMessage({
  ...admin,
  name: 'administration.setAdmin',
  request: SetAdminRequest,
})<User>();
export const SendResetCode = defineMessage({
  ...admin,
  name: 'administration.sendResetCode',
  request: UserIdRequest,
})<void>();
export const Summarise = defineMessage({
  ...admin,
  name: 'administration.summarise',
  request: Nothing,
})<Summary>();
