import { jest } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { Event } from '@meetmark/contracts';
import { fakeApi, refusal } from '../../testing/fake-api';
import { renderScreen } from '../../testing/render-screen';
import { anEvent, aUser, TOPICS } from '../../testing/samples';
import { EventMenu } from './event-menu';

const PATH = `/api/events/${anEvent().id}`;
const open = async (event: Event) => {
  const rendered = renderScreen(<EventMenu event={event} onDuplicate={jest.fn()} onDelete={jest.fn()} />, {
    user: aUser({ isAdmin: true }),
  });
  await userEvent.click(screen.getByRole('button', { name: `More: ${event.title}` }));
  await screen.findByRole('menu');
  return rendered;
};
const choose = async (item: string) => {
  await userEvent.click(await screen.findByRole('menuitem', { name: item }));
  return within(await screen.findByRole('dialog'));
};

describe('What an organiser does with an event', () => {
  it.each([
    ['a draft', { status: 'draft' }, ['Publish', 'Preview link', 'Duplicate', 'Make a series', 'Delete']],
    ['what is published', { capacity: 10, seriesId: 's' }, ['Duplicate', 'Cancel event', 'Delete']],
    ['what is over', { registrationState: 'ended' }, ['Duplicate', 'Make a series', 'Delete']],
    ['what is cancelled', { status: 'cancelled', registrationState: 'cancelled' }, ['Duplicate', 'Delete']],
  ] as const)('of %s', async (_, given, items) => {
    fakeApi({});
    await open(anEvent(given));
    expect(screen.getAllByRole('menuitem').map(({ textContent }) => textContent)).toEqual(items);
  });

  it('publishes after a question, and announces only where the organiser says so', async () => {
    const draft = anEvent({ status: 'draft', topics: TOPICS, announcement: 'planned', version: 4 });
    const requests = fakeApi({
      [`GET ${PATH}`]: () => ({ body: draft }),
      [`POST ${PATH}/publish`]: () => ({ body: anEvent() }),
    });
    const publish = async (event: Event, press: boolean) => {
      const { unmount, toasts } = await open(event);
      const dialog = await choose('Publish');
      const box = dialog.queryByRole<HTMLInputElement>('checkbox', { name: 'Announce it by email' });
      // as the draft says
      if (box) await waitFor(() => expect(box.checked).toBe(true));
      if (press) await userEvent.click(box!);
      await userEvent.click(dialog.getByRole('button', { name: 'Publish' }));
      const sent = () => requests.filter(({ method }) => method === 'POST');
      await waitFor(() => expect(toasts[0]?.description).toBe('Event published successfully'));
      unmount();
      const [{ body } = {}] = sent();
      requests.length = 0;
      return [box !== null, body];
    };
    expect(await publish(draft, false)).toEqual([true, { version: 4 }]);
    expect(await publish(draft, true)).toEqual([true, { version: 4, announce: false }]);
    expect(await publish({ ...draft, topics: [] }, false)).toEqual([false, { version: 4 }]);
    expect(await publish({ ...draft, visibility: 'unlisted' }, false)).toEqual([false, { version: 4 }]);
  });

  it('cancels with a reason, after reading how many are told', async () => {
    const requests = fakeApi({ [`POST ${PATH}/cancel`]: () => ({ body: anEvent({ status: 'cancelled' }) }) });
    const { toasts } = await open(anEvent({ registrationCount: 23, waitingCount: 4 }));
    const dialog = await choose('Cancel event');
    dialog.getByText('27 people are told by mail.');
    await userEvent.type(dialog.getByLabelText('Reason (optional)'), 'Our speaker is ill.');
    await userEvent.click(dialog.getByRole('button', { name: 'Cancel Event' }));
    await waitFor(() => expect(toasts[0]?.description).toBe('Event cancelled successfully'));
    expect(requests[0]?.body).toEqual({ version: 1, reason: 'Our speaker is ill.' });
  });

  it('keeps the dialog, and what was typed in it, when cancelling is refused', async () => {
    fakeApi({ [`POST ${PATH}/cancel`]: () => refusal(409, 'EDIT_CONFLICT', 'This has been changed') });
    const { toasts } = await open(anEvent());
    const dialog = await choose('Cancel event');
    dialog.getByText('Nobody is registered, so nobody gets a mail.');
    await userEvent.type(dialog.getByLabelText('Reason (optional)'), 'Ill.');
    await userEvent.click(dialog.getByRole('button', { name: 'Cancel Event' }));
    await waitFor(() => expect(toasts[0]?.description).toBe('This has been changed'));
    expect(dialog.getByLabelText<HTMLTextAreaElement>('Reason (optional)').value).toBe('Ill.');
  });

  it('makes a preview link, which can be copied and ended', async () => {
    fakeApi({
      [`POST ${PATH}/preview`]: () => ({ status: 201, body: { token: 'abc' } }),
      [`DELETE ${PATH}/preview`]: () => ({ status: 204 }),
    });
    await open(anEvent({ status: 'draft' }));
    const dialog = await choose('Preview link');
    await userEvent.click(dialog.getByRole('button', { name: 'Make a link' }));
    const link = await dialog.findByLabelText<HTMLInputElement>('Link to the draft');
    expect(new URL(link.value).pathname).toBe('/events/preview/abc');
    await userEvent.click(dialog.getByRole('button', { name: 'End the link' }));
    await dialog.findByRole('button', { name: 'Make a link' });
  });

  it('makes a series of six, and refuses a number that no series has', async () => {
    const requests = fakeApi({
      [`POST ${PATH}/series`]: () => ({ status: 201, body: Array(5).fill(anEvent()) }),
    });
    const { toasts } = await open(anEvent());
    const dialog = await choose('Make a series');
    const count = dialog.getByLabelText('Events in all');
    await userEvent.clear(count);
    await userEvent.type(count, '13');
    await userEvent.click(dialog.getByRole('button', { name: 'Make drafts' }));
    dialog.getByText('A series has 2 to 12 events');
    await userEvent.clear(count);
    await userEvent.type(count, '6');
    await userEvent.click(dialog.getByRole('radio', { name: 'Two weeks' }));
    await userEvent.click(dialog.getByRole('button', { name: 'Make drafts' }));
    await waitFor(() => expect(toasts[0]?.description).toBe('5 drafts made'));
    expect(requests.map(({ body }) => body)).toEqual([{ every: 'two-weeks', count: 6 }]);
  });
});
