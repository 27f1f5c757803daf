import {
  KeyedCreateUserRequest,
  SetAdminRequest,
  SetPasswordRequest,
  UpdateUserRequest,
  UserFilter,
} from './accounts.js';
import { defineMessage, Nothing } from './message.js';
import type { Page } from './paging.js';
import type { Summary } from './system.js';
import { UserIdRequest, type User } from './users.js';
import { IsId } from './validation.js';

// What processes of 1.0.0 alone send: its gateway to admin, which passes it on in the caller's name, and its admin to auth and
// events. Goes when 1.1 is the version before, with all that names 1.0.0 in the processes (docs/upgrading.md).

const admin = { service: 'admin', access: 'admin' } as const;
export const Summarise = defineMessage({
  ...admin,
  name: 'administration.summarise',
  request: Nothing,
  reads: true,
})<Summary>();
export const ListUsers = defineMessage({
  ...admin,
  name: 'administration.listUsers',
  request: UserFilter,
  reads: true,
})<Page<User>>();
export const CreateUser = defineMessage({
  ...admin,
  name: 'administration.createUser',
  request: KeyedCreateUserRequest,
})<User>();
export const UpdateUser = defineMessage({
  ...admin,
  name: 'administration.updateUser',
  request: UpdateUserRequest,
})<User>();
export const DeleteUser = defineMessage({
  ...admin,
  fresh: true,
  name: 'administration.deleteUser',
  request: UserIdRequest,
})<void>();
export const SetUserPassword = defineMessage({
  ...admin,
  fresh: true,
  name: 'administration.setPassword',
  request: SetPasswordRequest,
})<User>();
export const SetUserAdmin = defineMessage({
  ...admin,
  fresh: true,
  name: 'administration.setAdmin',
  request: SetAdminRequest,
})<User>();
export const SendResetCode = defineMessage({
  ...admin,
  name: 'administration.sendResetCode',
  request: UserIdRequest,
})<void>();

/** As RemoveAccount, under the name that admin of 1.0.0 knows and its gateway grants. */
export const DeleteAccount = defineMessage({
  service: 'auth',
  access: 'admin',
  fresh: true,
  name: 'accounts.delete',
  request: UserIdRequest,
})<void>();

export class HandOverEventsRequest {
  @IsId()
  fromUserId!: string;

  @IsId()
  toUserId!: string;
}

/** Gives every event that one user created to another, before DeleteAccount. */
export const HandOverEvents = defineMessage({
  service: 'events',
  access: 'admin',
  name: 'events.handOver',
  request: HandOverEventsRequest,
})<void>();
