import { QueryObserver } from '@tanstack/react-query';
import { waitFor } from '@testing-library/react';
import { fakeApi, refusal } from '../testing/fake-api';
import { refusals } from '../strings/refusals';
import { readUnlessUnauthorized, refusedFields, send, serverMessage, ApiError } from './client';
import { nextOf, readAll, withQuery } from './pages';
import { createQueryClient, CURRENT_USER_KEY } from './query-client';

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

  describe('of a form', () => {
    const given = {
      fields: {
        linkedInUrl: ['linkedInUrl must be a http or https address'],
        firstName: ['First name is required'],
        'agenda[3].title': ['agenda[3].title must have at most 255 characters'],
        hosts: ['hosts[10] is one too many: there may be 10'],
        surprise: ['surprise is of a new kind'],
      },
      rules: {
        linkedInUrl: { rule: 'isWebUrl' },
        firstName: { rule: 'required' },
        'agenda[3].title': { rule: 'maxLength', limit: 255 },
        hosts: { rule: 'isListOf', limit: 10 },
        surprise: { rule: 'isNewKind' },
      },
    };
    const refused = async () => {
      fakeApi({
        'PUT /api/user/profile': () => refusal(400, 'VALIDATION_FAILED', 'linkedInUrl must be', given),
      });
      return send('/api/user/profile', { method: 'PUT' }).catch((error: unknown) => error);
    };
    afterEach(() => document.documentElement.setAttribute('lang', 'en-US'));

    it('says what is wrong with each field without the API’s name of it, which its label stands for', async () => {
      document.documentElement.setAttribute('lang', 'en-US');
      const error = await refused();
      expect(refusedFields(error)).toEqual({
        linkedInUrl: 'Please enter a web address that begins with http:// or https://',
        firstName: 'First name is required',
        'agenda[3].title': 'No. 4: At most 255 characters',
        hosts: 'At most 10 entries, each of them valid and only once',
        surprise: 'Please check this',
      });
      expect(serverMessage(error)).toMatch(/^Some fields are not valid: Please enter/);
    });

    it('takes none of the API’s own words where the page speaks another language', async () => {
      document.documentElement.setAttribute('lang', 'de');
      expect(refusedFields(await refused()).firstName).toBe('Please fill this in');
    });
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

describe('The cache of answers', () => {
  it('asks who the user is again when any query is answered 401, and after no other failure', async () => {
    const client = createQueryClient();
    let asked = 0;
    const observer = new QueryObserver(client, {
      queryKey: CURRENT_USER_KEY,
      queryFn: () => Promise.resolve((asked += 1)),
    });
    const stop = observer.subscribe(() => {});
    await waitFor(() => expect(asked).toBe(1));
    const fail = (status: number) =>
      client
        .fetchQuery({
          queryKey: ['/api/my-events', status],
          queryFn: () => Promise.reject(new ApiError(status, 'refused', null)),
        })
        .catch((error: unknown) => error);
    await fail(403);
    await fail(503);
    expect(asked).toBe(1);
    await fail(401);
    await waitFor(() => expect(asked).toBe(2));
    stop();
    client.clear();
  });
});
