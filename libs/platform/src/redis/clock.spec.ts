import { jest } from '@jest/globals';
import type { Redis } from 'ioredis';
import { IDLE_TICK, noteWork, onTicks, RedisClock, TICK, untilNext } from './clock.js';

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

describe('regular looks', () => {
  beforeEach(() => {
    jest.useFakeTimers({ now: 1_800_000_000_130 });
    noteWork();
  });
  afterEach(() => jest.useRealTimers());
  const seen: [string, number][] = [];
  const note = (name: string) => () => seen.push([name, Date.now() % 100_000]);
  beforeEach(() => (seen.length = 0));

  it('come in the same turn, at whole multiples by the clock of the host, and no later than they are asked for', () => {
    const stopFirst = onTicks(TICK, note('first'));
    jest.advanceTimersByTime(100); // the second one is asked for later
    const stopSecond = onTicks(3 * TICK, note('second'));
    jest.advanceTimersByTime(1_500);
    expect(seen).toEqual([
      ['first', 500],
      ['first', 1_000],
      ['first', 1_500],
      ['second', 1_500],
    ]);
    stopFirst();
    jest.advanceTimersByTime(1_500);
    expect(seen.slice(4)).toEqual([['second', 3_000]]);
    stopSecond();
    expect(jest.getTimerCount()).toBe(0);
  });

  it('wake the process for nothing else', () => {
    const stop = onTicks(8 * TICK, note('far'));
    jest.advanceTimersToNextTimer();
    expect(seen).toEqual([['far', 4_000]]);
    stop();
  });

  it('pause while nobody asks, some of them, and come together with the first who does', () => {
    const stops = [onTicks(TICK, note('steady')), onTicks(TICK, note('resting'), IDLE_TICK)];
    jest.advanceTimersByTime(5_500);
    seen.length = 0;
    jest.advanceTimersByTime(2_000);
    expect(seen).toEqual([
      ['steady', 6_000],
      ['resting', 6_000],
      ['steady', 6_500],
      ['steady', 7_000],
      ['resting', 7_000],
      ['steady', 7_500],
    ]);
    seen.length = 0;
    jest.advanceTimersByTime(30);
    noteWork();
    expect(seen).toEqual([['resting', 7_660]]);
    noteWork();
    jest.advanceTimersByTime(1_000);
    expect(seen.slice(1)).toEqual([
      ['steady', 8_000],
      ['resting', 8_000],
      ['steady', 8_500],
      ['resting', 8_500],
    ]);
    stops.forEach((stop) => stop());
  });

  it('know how long it is until the next one, or some milliseconds before it', () => {
    expect(untilNext(1_000)).toBe(870);
    expect(untilNext(1_000, 5)).toBe(865);
    jest.setSystemTime(1_800_000_000_996);
    expect(untilNext(1_000, 5)).toBe(999); // past that moment: the one after it
  });
});
