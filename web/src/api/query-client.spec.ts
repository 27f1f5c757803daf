import { QueryObserver } from '@tanstack/react-query';
import { waitFor } from '@testing-library/react';
import { ApiError } from './client';
import { createQueryClient, CURRENT_USER_KEY } from './query-client';

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
