import { DomainError, GetSetupState } from '@meetmark/contracts';
import { Injectable } from '@nestjs/common';
import { ANONYMOUS, Services } from '../services.js';

const ASK_EVERY = 1_000;
const ANSWERED_WITHIN = 500;

/** Asks auth whether the installation has an owner. Stops asking once it has, because it always keeps one. */
@Injectable()
export class Installation {
  private owned = false;
  private askedAt = -Infinity;
  private answer = Promise.resolve(false);

  constructor(private readonly services: Services) {}

  /** Whether there is no owner yet. Visitors then see only the setup page. False if auth doesn't answer. */
  isOpen(): Promise<boolean> {
    if (this.owned) return Promise.resolve(false);
    const now = Date.now();
    if (now - this.askedAt >= ASK_EVERY) {
      this.askedAt = now;
      this.answer = this.ask();
    }
    return this.answer;
  }

  /**
   * Refuses to create an account while there is no owner. Auth checks this again.
   * @throws DomainError NOT_SET_UP
   */
  async requireOwner(): Promise<void> {
    if (await this.isOpen()) throw new DomainError('NOT_SET_UP');
  }

  /** Must be called when someone has become the owner. */
  close(): void {
    this.owned = true;
  }

  private async ask(): Promise<boolean> {
    try {
      const options = { ...ANONYMOUS, deadlineMs: ANSWERED_WITHIN };
      const { open } = await this.services.read(GetSetupState, {}, options);
      this.owned ||= !open;
      return !this.owned;
    } catch (error) {
      if (error instanceof DomainError) return false;
      throw error;
    }
  }
}
