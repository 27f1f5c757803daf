import { DomainError } from '@meetmark/contracts';
import { Logger } from '@nestjs/common';
import { lastValueFrom } from 'rxjs';
import { RefusalFilter } from './handles.js';

describe('errors thrown by a handler', () => {
  const told: unknown[] = [];
  const tell = (message: unknown) => told.push(message);
  beforeAll(() => Logger.overrideLogger({ log: tell, warn: tell, error: tell }));
  beforeEach(() => (told.length = 0));
  afterAll(() => Logger.overrideLogger(false));

  const leavesAs = (filter: RefusalFilter, error: unknown) =>
    lastValueFrom(filter.catch(error)).catch((refusal: DomainError) => refusal.code);
  const lost = () => new Error('Connection terminated unexpectedly');

  it('logs only the first of two successive lost connections', async () => {
    const filter = new RefusalFilter();
    const cause = lost();
    expect(await leavesAs(filter, cause)).toBe('SERVICE_UNAVAILABLE');
    expect(await leavesAs(filter, lost())).toBe('SERVICE_UNAVAILABLE');
    expect(told).toEqual([{ err: cause, msg: 'Handler refused a message: SERVICE_UNAVAILABLE' }]);
  });

  it('does not log expected refusals, but each unexpected error', async () => {
    const filter = new RefusalFilter();
    const refusal = new DomainError('EVENT_FULL', undefined, { cause: lost() });
    expect(await leavesAs(filter, refusal)).toBe('EVENT_FULL');
    expect(await leavesAs(filter, new DomainError('SERVICE_OVERLOADED'))).toBe('SERVICE_OVERLOADED');
    expect(told).toEqual([]);
    for (const time of [1, 2]) {
      expect(await leavesAs(filter, new TypeError('not a function'))).toBe('INTERNAL');
      expect(told).toHaveLength(time);
    }
  });
});
