import { Injectable, Logger } from '@nestjs/common';
import {
  AccountDeleted,
  DELETE_ATTEMPTS,
  DeleteAccount,
  DomainError,
  HandOverEvents,
} from '@meetmark/contracts';
import { callerId, RpcClient, type Call } from '@meetmark/platform';

/** The deletion of a user, which takes auth and events. The calls carry the caller, whose right each service checks itself. */
@Injectable()
export class DeletionService {
  private readonly logger = new Logger(DeletionService.name);

  constructor(private readonly rpc: RpcClient) {}

  /**
   * Hands the user's events to the caller and removes the account, which frees its places. Safe to repeat: if the second step fails, the
   * events belong to the caller already and the account still exists.
   * @throws DomainError OWN_ACCOUNT
   */
  async deleteUser(userId: string, call: Call): Promise<void> {
    const toUserId = callerId(call);
    if (toUserId === userId.toLowerCase()) throw new DomainError('OWN_ACCOUNT');
    try {
      await this.deleteAccount(userId, toUserId);
    } finally {
      await this.announce(); // after a failure too: only the answer may have been lost
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

  private async announce(): Promise<void> {
    try {
      await this.rpc.call(AccountDeleted, {});
    } catch (err) {
      // The account is deleted in any case; cached answers and the roll-up expire soon.
      this.logger.warn({ err, msg: 'public counts may be old for some seconds after a deleted account' });
    }
  }
}
