import {
  CreateUserRequest,
  SetAdminRequest,
  SetPasswordRequest,
  UpdateUserRequest,
  UserFilter,
} from './accounts.js';
import type { Event } from './events.js';
import { defineMessage, Nothing } from './message.js';
import type { Page } from './paging.js';
import { UserIdRequest, type User } from './users.js';

// The admin service owns no user row: it asks auth (accounts.ts) and events.

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
