import {
  AccountDeleted,
  CountOfMember,
  CreateAccount,
  CreateUserRequest,
  DomainError,
  ERRORS,
  GetSessionUser,
  ListAccounts,
  PasswordFields,
  RemoveAccount,
  RoleFields,
  SendAccountResetCode,
  SetAccountAdmin,
  SetAccountPassword,
  UpdateAccount,
  UserFilter,
} from '@meetmark/contracts';
import { Body, Controller, Delete, Get, HttpStatus, Logger, Post, Put, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Access, FreshSignIn } from '../http/access.js';
import {
  answerPage,
  baseVersion,
  checkedFields,
  Fields,
  Filter,
  Id,
  validateOrNotFound,
} from '../http/fields.js';
import { Caller } from '../http/request.js';
import { Idempotency } from '../idempotency/idempotency.js';
import { Notice } from '../openapi/answers.js';
import { Describe, describePage } from '../openapi/describe.js';
import { ANONYMOUS, Services } from '../services.js';
import { Sessions } from '../sessions/sessions.js';
import { UpdateUserBody, User, UserActivity } from './users.dto.js';

@Controller('api/admin/users')
export class UsersController {
  private readonly logger = new Logger(UsersController.name);

  constructor(
    private readonly services: Services,
    private readonly idempotency: Idempotency,
    private readonly sessions: Sessions,
  ) {}

  @Describe({ summary: 'List users', answers: { 200: describePage(User) } })
  @Get()
  @Access('admin')
  async list(
    @Filter(UserFilter) filter: UserFilter,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<User[]> {
    return answerPage(reply, filter, await this.services.read(ListAccounts, filter));
  }

  @Describe({
    summary: 'Create a user',
    description:
      'The email address counts as verified. To create an organiser or an owner, your sign-in must be fresh: confirmed within the last 2 hours.',
    answers: { 201: User },
    refuses: ['EMAIL_EXISTS', 'REQUEST_IN_PROGRESS', 'FRESH_SIGN_IN_REQUIRED'],
    idempotent: true,
  })
  @Post()
  @Access('admin')
  create(
    @Caller() caller: User,
    @Fields(CreateUserRequest) fields: CreateUserRequest,
    @Req() request: FastifyRequest,
  ): Promise<User> {
    return this.idempotency.once(request, caller.id, { again: true }, (id) =>
      this.services.call(CreateAccount, { ...fields, id }),
    );
  }

  @Describe({
    summary: 'Update a user',
    description:
      "Fields that you leave out keep their value. Your sign-in must be fresh: within 10 minutes to change the email address, within 2 hours to change the role. You can't change your own role (403 `OWN_ACCOUNT`), and one owner must remain (409 `LAST_ADMINISTRATOR`).",
    answers: { 200: User },
    refuses: [
      'USER_NOT_FOUND',
      'ID_MISMATCH',
      'EMAIL_TAKEN',
      'OWN_ACCOUNT',
      'LAST_ADMINISTRATOR',
      'FRESH_SIGN_IN_REQUIRED',
    ],
    body: UpdateUserBody,
    versioned: true,
  })
  @Put(':id')
  @Access('admin')
  async update(@Id() userId: string, @Body() body: unknown, @Req() request: FastifyRequest): Promise<User> {
    const fields = await this.checked(userId, async () => {
      const { id, ...account } = await checkedFields(UpdateUserBody, body);
      if ((id ?? userId).toLowerCase() !== userId) throw new DomainError('ID_MISMATCH');
      return { ...account, version: baseVersion(request, account.version) };
    });
    return this.services.call(UpdateAccount, { userId, ...fields });
  }

  @Describe({
    summary: 'Delete a user',
    description:
      "Frees the user's registrations. A co-host takes over their events, or you do. You can't delete your own account this way.",
    answers: { 204: null },
    refuses: ['USER_NOT_FOUND', 'OWN_ACCOUNT', 'LAST_ADMINISTRATOR'],
  })
  @Delete(':id')
  @Access('admin')
  @FreshSignIn('administration')
  async delete(@Id() userId: string): Promise<void> {
    try {
      await this.services.call(RemoveAccount, { userId });
    } catch (error) {
      if (mayHaveHappened(error)) await this.tellOfDeletion();
      throw error;
    }
    await this.tellOfDeletion();
  }

  @Describe({
    summary: "Set a user's password",
    description: "Ends the user's sessions. You can't set your own password this way.",
    answers: { 200: User },
    refuses: ['USER_NOT_FOUND', 'OWN_ACCOUNT'],
    body: PasswordFields,
  })
  @Put(':id/reset-password')
  @Access('admin')
  @FreshSignIn('administration')
  async setPassword(@Id() userId: string, @Body() body: unknown): Promise<User> {
    const fields = await this.checked(userId, () => checkedFields(PasswordFields, body));
    return this.services.call(SetAccountPassword, { userId, ...fields });
  }

  @Describe({
    summary: 'Add or remove the owner role',
    description:
      "`isAdmin` true adds the role, false removes it. You can't change your own role, and one owner must remain.",
    answers: { 200: User },
    refuses: ['USER_NOT_FOUND', 'OWN_ACCOUNT', 'LAST_ADMINISTRATOR'],
    body: RoleFields,
  })
  @Put(':id/toggle-admin')
  @Access('admin')
  @FreshSignIn('administration')
  async setAdmin(@Id() userId: string, @Body() body: unknown): Promise<User> {
    const fields = await this.checked(userId, () => checkedFields(RoleFields, body));
    return this.services.call(SetAccountAdmin, { userId, ...fields });
  }

  @Describe({
    summary: "Get a user's activity",
    description:
      'Returns when the user last used the site, and how many registrations, check-ins and no-shows they have.',
    answers: { 200: UserActivity },
    refuses: ['USER_NOT_FOUND'],
  })
  @Get(':id/activity')
  @Access('admin')
  async activity(@Id() userId: string): Promise<UserActivity> {
    const user = await this.services.read(GetSessionUser, { userId }, ANONYMOUS);
    if (user === null || user.deletedAt !== undefined) throw new DomainError('USER_NOT_FOUND');
    const [figures, lastSeenAt] = await Promise.all([
      this.services.read(CountOfMember, { userId }),
      this.sessions.lastUsed(userId, user.epoch),
    ]);
    return { ...figures, lastSeenAt };
  }

  @Describe({
    summary: 'Email a password reset code to a user',
    description: 'Unlike a code that the user requests, it works in any browser.',
    answers: { 202: Notice },
    refuses: ['USER_NOT_FOUND'],
  })
  @Post(':id/send-reset-code')
  @Access('admin')
  async sendResetCode(@Id() userId: string): Promise<Notice> {
    await this.services.call(SendAccountResetCode, { userId });
    return { message: 'A reset code is on its way' };
  }

  /** Called before the response is sent, so that the caller doesn't see outdated caches. */
  private async tellOfDeletion(): Promise<void> {
    try {
      await this.services.call(AccountDeleted, {});
    } catch (err) {
      // The account is already deleted. The worker notifies the events service again later.
      this.logger.warn({
        err,
        msg: 'Could not refresh the public counts after an account was deleted; the worker will',
      });
    }
  }

  private checked<T>(userId: string, check: () => Promise<T>): Promise<T> {
    return validateOrNotFound(async () => {
      const user = await this.services.read(GetSessionUser, { userId }, ANONYMOUS);
      if (user === null || user.deletedAt !== undefined) throw new DomainError('USER_NOT_FOUND');
    }, check);
  }
}

/** True if the service may have made the change although no response arrived. */
const mayHaveHappened = (error: unknown) =>
  !(error instanceof DomainError) || ERRORS[error.code].status >= HttpStatus.INTERNAL_SERVER_ERROR;
