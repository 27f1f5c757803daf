import { setTimeout as pause } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { RedisClock } from './clock.js';

const LATE = 300;

/** A Redis whose clock is `ahead` of ours, and whose answer takes its time. */
function redisThat({ ahead = 0, answersLate = 0 }): Redis {
  const time = async () => {
    const ms = Date.now() + ahead;
    await pause(answersLate);
    return [String(Math.floor(ms / 1_000)), String(Math.round((ms % 1_000) * 1_000))];
  };
  return { time } as unknown as Redis;
}

describe("Redis's time", () => {
  /** Milliseconds from ours, in either direction. */
  const apart = (clock: RedisClock) => Math.abs(clock.now() - Date.now());

  it('is told from the first answer on, however late that comes', async () => {
    const clock = new RedisClock();
    await clock.synchronise(redisThat({ ahead: 60_000, answersLate: LATE }));
    expect(Math.abs(apart(clock) - 60_000)).toBeLessThan(LATE);
  });

  it('is not put wrong by an answer that was long on its way', async () => {
    const clock = new RedisClock();
    await clock.synchronise(redisThat({}));
    await clock.synchronise(redisThat({ answersLate: LATE }));
    expect(apart(clock)).toBeLessThan(LATE / 3); // believed, it would be half of it
  });

  it('is that of another Redis once it has taken over', async () => {
    const clock = new RedisClock();
    await clock.synchronise(redisThat({}));
    await clock.synchronise(redisThat({ ahead: -60_000, answersLate: LATE }));
    expect(Math.abs(apart(clock) - 60_000)).toBeLessThan(LATE);
  });
});
