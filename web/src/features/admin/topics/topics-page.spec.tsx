import type { ListedTopic } from '@meetmark/contracts';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { fillFields, findDialog, getTexts, press } from '../../../testing/actions';
import { enterText } from '../../../testing/enter-text';
import { fakeApi, type Handlers, refusal } from '../../../testing/fake-api';
import { findToast, renderScreen } from '../../../testing/render-screen';
import { aUser, TOPICS } from '../../../testing/samples';
import TopicsPage from './topics-page';

const [ppc, seo] = TOPICS as [ListedTopic, ListedTopic];
const meet = (handlers: Handlers = {}, topics = TOPICS) => {
  const requests = fakeApi({ 'GET /api/topics': () => ({ body: topics }), ...handlers });
  return { requests, ...renderScreen(<TopicsPage />, { user: aUser({ isAdmin: true }) }) };
};

describe('The Topics page', () => {
  it('shows how many topics exist and how many upcoming events each has', async () => {
    meet();
    await screen.findByText('2 of 12');
    expect(getTexts(screen.getAllByRole('listitem'))).toEqual([
      expect.stringContaining('PPCppc · no upcoming events'),
      expect.stringContaining('SEOseo · 2 upcoming events'),
    ]);
  });

  it('adds topics, and asks for a link name for a non-Latin name', async () => {
    const missing = refusal(400, 'VALIDATION_FAILED', 'No', { fields: { slug: ['slug is required'] } });
    const answers = [{ status: 201, body: ppc }, missing, { status: 201, body: seo }];
    const { requests, toasts } = meet({ 'POST /api/topics': () => answers.shift()! });
    const name = await screen.findByLabelText<HTMLInputElement>('New topic');
    await press('Add');
    await screen.findByText('Give it a name');
    fillFields({ 'New topic': ' Growth ' });
    await press('Add');
    await findToast(toasts, 'Topic added');
    expect(name.value).toBe('');
    fillFields({ 'New topic': '検索' });
    await press('Add');
    await enterText(await screen.findByLabelText(/^Link name/), 'search');
    await press('Add');
    await waitFor(() => expect(requests.sent()).toHaveLength(3));
    expect(requests.bodies()).toEqual([
      { name: 'Growth' },
      { name: '検索' },
      { name: '検索', slug: 'search' },
    ]);
  });

  it('renames a topic, and warns that old links stop working', async () => {
    const answers = [refusal(409, 'TOPIC_EXISTS', 'This topic already exists'), { body: seo }];
    const { requests, toasts } = meet({ [`PUT /api/topics/${seo.id}`]: () => answers.shift()! });
    await press('Rename: SEO');
    const form = await findDialog();
    fillFields({ Name: 'SEO & more' }, form);
    fireEvent.change(form.getByLabelText(/^Link name/), { target: { value: 'seo-2' } });
    form.getByText('Feeds and links with the old name will stop working.');
    await press('Save', form);
    await form.findByText('This topic already exists');
    await press('Save', form);
    await findToast(toasts, 'Topic renamed');
    expect(requests.bodies()[1]).toEqual({ name: 'SEO & more', slug: 'seo-2' });
  });

  it('merges or deletes topics after confirmation', async () => {
    const { requests, toasts } = meet({
      [`POST /api/topics/${ppc.id}/merge`]: () => ({ body: seo }),
      [`DELETE /api/topics/${seo.id}`]: () => ({ status: 204 }),
    });
    await press('Merge: PPC');
    const merge = await findDialog();
    expect(merge.getByLabelText('Into').textContent).toBe('SEO');
    await press('Merge', merge);
    await findToast(toasts, 'Topics merged');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await press('Delete: SEO');
    await press('Delete', await findDialog());
    await findToast(toasts, 'Topic deleted');
    expect(requests.changes()).toEqual([
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
