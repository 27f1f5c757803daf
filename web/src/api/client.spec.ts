import { fakeApi, refusal } from '../testing/fake-api';
import { refusals } from '../strings/refusals';
import { readUnlessUnauthorized, send, serverMessage } from './client';
import { nextOf, readAll, withQuery } from './pages';

describe('A call that is not a success', () => {
  it('has the status and the text as its message, and the server sentence apart', async () => {
    fakeApi({ 'GET /api/events': () => refusal(401, 'UNAUTHORIZED', 'Unauthorized: sign in to continue') });
    const error: unknown = await send('/api/events').catch((caught: unknown) => caught);
    expect((error as Error).message).toMatch(/^401: .*Unauthorized/);
    expect(serverMessage(error)).toBe('Unauthorized: sign in to continue');
  });

  it('speaks the language of the page', async () => {
    fakeApi({ 'GET /api/events': () => refusal(409, 'EVENT_FULL', 'This event is at full capacity') });
    refusals.EVENT_FULL = 'Ausgebucht';
    try {
      const failure = await send('/api/events').catch((error: unknown) => error);
      expect(serverMessage(failure)).toBe('Ausgebucht');
    } finally {
      delete refusals.EVENT_FULL;
    }
  });

  it('reads as nobody where nobody may be signed in', async () => {
    fakeApi({ 'GET /api/user': () => refusal(401, 'UNAUTHORIZED', 'Unauthorized') });
    await expect(readUnlessUnauthorized('/api/user')).resolves.toBeNull();
  });

  it('stays a failure there when it is anything but a 401', async () => {
    fakeApi({ 'GET /api/user': () => refusal(503, 'SERVICE_UNAVAILABLE', 'Later') });
    await expect(readUnlessUnauthorized('/api/user')).rejects.toThrow('503: ');
  });
});

describe('A list in pages', () => {
  it('goes on where the Link header says', () => {
    expect(nextOf('</api/events/public?limit=2&cursor=abc>; rel="next"')).toBe(
      '/api/events/public?limit=2&cursor=abc',
    );
    expect(nextOf(null)).toBeNull();
  });

  it('is read to its end where all of it is needed', async () => {
    const next = (cursor: string) => ({ link: `</api/list?cursor=${cursor}>; rel="next"` });
    const requests = fakeApi({
      'GET /api/list': ({ query }) => {
        const cursor = query.get('cursor');
        if (cursor === null) return { body: [1, 2], headers: next('a') };
        return cursor === 'a' ? { body: [3], headers: next('b') } : { body: [4] };
      },
    });
    expect(await readAll<number>('/api/list')).toEqual([1, 2, 3, 4]);
    expect(requests).toHaveLength(3);
  });

  it('is asked for without the filters that are empty', () => {
    expect(withQuery('/api/events/public', { q: '', price: undefined, time: 'past', limit: 2 })).toBe(
      '/api/events/public?time=past&limit=2',
    );
  });
});
