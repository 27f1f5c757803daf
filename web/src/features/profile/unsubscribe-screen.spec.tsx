import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { fakeApi, refusal } from '../../testing/fake-api';
import { renderScreen } from '../../testing/render-screen';
import UnsubscribeScreen from './unsubscribe-screen';

const LINK = '/api/unsubscribe/signed';
const open = (path = '/unsubscribe?token=signed') =>
  renderScreen(<UnsubscribeScreen />, { user: null, path });
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));

describe('The page of an unsubscribe link', () => {
  let subscribed: boolean;
  beforeEach(() => (subscribed = true));
  const listen = () =>
    fakeApi({
      [`GET ${LINK}/list`]: () => ({ body: { list: 'reminders', subscribed } }),
      [`POST ${LINK}`]: () => ({ body: { message: 'stopped' } }),
      [`POST ${LINK}/undo`]: () => ({ body: { message: 'again' } }),
    });

  it('names the list, changes nothing until the button is pressed, and can be taken back', async () => {
    const requests = listen();
    open();
    await screen.findByText(/“Reminders”/);
    expect(requests.map(({ method }) => method)).toEqual(['GET']);
    await press('Stop these mails');
    const stopped = await screen.findByRole('heading', { name: 'These mails are stopped' });
    expect(document.activeElement).toBe(stopped);
    await press('Undo');
    const again = await screen.findByRole('heading', { name: 'You get these mails again' });
    expect(document.activeElement).toBe(again);
    expect(requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      `GET ${LINK}/list`,
      `POST ${LINK}`,
      `POST ${LINK}/undo`,
    ]);
  });

  it('says that a list is stopped already', async () => {
    subscribed = false;
    listen();
    open();
    await screen.findByRole('heading', { name: 'These mails are stopped' });
    expect(screen.getByRole('link', { name: 'All mail settings' }).getAttribute('href')).toBe('/profile');
  });

  it.each(['/unsubscribe?token=signed', '/unsubscribe'])(
    'says so when the link is no good (%s)',
    async (path) => {
      const invalid = () => refusal(404, 'UNSUBSCRIBE_LINK_INVALID', 'This link is not valid');
      fakeApi({ [`GET ${LINK}/list`]: invalid, 'GET /api/unsubscribe//list': invalid });
      open(path);
      await screen.findByRole('heading', { name: 'This link does not work' });
      expect(screen.queryByRole('button')).toBeNull();
    },
  );

  it('stays as it is, and says why, when there is no connection', async () => {
    fakeApi({ [`GET ${LINK}/list`]: () => ({ body: { list: 'reminders', subscribed } }) });
    open();
    await press('Stop these mails');
    expect((await screen.findByRole('alert')).textContent).toBe('That did not work. Please try again.');
    expect(screen.getByRole('heading').textContent).toBe('Stop these mails');
  });
});
