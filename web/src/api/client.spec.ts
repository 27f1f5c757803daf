import { QueryObserver } from '@tanstack/react-query';
import { waitFor } from '@testing-library/react';
import { fakeApi, refusal } from '../testing/fake-api';
import { refusals } from '../strings/refusals';
import { readUnlessUnauthorized, refusedFields, send, serverMessage, ApiError } from './client';
import { parseNextLink, readAll, withQuery } from './pages';
import { createQueryClient, CURRENT_USER_KEY } from './query-client';

describe('A failed API call', () => {
  it('throws an error with the status, the response text and the server’s message', async () => {
    fakeApi({ 'GET /api/events': () => refusal(401, 'UNAUTHORIZED', 'Unauthorized: sign in to continue') });
    const error: unknown = await send('/api/events').catch((caught: unknown) => caught);
    expect((error as Error).message).toMatch(/^401: .*Unauthorized/);
    expect(serverMessage(error)).toBe('Unauthorized: sign in to continue');
  });

  it('returns the translated message of a known error code', async () => {
    fakeApi({ 'GET /api/events': () => refusal(409, 'EVENT_FULL', 'This event is at full capacity') });
    refusals.EVENT_FULL = 'Ausgebucht';
    const message = await send('/api/events').catch(serverMessage);
    delete refusals.EVENT_FULL;
    expect(message).toBe('Ausgebucht');
  });

  describe('with invalid fields', () => {
    const given = {
      fields: {
        linkedInUrl: ['linkedInUrl must be a http or https address'],
        firstName: ['First name is required'],
        'agenda[3].title': ['agenda[3].title must have at most 255 characters'],
        hosts: ['hosts[10] is one too many: there may be 10'],
        surprise: ['surprise is of a new kind'],
      },
      rules: {
        ...{ linkedInUrl: { rule: 'isWebUrl' }, firstName: { rule: 'required' } },
        ...{ 'agenda[3].title': { rule: 'maxLength', limit: 255 }, hosts: { rule: 'isListOf', limit: 10 } },
        surprise: { rule: 'isNewKind' },
      },
    };
    const refused = async () => {
      fakeApi({
        'PUT /api/user/profile': () => refusal(400, 'VALIDATION_FAILED', 'linkedInUrl must be', given),
      });
      return send('/api/user/profile', { method: 'PUT' }).catch((error: unknown) => error);
    };

    it('describes each invalid field without repeating its API name', async () => {
      document.documentElement.setAttribute('lang', 'en-US');
      const error = await refused();
      expect(refusedFields(error)).toEqual({
        linkedInUrl: 'Please enter a web address that begins with http:// or https://',
        firstName: 'First name is required',
        'agenda[3].title': 'No. 4: At most 255 characters',
        hosts: 'At most 10 entries, all valid and different',
        surprise: 'Please check this',
      });
      expect(serverMessage(error)).toMatch(/^Some fields are not valid: Please enter/);
    });

    it('replaces the API’s English messages when the page is in another language', async () => {
      document.documentElement.setAttribute('lang', 'de');
      expect(refusedFields(await refused()).firstName).toBe('Please fill this in');
    });
  });

  it('readUnlessUnauthorized resolves to null on a 401, but rejects on a 503', async () => {
    const answers = [refusal(401, 'UNAUTHORIZED', 'No'), refusal(503, 'SERVICE_UNAVAILABLE', 'Later')];
    fakeApi({ 'GET /api/user': () => answers.shift()! });
    await expect(readUnlessUnauthorized('/api/user')).resolves.toBeNull();
    await expect(readUnlessUnauthorized('/api/user')).rejects.toThrow('503: ');
  });
});

describe('A paginated list', () => {
  it('parseNextLink reads the path of the next page from the Link header', () => {
    expect(parseNextLink('</api/events/public?limit=2&cursor=abc>; rel="next"')).toBe(
      '/api/events/public?limit=2&cursor=abc',
    );
    expect(parseNextLink(null)).toBeNull();
  });

  it('readAll reads a list page by page to the end', async () => {
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

  it('withQuery leaves empty filters out of the URL', () => {
    expect(withQuery('/api/events/public', { q: '', price: undefined, time: 'past', limit: 2 })).toBe(
      '/api/events/public?time=past&limit=2',
    );
  });
});

describe('The query client', () => {
  it('refetches the current user after a 401, but not after other errors', async () => {
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
