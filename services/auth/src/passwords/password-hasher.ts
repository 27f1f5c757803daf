import { availableParallelism } from 'node:os';
import { normalisePassword } from '@meetmark/contracts';
import { Bulkhead } from '@meetmark/platform';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { hash, parseOptions, verify } from '@node-rs/argon2';

/** OWASP's minimum for Argon2id: 19 MiB, two passes, one lane. */
export const ARGON2 = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
/** Leaves one processor free. The short queue keeps callers within their deadlines. Milliseconds. */
const AT_ONCE = {
  running: Math.min(2, Math.max(1, availableParallelism() - 1)),
  waiting: 20,
  restsAfter: 2_000,
};
const NOBODYS_PASSWORD = 'nobody has this password';

@Injectable()
export class PasswordHasher implements OnModuleInit {
  private readonly slots = new Bulkhead(AT_ONCE);
  private nobodysHash: Promise<string> | undefined;

  /**
   * Call it first, so that a refused request has no effect.
   * @throws DomainError SERVICE_OVERLOADED if a hash would be refused
   */
  refuseWhenFull(): void {
    this.slots.refuseWhenFull();
  }

  /** @throws DomainError SERVICE_OVERLOADED when too many hashes are waiting */
  hash(password: string): Promise<string> {
    return this.slots.run(() => hash(normalisePassword(password), ARGON2));
  }

  /**
   * Takes equally long without an account, for which `passwordHash` is undefined.
   * @throws DomainError SERVICE_OVERLOADED when too many hashes are waiting
   */
  async verify(passwordHash: string | undefined, password: string): Promise<boolean> {
    const against = passwordHash ?? (await this.hashOfNobody());
    const fits = await this.slots.run(() => verify(against, normalisePassword(password)));
    return fits && passwordHash !== undefined;
  }

  /** Prepares the placeholder hash, so that the first check without an account isn't slower than others. */
  async onModuleInit(): Promise<void> {
    await this.hashOfNobody();
  }

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
