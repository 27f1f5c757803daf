import { DomainError, GetSetupState } from '@meetmark/contracts';
import { Injectable } from '@nestjs/common';
import { ANONYMOUS, Services } from '../services.js';

/** Milliseconds between two questions. */
const ASK_EVERY = 1_000;
/** Milliseconds that a page waits for the answer. */
const ANSWERED_WITHIN = 500;

/** Whether the installation has an owner. Once it has one it keeps one, so the auth service is not asked again. */
@Injectable()
export class Installation {
  private owned = false;
  private askedAt = -Infinity;
  private answer = Promise.resolve(false);

  constructor(private readonly services: Services) {}

  /** True while the installation has no owner and visitors see one page. False too while the auth service does not answer. */
  isOpen(): Promise<boolean> {
    if (this.owned) return Promise.resolve(false);
    const now = Date.now();
    if (now - this.askedAt >= ASK_EVERY) {
      this.askedAt = now;
      this.answer = this.ask();
    }
    return this.answer;
  }

  /** Before any work for an account; the auth service judges it again. @throws DomainError NOT_SET_UP */
  async requireOwner(): Promise<void> {
    if (await this.isOpen()) throw new DomainError('NOT_SET_UP');
  }

  /** Somebody has become the owner here: the next page knows it. */
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
