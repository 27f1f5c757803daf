import { availableParallelism } from 'node:os';
import { Bulkhead } from '@meetmark/platform';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { hash, parseOptions, verify } from '@node-rs/argon2';

/** OWASP's floor for Argon2id, which is the library's default algorithm: 19 MiB, two passes, one lane. */
export const ARGON2 = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
/**
 * Hashes at once leave a processor to everything else; those that wait are served within the call's deadline. A crowd of sixty is over
 * within the two seconds; in a flood, which is not, three quarters of the time are left to everything else.
 */
const AT_ONCE = {
  running: Math.min(2, Math.max(1, availableParallelism() - 1)),
  waiting: 20,
  restsAfter: 2_000,
};
/** Stands for the password of accounts that do not exist. */
const NOBODYS_PASSWORD = 'nobody has this password';

/** Passwords in and out of Argon2id, off the event loop, a bounded number at a time. */
@Injectable()
export class PasswordHasher implements OnModuleInit {
  private readonly slots = new Bulkhead(AT_ONCE);
  private nobodysHash: Promise<string> | undefined;

  /** @throws DomainError SERVICE_OVERLOADED when a password would not be taken now: nothing need be read for it first */
  refuseWhenFull(): void {
    this.slots.refuseWhenFull();
  }

  /** @throws DomainError SERVICE_OVERLOADED when too many hashes are waiting */
  hash(password: string): Promise<string> {
    return this.slots.run(() => hash(password, ARGON2));
  }

  /**
   * Whether the password is the account's. Without an account it does the same work and says no.
   * @throws DomainError SERVICE_OVERLOADED when too many hashes are waiting
   */
  async verify(passwordHash: string | undefined, password: string): Promise<boolean> {
    const against = passwordHash ?? (await this.hashOfNobody());
    const fits = await this.slots.run(() => verify(against, password));
    return fits && passwordHash !== undefined;
  }

  /** Made at start, so that the first unknown account does not cost one hash more than a known one. */
  async onModuleInit(): Promise<void> {
    await this.hashOfNobody();
  }

  /** Whether the hash was made with less than today's parameters. */
  isOutdated(passwordHash: string): boolean {
    const used = parseOptions(passwordHash);
    return (
      used.memoryCost < ARGON2.memoryCost ||
      used.timeCost < ARGON2.timeCost ||
      used.parallelism < ARGON2.parallelism
    );
  }

  private hashOfNobody(): Promise<string> {
    return (this.nobodysHash ??= hash(NOBODYS_PASSWORD, ARGON2));
  }
}
