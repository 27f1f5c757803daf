import { jest } from '@jest/globals';
import type { Redis } from 'ioredis';
import { RedisClock } from './clock.js';

const LATE = 300;

describe('the Redis clock', () => {
  /** Milliseconds elapsed on this host's fake clock. */
  let passed = 0;
  beforeEach(() => {
    jest.spyOn(performance, 'now').mockImplementation(() => passed);
    jest.spyOn(Date, 'now').mockImplementation(() => 1_800_000_000_000 + passed);
  });
  afterEach(() => jest.restoreAllMocks());

  /**
   * Returns a fake Redis. Its clock is `ahead` milliseconds ahead, and it answers after `answersLate`
   * milliseconds.
   */
  const redisThat = ({ ahead = 0, answersLate = 0 }) => {
    const time = () => {
      const ms = Date.now() + ahead;
      passed += answersLate;
      return Promise.resolve([String(Math.floor(ms / 1_000)), String((ms % 1_000) * 1_000)]);
    };
    return { time } as unknown as Redis;
  };

  const ahead = (clock: RedisClock) => clock.now() - Date.now();

  it('uses the first answer of Redis, even a slow one', async () => {
    const clock = new RedisClock();
    await clock.synchronise(redisThat({ ahead: 60_000, answersLate: LATE }));
    expect(ahead(clock)).toBe(60_000 - LATE / 2); // Assumes that Redis reads its clock halfway.
  });

  it('ignores a slow answer after a fast one', async () => {
    const clock = new RedisClock();
    await clock.synchronise(redisThat({}));
    await clock.synchronise(redisThat({ answersLate: LATE }));
    expect(ahead(clock)).toBe(0);
  });

  it('adopts the clock of another Redis after a failover', async () => {
    const clock = new RedisClock();
    await clock.synchronise(redisThat({}));
    await clock.synchronise(redisThat({ ahead: -60_000, answersLate: LATE }));
    expect(ahead(clock)).toBe(-60_000 - LATE / 2);
  });
});
