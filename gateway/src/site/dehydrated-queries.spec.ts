import { setImmediate as turn } from 'node:timers/promises';
import { DomainError } from '@meetmark/contracts';
import type { EventResponses } from '../cache/event-responses.js';
import { DehydratedQueries } from './dehydrated-queries.js';

it('leaves no failure unhandled when the events of a calendar page can’t be read', async () => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => unhandled.push(reason);
  process.on('unhandledRejection', note);
  try {
    const list = () => Promise.reject(new DomainError('SERVICE_UNAVAILABLE'));
    const queries = new DehydratedQueries(
      { timeZone: 'UTC' } as never,
      { list } as unknown as EventResponses,
    );
    await expect(queries.of({ visitor: false, month: true })).rejects.toThrow(DomainError);
    await turn();
    expect(unhandled).toEqual([]);
  } finally {
    process.off('unhandledRejection', note);
  }
});
