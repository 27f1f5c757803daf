import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { fakeApi, refusal } from '../../testing/fake-api';
import { renderScreen } from '../../testing/render-screen';
import { aUser, TOPICS } from '../../testing/samples';
import { FollowCard } from './follow-card';

const [ppc, seo] = TOPICS as [(typeof TOPICS)[0], (typeof TOPICS)[0]];
const PATH = '/api/user/topics';
const box = (name: string) => screen.findByRole<HTMLInputElement>('checkbox', { name });

describe('What a member follows', () => {
  it('is followed and left with a press each, and links to the feeds of what is followed', async () => {
    let followed = [seo];
    const requests = fakeApi({
      'GET /api/topics': () => ({ body: TOPICS }),
      [`GET ${PATH}`]: () => ({ body: followed }),
      [`PUT ${PATH}/${ppc.id}`]: () => {
        followed = TOPICS;
        return { status: 204 };
      },
      [`DELETE ${PATH}/${seo.id}`]: () => {
        followed = [ppc];
        return { status: 204 };
      },
    });
    const { toasts } = renderScreen(<FollowCard />, { user: aUser() });
    expect((await box('SEO')).checked).toBe(true);
    expect(screen.queryByRole('group', { name: 'Feeds of PPC' })).toBeNull();
    await userEvent.click(await box('PPC'));
    await screen.findByRole('group', { name: 'Feeds of PPC' });
    await userEvent.click(await box('SEO'));
    await waitFor(() => expect(screen.queryByRole('group', { name: 'Feeds of SEO' })).toBeNull());
    expect([(await box('PPC')).checked, (await box('SEO')).checked]).toEqual([true, false]);
    expect(requests.filter(({ method }) => method !== 'GET').map(({ method }) => method)).toEqual([
      'PUT',
      'DELETE',
    ]);
    await waitFor(() =>
      expect(toasts.map(({ title }) => title)).toEqual(['You follow PPC', 'You no longer follow SEO']),
    );
  });

  it('says that it could not be saved, and shows what is', async () => {
    fakeApi({
      'GET /api/topics': () => ({ body: TOPICS }),
      [`GET ${PATH}`]: () => ({ body: [] }),
      [`PUT ${PATH}/${seo.id}`]: () => refusal(404, 'TOPIC_NOT_FOUND', 'There is no such topic'),
    });
    const { toasts } = renderScreen(<FollowCard />, { user: aUser() });
    await userEvent.click(await box('SEO'));
    await waitFor(() => expect(toasts[0]?.description).toBe('There is no such topic'));
    expect((await box('SEO')).checked).toBe(false);
  });

  it('is not spoken of where the community has no topics', async () => {
    fakeApi({ 'GET /api/topics': () => ({ body: [] }), [`GET ${PATH}`]: () => ({ body: [] }) });
    const { container } = renderScreen(<FollowCard />, { user: aUser() });
    expect(container.textContent).not.toBe('');
    await waitFor(() => expect(container.textContent).toBe(''));
  });
});
