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
   * Returns a fake Redis. Its clock is `ahead` milliseconds ahead, and it answers after `late`
   * milliseconds.
   */
  const redisThat = ({ ahead = 0, late = 0 }) => {
    const time = () => {
      const ms = Date.now() + ahead;
      passed += late;
      return Promise.resolve([String(Math.floor(ms / 1_000)), String((ms % 1_000) * 1_000)]);
    };
    return { time } as unknown as Redis;
  };

  it.each([
    // Assumes that Redis reads its clock halfway.
    ['uses the first answer of Redis, even a slow one', [{ ahead: 60_000, late: LATE }], 60_000 - LATE / 2],
    ['ignores a slow answer after a fast one', [{}, { late: LATE }], 0],
    ['adopts another clock after a failover', [{}, { ahead: -60_000, late: LATE }], -60_000 - LATE / 2],
  ])('%s', async (_, answers, expected) => {
    const clock = new RedisClock();
    for (const each of answers) await clock.synchronise(redisThat(each));
    expect(clock.now() - Date.now()).toBe(expected);
  });
});
