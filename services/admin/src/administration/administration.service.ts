import { Injectable, Logger } from '@nestjs/common';
import {
  DELETE_ATTEMPTS,
  DeleteAccount,
  DomainError,
  FollowDeletedAccount,
  HandOverEvents,
  SummariseAccounts,
  SummariseEvents,
  type Summary,
} from '@meetmark/contracts';
import { RpcClient, type Call } from '@meetmark/platform';

/** What takes more than one service. The calls are made for the caller, whose right each service judges itself. */
@Injectable()
export class AdministrationService {
  private readonly logger = new Logger(AdministrationService.name);

  constructor(private readonly rpc: RpcClient) {}

  /**
   * Hands the user's events to the caller and removes the account, whose places are free then. Safe to repeat: if the second step fails, the events
   * are the caller's already and the account still stands.
   */
  async deleteUser(userId: string, call: Call): Promise<void> {
    if (call.identity === null) throw new DomainError('UNAUTHORIZED');
    const toUserId = call.identity.sub;
    if (toUserId === userId.toLowerCase()) throw new DomainError('OWN_ACCOUNT');
    try {
      await this.deleteAccount(userId, toUserId);
    } finally {
      await this.followDeletedAccount(); // after a failure too: the answer may be what was lost
    }
  }

  private async deleteAccount(userId: string, toUserId: string): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      await this.rpc.call(HandOverEvents, { fromUserId: userId, toUserId });
      try {
        return await this.rpc.call(DeleteAccount, { userId });
      } catch (error) {
        const createdMeanwhile = error instanceof DomainError && error.code === 'USER_HAS_EVENTS';
        if (!createdMeanwhile || attempt === DELETE_ATTEMPTS) throw error;
      }
    }
  }

  private async followDeletedAccount(): Promise<void> {
    try {
      await this.rpc.call(FollowDeletedAccount, {});
    } catch (err) {
      // The account is gone whatever happens here; gateways keep no answer, and the roll-up no figure, for long.
      this.logger.warn({ err, msg: 'public counts may be old for some seconds after a deleted account' });
    }
  }

  async summarise(): Promise<Summary> {
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
}
