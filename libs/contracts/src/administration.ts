import {
  CreateAccount,
  KeyedCreateUserRequest,
  DeleteAccount,
  ListAccounts,
  SendAccountResetCode,
  SetAccountAdmin,
  SetAccountPassword,
  SetAdminRequest,
  SetPasswordRequest,
  SummariseAccounts,
  UpdateAccount,
  UpdateUserRequest,
  UserFilter,
} from './accounts.js';
import { HandOverEvents } from './event-changes.js';
import { SummariseEvents, type Event } from './events.js';
import { defineMessage, Nothing, onward } from './message.js';
import type { Page } from './paging.js';
import { AccountDeleted } from './registrations.js';
import { UserIdRequest, type User } from './users.js';

// The admin service owns no user row. What takes auth alone the gateway asks there (accounts.ts); what takes auth and events, here.

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

/** Registrations of one day in the community's time zone. */
export interface ActivityDay {
  /** Short English name of the day: 'Mon'. */
  name: string;
  registrations: number;
}

/** A user who goes on creating events while being deleted is caught up with this often. */
export const DELETE_ATTEMPTS = 3;

const admin = { service: 'admin', access: 'admin' } as const;
/** Exactly 7 items, oldest first, today last, zero days included. */
export const GetRegistrationActivity = defineMessage({
  ...admin,
  name: 'activity.get',
  request: Nothing,
})<ActivityDay[]>();
export const DeleteUser = defineMessage({
  ...admin,
  fresh: true,
  name: 'administration.deleteUser',
  request: UserIdRequest,
  onward: ({ userId }, { sub }) => [
    ...Array.from({ length: DELETE_ATTEMPTS }, () => [
      onward(HandOverEvents, { fromUserId: userId, toUserId: sub }),
      onward(DeleteAccount, { userId }),
    ]).flat(),
    onward(AccountDeleted, {}),
  ],
})<void>();
export const Summarise = defineMessage({
  ...admin,
  name: 'administration.summarise',
  request: Nothing,
  reads: true,
  onward: () => [onward(SummariseAccounts, {}), onward(SummariseEvents, {})],
})<Summary>();

// What the gateway of 1.0.0 sends to admin, which passes it on; this one asks auth. Goes when 1.1 is the version before.

export const ListUsers = defineMessage({
  ...admin,
  name: 'administration.listUsers',
  request: UserFilter,
  reads: true,
  onward: (request) => [onward(ListAccounts, request)],
})<Page<User>>();
export const CreateUser = defineMessage({
  ...admin,
  name: 'administration.createUser',
  request: KeyedCreateUserRequest,
  onward: (request) => [onward(CreateAccount, request)],
})<User>();
export const UpdateUser = defineMessage({
  ...admin,
  name: 'administration.updateUser',
  request: UpdateUserRequest,
  onward: (request) => [onward(UpdateAccount, request)],
})<User>();
export const SetUserPassword = defineMessage({
  ...admin,
  fresh: true,
  name: 'administration.setPassword',
  request: SetPasswordRequest,
  onward: (request) => [onward(SetAccountPassword, request)],
})<User>();
export const SetUserAdmin = defineMessage({
  ...admin,
  fresh: true,
  name: 'administration.setAdmin',
  request: SetAdminRequest,
  onward: (request) => [onward(SetAccountAdmin, request)],
})<User>();
export const SendResetCode = defineMessage({
  ...admin,
  name: 'administration.sendResetCode',
  request: UserIdRequest,
  onward: (request) => [onward(SendAccountResetCode, request)],
})<void>();
