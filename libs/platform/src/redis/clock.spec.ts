import { jest } from '@jest/globals';
import type { Redis } from 'ioredis';
import { RedisClock } from './clock.js';

const LATE = 300;

describe("Redis's time", () => {
  /** Milliseconds that have passed here. */
  let passed = 0;
  beforeEach(() => {
    jest.spyOn(performance, 'now').mockImplementation(() => passed);
    jest.spyOn(Date, 'now').mockImplementation(() => 1_800_000_000_000 + passed);
  });
  afterEach(() => jest.restoreAllMocks());

  /** A Redis whose clock is `ahead` of ours, and whose answer takes its time. */
  const redisThat = ({ ahead = 0, answersLate = 0 }) => {
    const time = () => {
      const ms = Date.now() + ahead;
      passed += answersLate;
      return Promise.resolve([String(Math.floor(ms / 1_000)), String((ms % 1_000) * 1_000)]);
    };
    return { time } as unknown as Redis;
  };

  /** Milliseconds that Redis's time is ahead of ours. */
  const ahead = (clock: RedisClock) => clock.now() - Date.now();

  it('is told from the first answer on, however late that comes', async () => {
    const clock = new RedisClock();
    await clock.synchronise(redisThat({ ahead: 60_000, answersLate: LATE }));
    expect(ahead(clock)).toBe(60_000 - LATE / 2); // as if Redis had looked at its clock half-way
  });

  it('is not put wrong by an answer that was long on its way', async () => {
    const clock = new RedisClock();
    await clock.synchronise(redisThat({}));
    await clock.synchronise(redisThat({ answersLate: LATE }));
    expect(ahead(clock)).toBe(0);
  });

  it('is that of another Redis once it has taken over', async () => {
    const clock = new RedisClock();
    await clock.synchronise(redisThat({}));
    await clock.synchronise(redisThat({ ahead: -60_000, answersLate: LATE }));
    expect(ahead(clock)).toBe(-60_000 - LATE / 2);
  });
});
