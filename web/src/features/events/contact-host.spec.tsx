import type { User } from '@meetmark/contracts';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { fakeApi, refusal } from '../../testing/fake-api';
import { renderScreen } from '../../testing/render-screen';
import { anEvent, aUser } from '../../testing/samples';
import ContactHost from './contact-host';

const FLOW = 'f'.repeat(22);
const TEXT = 'May I bring my dog?';
const event = anEvent();
const path = `/api/events/${event.id}/host-messages`;
const button = () => screen.queryByRole('button', { name: 'Contact the host' });

describe('The form to the host', () => {
  const open = async (user: User | null) => {
    const screens = renderScreen(<ContactHost event={event} />, { user });
    await userEvent.click(button()!);
    return { ...screens, form: within(await screen.findByRole('dialog')) };
  };
  const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));

  it.each([
    ['the community has turned it off', event, { contactHost: false }],
    ['the event has been over for a month', anEvent({ endDate: '2020-01-01T12:00:00.000Z' }), {}],
    ['one manages the event', anEvent({ mayManage: true }), {}],
  ])('is not offered where %s', (_, shown, community) => {
    renderScreen(<ContactHost event={shown} />, { user: null, community });
    expect(button()).toBeNull();
  });

  it('sends what a member writes at once, and says where the answer comes', async () => {
    const requests = fakeApi({ [`POST ${path}`]: () => ({ status: 202, body: { message: '' } }) });
    const user = aUser();
    const { form, toasts } = await open(user);
    form.getByText(/gets your name and email address and answers you by mail.*not shown/);
    await press('Send message');
    form.getByText('Write at least 10 characters');
    await userEvent.type(form.getByLabelText('Your message'), TEXT);
    await press('Send message');
    await waitFor(() =>
      expect(toasts).toMatchObject([{ description: `The answer comes to ${user.email}.` }]),
    );
    const sent = requests.filter(({ method }) => method === 'POST');
    expect(sent).toMatchObject([{ path, body: { message: TEXT } }]);
    expect(sent[0]!.headers.get('idempotency-key')).toBeTruthy();
  });

  it('asks a visitor for the code that was mailed, and keeps what they typed', async () => {
    const answers = [refusal(400, 'CODE_INVALID', 'Invalid or expired code'), { status: 202, body: {} }];
    const requests = fakeApi({
      [`POST ${path}/code`]: () => ({ status: 202, body: { flow: FLOW } }),
      [`POST ${path}/visitor`]: () => answers.shift()!,
    });
    const { form, toasts } = await open(null);
    await userEvent.type(form.getByLabelText('Your message'), TEXT);
    await press('Send me the code');
    form.getByText('Name is required');
    form.getByText('Email is required');
    await userEvent.type(form.getByLabelText('Your name'), ' Vera ');
    await userEvent.type(form.getByLabelText('Email'), 'vera@example.org');
    await press('Send me the code');
    const code = await form.findByLabelText('6-digit code');
    await press('Change what I typed');
    expect(form.getByLabelText<HTMLTextAreaElement>('Your message').value).toBe(TEXT);
    await press('Send me the code');
    expect(code.isConnected).toBe(false);
    await userEvent.type(await form.findByLabelText('6-digit code'), '123 456');
    await press('Send message');
    await form.findByText('Invalid or expired code');
    await press('Send message');
    await waitFor(() =>
      expect(toasts).toMatchObject([{ description: 'The answer comes to vera@example.org.' }]),
    );
    const [asked, , sent] = requests.filter(({ method }) => method === 'POST');
    expect(asked!.body).toEqual({ email: 'vera@example.org' });
    expect(sent!.body).toEqual({ message: TEXT, name: 'Vera', flow: FLOW, code: '123456' });
  });

  it.each([
    [refusal(429, 'RATE_LIMITED', 'x', { retryAfter: 7_000 }), /Try again in 2 hours/],
    [refusal(404, 'NOT_FOUND', 'Not found'), 'Hosts cannot be written to here any more.'],
    [refusal(409, 'ADDRESS_UNPROVED', 'Confirm your email address'), 'Confirm your email address'],
  ])('stays open with what was typed when it is refused: %#', async (answer, words) => {
    fakeApi({ [`POST ${path}`]: () => answer });
    const { form } = await open(aUser());
    await userEvent.type(form.getByLabelText('Your message'), TEXT);
    await press('Send message');
    await form.findByText(words);
    expect(form.getByLabelText<HTMLTextAreaElement>('Your message').value).toBe(TEXT);
  });
});
