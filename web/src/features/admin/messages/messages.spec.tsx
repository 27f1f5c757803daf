import type { EventMessage, EventMessagePage } from '@meetmark/contracts';
import { messagesText as text } from '@meetmark/i18n/texts/messages';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { Route, Routes } from 'react-router-dom';
import { fakeApi, type Handlers, refusal } from '../../../testing/fake-api';
import { renderScreen } from '../../../testing/render-screen';
import { anEvent, aUser } from '../../../testing/samples';
import { Guests } from '../workspace/guests';
import { Messages } from './messages';

const event = anEvent({
  title: 'Search meetup',
  startDate: '2031-05-01T17:00:00.000Z',
  endDate: '2031-05-01T19:00:00.000Z',
});
const WORKSPACE = `/admin/events/${event.id}`;
const MESSAGES = `/api/admin/events/${event.id}/messages`;
const ID = '0190b000-0000-7000-8000-000000000009';
const message = (given: Partial<EventMessage> = {}): EventMessage => ({
  ...{ id: ID, author: { firstName: 'Olga', lastName: 'Organiser' }, segment: 'registered' },
  ...{ subject: 'A new room', replyTo: 'community', state: 'sent' },
  ...{ sendAt: '2031-04-01T10:00:00.000Z', startedAt: '2031-04-01T10:00:00.000Z' },
  ...{ createdAt: '2031-04-01T10:00:00.000Z', updatedAt: '2031-04-01T10:00:00.000Z' },
  ...{ recipients: 41, sent: 38, refused: 1, skipped: 2 },
  ...given,
});
const whole = (given: Partial<EventMessage> = {}): EventMessagePage => ({
  ...message(given),
  body: 'We meet **upstairs**.',
  registrationIds: [],
});
const page = (items: object[]) => () => ({ body: items, headers: { 'X-Total-Count': String(items.length) } });

function open(more: Handlers = {}, path = '/messages') {
  const requests = fakeApi({
    [`GET ${MESSAGES}`]: page([]),
    [`GET ${MESSAGES}/audience`]: () => ({ body: { registered: 41, waiting: 3, came: 0, did_not_come: 41 } }),
    [`POST ${MESSAGES}`]: () => ({ status: 201, body: whole() }),
    ...more,
  });
  const rendered = renderScreen(
    <Routes>
      <Route path={`${WORKSPACE}/messages`} element={<Messages event={event} />} />
      <Route path={`${WORKSPACE}/guests`} element={<Guests event={event} />} />
    </Routes>,
    { user: aUser({ isAdmin: true }), path: WORKSPACE + path },
  );
  return { ...rendered, requests };
}

const press = (name: string | RegExp) => fireEvent.click(screen.getByRole('button', { name }));
const type = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } });
async function compose(subject = '', body = '') {
  fireEvent.click(await screen.findByRole('button', { name: text.write }));
  await screen.findByRole('button', { name: text.send({ count: '41' }) });
  type(text.subjectLabel, subject);
  type(text.bodyLabel, body);
}

describe('The Messages section of an event', () => {
  it('lists messages with their delivery results, and the recipients of each', async () => {
    const person = { registrationId: ID, name: 'Ada Lovelace', email: 'ada@example.org' };
    const { requests } = open({
      [`GET ${MESSAGES}`]: page([message()]),
      [`GET ${MESSAGES}/${ID}`]: () => ({ body: whole() }),
      [`GET ${MESSAGES}/${ID}/recipients`]: page([
        { ...person, state: 'refused', at: '2031-04-01T10:00:02.000Z' },
      ]),
    });
    const list = within(await screen.findByRole('table', { name: text.list }));
    await list.findByText('A new room');
    for (const words of ['Registered', 'Sent', '38 of 41 sent, 1 not delivered, 2 skipped'])
      list.getByText(words);
    list.getByText(/^Apr 1, 2031, 11:00\sAM/);
    expect(list.queryByRole('button', { name: /Edit/ })).toBeNull();
    fireEvent.click(list.getByRole('button', { name: text.open({ subject: 'A new room' }) }));
    const recipients = within(await screen.findByRole('table', { name: text.recipients }));
    await recipients.findByText('Ada Lovelace');
    recipients.getByText(text.recipientStates.refused);
    expect(requests.at(-1)!.query.get('limit')).toBe('20');
  });

  it('sends a message to a group after missing fields and a refusal', async () => {
    const words = 'You can send at most 3 messages per event within 24 hours';
    const answers = [refusal(409, 'MESSAGE_LIMIT', words), { status: 201, body: whole() }];
    const { requests, toasts } = open({ [`POST ${MESSAGES}`]: () => answers.shift()! });
    await compose();
    fireEvent.click(screen.getByRole('radio', { name: 'Waiting (3)' }));
    press(text.send({ count: '3' }));
    await screen.findByText(text.subjectMissing);
    screen.getByText(text.bodyMissing);
    expect(requests.sent()).toEqual([]);
    type(text.subjectLabel, 'A new room');
    type(text.bodyLabel, 'We meet **upstairs**.');
    press(text.send({ count: '3' }));
    await screen.findByText(words);
    press(text.send({ count: '3' }));
    await waitFor(() => expect(toasts.map(({ description }) => description)).toContain(text.sentNow));
    const fields = { subject: 'A new room', body: 'We meet **upstairs**.', replyTo: 'author' };
    expect(requests.bodies()[1]).toEqual({ ...fields, segment: 'waiting' });
    expect(requests.sent()[0]!.headers.get('Idempotency-Key')).toBeTruthy();
  });

  it('sends a message to guests selected on the guest list', async () => {
    const registeredAt = '2031-04-01T09:00:00Z';
    const ada = { id: ID, name: 'Ada', email: 'ada@example.org', state: 'registered', registeredAt };
    const guests = [ada, { ...ada, id: 'no-address', name: 'Bob', email: null }];
    const { requests } = open({ [`GET /api/admin/events/${event.id}/guests`]: page(guests) }, '/guests');
    fireEvent.click(await screen.findByRole('checkbox', { name: 'Select all on this page' }));
    press('Message (1)');
    await screen.findByRole('button', { name: text.send({ count: '1' }) });
    screen.getByRole('radio', { name: 'Chosen (1)', checked: true });
    screen.getByText('Ada');
    type(text.subjectLabel, 'A seat at the front');
    type(text.bodyLabel, 'It is yours');
    press(text.send({ count: '1' }));
    await waitFor(() => expect(requests.sent()).toHaveLength(1));
    expect(requests.bodies()[0]).toMatchObject({ segment: 'chosen', registrationIds: [ID] });
    await waitFor(() => expect(window.history.state).toMatchObject({ usr: null }));
  });

  it('keeps an unsent message as a draft in the browser', async () => {
    const kept = () =>
      Object.values(localStorage).filter((value) => String(value).includes('Half a message'));
    const first = open();
    await compose('Half a message', 'Bring your');
    await waitFor(() => expect(kept().join()).toContain('Bring your'));
    first.unmount();
    const { requests } = open();
    await compose();
    press('Restore');
    press(text.send({ count: '41' }));
    await waitFor(() => expect(requests.sent()).toHaveLength(1));
    expect(requests.bodies()[0]).toMatchObject({ subject: 'Half a message', body: 'Bring your' });
    await waitFor(() => expect(kept()).toEqual([]));
  });

  it('schedules a message in the community’s time zone', async () => {
    const { requests } = open();
    await compose('A new room', 'Upstairs');
    fireEvent.click(screen.getByRole('radio', { name: text.later }));
    press(text.schedule);
    await screen.findByText(text.sendAtMissing);
    type(text.sendAt, '20271-05-01T09:30');
    press(text.schedule);
    await screen.findByText('Fill in the whole date, with a year from 1900 to 2999');
    expect(requests.sent()).toEqual([]);
    type(text.sendAt, '2031-05-01T09:30');
    press(text.schedule);
    await waitFor(() => expect(requests.sent()).toHaveLength(1));
    expect(requests.bodies()[0]).toMatchObject({ sendAt: '2031-05-01T08:30:00.000Z' });
  });

  it('previews a message in a sandboxed frame and sends it as a test', async () => {
    const { requests, toasts } = open({
      [`POST ${MESSAGES}/preview`]: () => ({
        body: { subject: 'A new room', html: '<p>hello</p>', text: 'hello' },
      }),
      [`POST ${MESSAGES}/test`]: () => ({ status: 202, body: { message: '' } }),
    });
    await compose('A new room', 'Upstairs');
    fireEvent.click(screen.getByRole('checkbox'));
    press(text.test);
    await waitFor(() => expect(toasts.map(({ description }) => description)).toContain(text.testSent));
    press(text.preview);
    const frame = await screen.findByTitle(text.previewFrame);
    expect([frame.getAttribute('sandbox'), frame.getAttribute('srcdoc')]).toEqual(['', '<p>hello</p>']);
    expect(requests.bodies()).toEqual(
      Array(2).fill({ subject: 'A new room', body: 'Upstairs', replyTo: 'community' }),
    );
  });

  it('schedules a follow-up for the morning after the event', async () => {
    const { requests } = open();
    fireEvent.click(await screen.findByRole('button', { name: text.followUp }));
    await screen.findByRole('button', { name: text.schedule });
    press(text.schedule);
    await waitFor(() => expect(requests.sent()).toHaveLength(1));
    expect(requests.bodies()[0]).toMatchObject({
      subject: 'Thank you for coming to Search meetup',
      sendAt: '2031-05-02T09:00:00.000Z',
    });
  });

  it('edits and cancels a scheduled message', async () => {
    const later = message({ state: 'scheduled' });
    const { requests } = open({
      [`GET ${MESSAGES}`]: page([later]),
      [`GET ${MESSAGES}/${ID}`]: () => ({ body: whole({ state: 'scheduled' }) }),
      [`PUT ${MESSAGES}/${ID}`]: () => ({ body: whole() }),
      [`DELETE ${MESSAGES}/${ID}`]: () => ({ status: 204 }),
    });
    fireEvent.click(await screen.findByRole('button', { name: /^Edit.*A new room/ }));
    fireEvent.click(await screen.findByRole('radio', { name: text.now }));
    fireEvent.click(await screen.findByRole('button', { name: text.send({ count: '41' }) }));
    await waitFor(() => expect(requests.sent()).toHaveLength(1));
    fireEvent.click(screen.getByRole('button', { name: /^Cancel.*A new room/ }));
    fireEvent.click(await screen.findByRole('button', { name: text.cancelConfirm }));
    await waitFor(() => expect(requests.sent().map(({ method }) => method)).toEqual(['PUT', 'DELETE']));
  });
});
