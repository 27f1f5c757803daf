import { jest } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { fakeApi, refusal } from '../../testing/fake-api';
import { renderScreen } from '../../testing/render-screen';
import { aUser } from '../../testing/samples';
import { CodeEntry } from './code-entry';

const open = () => ({ body: { status: 'open' } });
const confirmation = { purpose: 'verify', user: null, next: null, passwordEnded: false };

function show(confirmed = jest.fn()) {
  const resend = jest.fn(() => Promise.resolve());
  const rendered = renderScreen(
    <CodeEntry purpose="verify" submit="Confirm" resend={resend} confirmed={confirmed}>
      We sent it
    </CodeEntry>,
    { user: aUser() },
  );
  return { ...rendered, resend, confirmed };
}

describe('The entry of a mailed code', () => {
  it('submits itself at six digits, once', async () => {
    const requests = fakeApi({
      'GET /api/confirm': open,
      'POST /api/confirm': () => ({ body: confirmation }),
    });
    const { confirmed } = show();
    await userEvent.type(screen.getByLabelText('6-digit code'), '12 34-56');
    await waitFor(() => expect(confirmed).toHaveBeenCalledWith(confirmation));
    const sent = requests.filter(({ method }) => method === 'POST');
    expect(sent.map(({ body }) => body)).toEqual([{ purpose: 'verify', code: '123456' }]);
  });

  it('says that a code does not fit and takes another', async () => {
    fakeApi({
      'GET /api/confirm': open,
      'POST /api/confirm': () => refusal(400, 'CODE_INVALID', 'Invalid or expired code'),
    });
    const { resend, toasts } = show();
    await userEvent.type(screen.getByLabelText('6-digit code'), '123456');
    await screen.findByText('Invalid or expired code');
    expect(screen.getByLabelText<HTMLInputElement>('6-digit code').value).toBe('');
    await userEvent.click(screen.getByRole('button', { name: 'Send a new code' }));
    await waitFor(() => expect(toasts.at(-1)?.title).toBe('A new code is on its way'));
    expect(resend).toHaveBeenCalledTimes(1);
    expect(screen.queryByText('Invalid or expired code')).toBeNull();
  });

  it('says that the link was opened on another device', async () => {
    fakeApi({ 'GET /api/confirm': () => ({ body: { status: 'confirmed' } }) });
    show();
    await screen.findByText('Confirmed on another device');
  });
});
