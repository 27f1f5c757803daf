import { RouteConcurrency } from './route-concurrency.js';

describe('what waits on one path', () => {
  let now: number;
  let load: RouteConcurrency;
  beforeEach(() => {
    now = 0;
    load = new RouteConcurrency(() => now);
  });

  const begin = (count: number) => {
    let entered = 0;
    for (let each = 0; each < count; each += 1) {
      if (load.isFull()) continue;
      load.begin();
      entered += 1;
    }
    return entered;
  };
  const answer = (count: number, answered = true) => {
    for (let each = 0; each < count; each += 1) load.end({ answered });
  };
  /** So many a second are answered, while so many more keep coming that none is ever missing. */
  const answering = (perSecond: number, ms: number, asked = 3) => {
    let refused = 0;
    for (const until = now + ms; now < until;) {
      now += 10;
      answer(perSecond / 100);
      const wanted = (asked * perSecond) / 100;
      refused += wanted - begin(wanted);
    }
    return refused;
  };

  it('is not limited while all are answered soon', () => {
    begin(400);
    expect(answering(1_000, 5_000, 1)).toBe(0);
    load = new RouteConcurrency(() => now);
    begin(120); // however long they wait
    expect(answering(100, 5_000, 1)).toBe(0);
  });

  it('may be a crowd, out of nowhere', () => {
    expect(begin(1_000)).toBe(1_000);
    now += 200;
    expect(begin(1_000)).toBe(1_000);
  });

  it('is held to what is answered in a quarter of a second once it would take longer than half a second', () => {
    begin(150);
    answering(200, 5_000);
    const waiting = 50; // of 200 a second, 250 ms
    now += 10;
    answer(waiting);
    expect(begin(1_000)).toBeLessThanOrEqual(waiting * 1.2);
    expect(begin(1_000)).toBe(0);
  });

  it('is held to it from the first that a service had no room for', () => {
    begin(20);
    expect(load.isFull()).toBe(false);
    load.refused();
    expect(load.isFull()).toBe(true);
    answer(10);
    expect(begin(20)).toBe(6); // sixteen may always wait
  });

  it('lets in who waits for little while one network fills the rest', () => {
    begin(16);
    load.refused();
    expect(load.isFull()).toBe(true);
    const one = (network: string) => {
      if (load.isFull(network)) return false;
      load.begin(network);
      return true;
    };
    expect(['a', 'a', 'a', 'b'].map(one)).toEqual([true, true, false, true]);
    load.end({ answered: true }, 'a');
    expect([one('a'), one('a')]).toEqual([true, false]);
    for (let n = 0; n < 30; n += 1) one(`network ${n}`);
    expect(one('the last')).toBe(false); // twice as many at most
  });

  it('is free again when for a second nobody had to be refused', () => {
    begin(20);
    load.refused();
    for (let each = 0; each < 3; each += 1) {
      now += 900;
      expect(load.isFull()).toBe(true); // which is a refusal too
    }
    now += 1_000;
    expect(begin(40)).toBe(40);
  });

  it('learns that it goes faster again, however few were answered', () => {
    begin(20);
    load.refused();
    answer(20, false);
    expect(answering(1_000, 3_000, 1)).toBeLessThan(200);
    now += 10;
    answer(10);
    expect(load.isFull()).toBe(false);
  });
});
