import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { fakeApi, refusal } from '../../testing/fake-api';
import { renderScreen } from '../../testing/render-screen';
import SubscribeScreen from './subscribe-screen';

const CONFIRM = 'POST /api/subscriptions/confirm';
const open = (path = '/subscribe/confirm#signed') => renderScreen(<SubscribeScreen />, { user: null, path });
const press = async () => userEvent.click(await screen.findByRole('button', { name: 'Confirm my address' }));

describe('The page of a link that confirms a sign-up for mails', () => {
  it('does nothing until the button is pressed, and says that it is done', async () => {
    const requests = fakeApi({ [CONFIRM]: () => ({ body: { message: 'done' } }) });
    open();
    await screen.findByRole('heading', { name: 'Confirm your address' });
    expect(requests).toEqual([]);
    await press();
    const done = await screen.findByRole('heading', { name: 'Your address is confirmed' });
    expect(document.activeElement).toBe(done);
    expect(requests).toEqual([expect.objectContaining({ body: { token: 'signed' } })]);
  });

  it('says so when the link is not complete', async () => {
    fakeApi({});
    open('/subscribe/confirm');
    await screen.findByRole('heading', { name: 'This link does not work' });
    expect(screen.queryByRole('button')).toBeNull();
  });

  it('says so when the link is too old', async () => {
    fakeApi({ [CONFIRM]: () => refusal(404, 'SUBSCRIPTION_LINK_INVALID', 'This link is too old') });
    open();
    await press();
    await screen.findByRole('heading', { name: 'This link does not work' });
  });
});
