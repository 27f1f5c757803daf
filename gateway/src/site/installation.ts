import { DomainError, GetSetupState } from '@meetmark/contracts';
import { Injectable } from '@nestjs/common';
import { ANONYMOUS, Services } from '../services.js';

const ASK_EVERY = 1_000;
const ANSWERED_WITHIN = 500;

/** An owner is never removed, so auth isn't asked again. */
@Injectable()
export class Installation {
  private owned = false;
  private askedAt = -Infinity;
  private answer = Promise.resolve(false);

  constructor(private readonly services: Services) {}

  /** Whether there is no owner yet, so that visitors see only one page. False if auth doesn't answer. */
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
   * To be called before work for an account. Auth checks this again.
   * @throws DomainError NOT_SET_UP
   */
  async requireOwner(): Promise<void> {
    if (await this.isOpen()) throw new DomainError('NOT_SET_UP');
  }

  /** Someone has become the owner. */
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
