import { Controller, Logger } from '@nestjs/common';
import {
  AccountDeleted,
  CreateAccount,
  CreateUser,
  DeleteAccount,
  DeleteUser,
  DomainError,
  HandOverEvents,
  type KeyedCreateUserRequest,
  ListAccounts,
  ListUsers,
  type Nothing,
  type Page,
  SendAccountResetCode,
  SendResetCode,
  SetAccountAdmin,
  SetAccountPassword,
  type SetAdminRequest,
  type SetPasswordRequest,
  SetUserAdmin,
  SetUserPassword,
  Summarise,
  SummariseAccounts,
  SummariseEvents,
  type Summary,
  UpdateAccount,
  UpdateUser,
  type UpdateUserRequest,
  type User,
  type UserFilter,
  type UserIdRequest,
} from '@meetmark/contracts';
import { type Call, callerId, Handles, RpcClient } from '@meetmark/platform';

/**
 * What the gateway of 1.0.0 asks of admin: it is passed on to auth and events, which check the caller's right themselves. This version's
 * gateway asks them itself. Goes with its messages when 1.1 is the version before, as do ADMIN_AUTH_SECRETS and ADMIN_EVENTS_SECRETS.
 */
@Controller()
export class PassedOnController {
  private readonly logger = new Logger(PassedOnController.name);

  constructor(private readonly rpc: RpcClient) {}

  @Handles(Summarise)
  async summarise(_request: Nothing): Promise<Summary> {
    const [accounts, events] = await Promise.all([
      this.rpc.call(SummariseAccounts, {}),
      this.rpc.call(SummariseEvents, {}),
    ]);
    return {
      totalEvents: events.total,
      eventsThisMonth: events.createdLast30Days,
      upcomingEvents: events.upcoming,
      nextEvents: events.nextEvents,
      totalUsers: accounts.total,
      newUsers: accounts.createdLast30Days,
    };
  }

  @Handles(ListUsers)
  listUsers(filter: UserFilter): Promise<Page<User>> {
    return this.rpc.call(ListAccounts, filter);
  }

  @Handles(CreateUser)
  createUser(request: KeyedCreateUserRequest): Promise<User> {
    return this.rpc.call(CreateAccount, request);
  }

  @Handles(UpdateUser)
  updateUser(request: UpdateUserRequest): Promise<User> {
    return this.rpc.call(UpdateAccount, request);
  }

  @Handles(SetUserPassword)
  setPassword(request: SetPasswordRequest): Promise<User> {
    return this.rpc.call(SetAccountPassword, request);
  }

  @Handles(SetUserAdmin)
  setAdmin(request: SetAdminRequest): Promise<User> {
    return this.rpc.call(SetAccountAdmin, request);
  }

  @Handles(SendResetCode)
  sendResetCode(request: UserIdRequest): Promise<void> {
    return this.rpc.call(SendAccountResetCode, request);
  }

  /**
   * The events are handed over first, since an auth of 1.0.0 refuses to delete an account that has some; this version's does both at once.
   * @throws DomainError OWN_ACCOUNT
   */
  @Handles(DeleteUser)
  async deleteUser({ userId }: UserIdRequest, call: Call): Promise<void> {
    const toUserId = callerId(call);
    if (toUserId === userId.toLowerCase()) throw new DomainError('OWN_ACCOUNT');
    try {
      await this.rpc.call(HandOverEvents, { fromUserId: userId, toUserId });
      await this.rpc.call(DeleteAccount, { userId });
    } finally {
      await this.announce(); // after a failure too: only the answer may have been lost
    }
  }

  private async announce(): Promise<void> {
    try {
      await this.rpc.call(AccountDeleted, {});
    } catch (err) {
      this.logger.warn({ err, msg: 'public counts may be old for some seconds after a deleted account' });
    }
  }
}
