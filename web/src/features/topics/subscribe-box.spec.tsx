import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { fakeApi, refusal } from '../../testing/fake-api';
import { renderScreen } from '../../testing/render-screen';
import { TOPICS } from '../../testing/samples';
import SubscribeBox from './subscribe-box';

const CALL = 'POST /api/subscriptions';
const meet = (answer: () => ReturnType<typeof refusal> = () => ({ status: 202, body: {} })) => {
  const requests = fakeApi({ 'GET /api/topics': () => ({ body: TOPICS }), [CALL]: answer });
  renderScreen(<SubscribeBox />, { user: null });
  return () => requests.filter(({ method }) => method === 'POST').map(({ body }) => body);
};
const type = (email: string) => userEvent.type(screen.getByLabelText('Email address'), email);
const press = () => userEvent.click(screen.getByRole('button', { name: 'Sign me up' }));
const turn = async (name: string) => userEvent.click(await screen.findByRole('checkbox', { name }));

describe('An email subscription without an account', () => {
  it('requests a confirmation link and asks to check the inbox', async () => {
    const sent = meet();
    await type(' vera@example.org ');
    await turn('SEO');
    await press();
    const heading = await screen.findByRole('heading', { name: 'Check your inbox' });
    expect(document.activeElement).toBe(heading);
    screen.getByText(/vera@example.org/);
    expect(sent()).toEqual([{ email: 'vera@example.org', topics: [TOPICS[1]!.id], digest: true }]);
    await userEvent.click(screen.getByRole('button', { name: 'Use another address' }));
    expect(screen.getByLabelText<HTMLInputElement>('Email address').value).toBe('');
  });

  it('requires a valid email address and at least one choice', async () => {
    const sent = meet();
    await turn('A digest on Mondays');
    await type('vera@');
    await press();
    await screen.findByText('Please enter a valid email address');
    screen.getByText('Choose the digest or a topic');
    expect(sent()).toEqual([]);
    await type('example.org');
    await turn('SEO');
    expect(screen.queryByRole('alert')).toBeNull();
    await press();
    await waitFor(() => expect(sent()).toHaveLength(1));
  });

  it('keeps the typed email address after a rejection', async () => {
    meet(() => refusal(429, 'RATE_LIMITED', 'Too many requests'));
    await type('vera@example.org');
    await press();
    await screen.findByText('Too many requests');
    expect(screen.getByLabelText<HTMLInputElement>('Email address').value).toBe('vera@example.org');
  });
});
