import type { ListedTopic } from '@meetmark/contracts';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { fakeApi, refusal } from '../../../testing/fake-api';
import { renderScreen } from '../../../testing/render-screen';
import { aUser, TOPICS } from '../../../testing/samples';
import TopicsPage from './topics-page';

const [ppc, seo] = TOPICS as [ListedTopic, ListedTopic];
const meet = (handlers: Parameters<typeof fakeApi>[0] = {}, topics = TOPICS) => {
  const requests = fakeApi({ 'GET /api/topics': () => ({ body: topics }), ...handlers });
  const { toasts } = renderScreen(<TopicsPage />, { user: aUser({ isAdmin: true }) });
  const sent = () =>
    requests.filter(({ method }) => method !== 'GET').map(({ method, path, body }) => [method, path, body]);
  return { sent, toasts };
};
const replace = (field: HTMLElement, value: string) => fireEvent.change(field, { target: { value } });
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));
const dialog = async () => within(await screen.findByRole('dialog'));

describe('The Topics page', () => {
  it('shows how many topics exist and how many upcoming events each has', async () => {
    meet();
    await screen.findByText('2 of 12');
    expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      expect.stringContaining('PPCppc · no upcoming events'),
      expect.stringContaining('SEOseo · 2 upcoming events'),
    ]);
  });

  it('adds topics, and asks for a link name for a non-Latin name', async () => {
    const answers = [
      () => ({ status: 201, body: ppc }),
      () =>
        refusal(400, 'VALIDATION_FAILED', 'Some fields are not valid', {
          fields: { slug: ['slug is required'] },
        }),
      () => ({ status: 201, body: seo }),
    ];
    const { sent, toasts } = meet({ 'POST /api/topics': () => answers.shift()!() });
    const name = await screen.findByLabelText<HTMLInputElement>('New topic');
    await press('Add');
    await screen.findByText('Give it a name');
    replace(name, ' Growth ');
    await press('Add');
    await waitFor(() => expect(toasts[0]?.description).toBe('Topic added'));
    expect(name.value).toBe('');
    replace(name, '検索');
    await press('Add');
    replace(await screen.findByLabelText(/^Link name/), 'search');
    await press('Add');
    await waitFor(() => expect(sent()).toHaveLength(3));
    expect(sent().map(([, , body]) => body)).toEqual([
      { name: 'Growth' },
      { name: '検索' },
      { name: '検索', slug: 'search' },
    ]);
  });

  it('renames a topic, and warns that old links stop working', async () => {
    const answers = [
      () => refusal(409, 'TOPIC_EXISTS', 'A topic with this name or URL already exists'),
      () => ({ body: seo }),
    ];
    const { sent, toasts } = meet({ [`PUT /api/topics/${seo.id}`]: () => answers.shift()!() });
    await press('Rename: SEO');
    const form = await dialog();
    replace(form.getByLabelText('Name'), 'SEO & more');
    replace(form.getByLabelText(/^Link name/), 'seo-2');
    form.getByText('Feeds and links with the old name will stop working.');
    await userEvent.click(form.getByRole('button', { name: 'Save' }));
    await form.findByText('A topic with this name or URL already exists');
    await userEvent.click(form.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(toasts.at(-1)?.description).toBe('Topic renamed'));
    expect(sent()[1]).toEqual(['PUT', `/api/topics/${seo.id}`, { name: 'SEO & more', slug: 'seo-2' }]);
  });

  it('merges or deletes topics after confirmation', async () => {
    const { sent, toasts } = meet({
      [`POST /api/topics/${ppc.id}/merge`]: () => ({ body: seo }),
      [`DELETE /api/topics/${seo.id}`]: () => ({ status: 204 }),
    });
    await press('Merge: PPC');
    const merge = await dialog();
    expect(merge.getByLabelText('Into').textContent).toBe('SEO');
    await userEvent.click(merge.getByRole('button', { name: 'Merge' }));
    await waitFor(() => expect(toasts[0]?.description).toBe('Topics merged'));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await press('Delete: SEO');
    await userEvent.click((await dialog()).getByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(toasts[1]?.description).toBe('Topic deleted'));
    expect(sent()).toEqual([
      ['POST', `/api/topics/${ppc.id}/merge`, { into: seo.id }],
      ['DELETE', `/api/topics/${seo.id}`, undefined],
    ]);
  });

  it('hides the field for a new topic when there are twelve topics', async () => {
    const twelve = Array.from({ length: 12 }, (_, n) => ({ ...seo, id: String(n), name: `Topic ${n}` }));
    meet({}, twelve);
    await screen.findByText(/^You have 12 topics/);
    expect(screen.queryByLabelText('New topic')).toBeNull();
  });

  it('says that there are no topics yet', async () => {
    meet({}, []);
    await screen.findByText('No topics yet');
    screen.getByLabelText('New topic');
  });
});
