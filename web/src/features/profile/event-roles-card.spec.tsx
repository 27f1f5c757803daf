import type { EventRole } from '@meetmark/contracts';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { fakeApi, refusal } from '../../testing/fake-api';
import { renderScreen } from '../../testing/render-screen';
import { aUser } from '../../testing/samples';
import { EventRolesCard } from './event-roles-card';

const EVENT = '0190d4c8-0000-7000-8000-000000000001';
const role: EventRole = {
  eventId: EVENT,
  title: 'Search night',
  startDate: '2027-02-03T18:00:00.000Z',
  endDate: '2027-02-03T20:00:00.000Z',
  isAllDay: false,
  role: 'speaker',
  agreedAt: null,
};
const list = (roles: EventRole[]) => ({ 'GET /api/event-roles': () => ({ body: roles }) });
const speaker = () => screen.findByRole('switch', { name: /^Show me as a speaker/ });
const isOn = (control: HTMLElement) => control.getAttribute('aria-checked') === 'true';

describe('Where a member is named', () => {
  it('is not there for who is named nowhere', async () => {
    const requests = fakeApi(list([]));
    renderScreen(<EventRolesCard />, { user: aUser() });
    await waitFor(() => expect(requests).toHaveLength(1));
    expect(screen.queryByRole('heading')).toBeNull();
  });

  it('has the day of the place, of an online event that of the reader', async () => {
    const early = { ...role, startDate: '2027-02-03T10:30:00.000Z' };
    fakeApi(
      list([
        { ...early, format: 'in_person' },
        { ...early, role: 'host', format: 'online' },
      ]),
    );
    const community = { timeZone: 'Pacific/Kiritimati' };
    renderScreen(<EventRolesCard />, { user: aUser(), community });
    await screen.findByText(/Feb 4, 2027/);
    await screen.findByText(/Feb 3, 2027/);
  });

  it('shows the member in the role that they agree to, and in no other', async () => {
    const answered = { ...role, agreedAt: '2027-01-01T00:00:00.000Z' };
    const requests = fakeApi({
      ...list([{ ...role, role: 'host' }, role]),
      [`PUT /api/event-roles/${EVENT}/speaker`]: () => ({ body: answered }),
    });
    const { toasts } = renderScreen(<EventRolesCard />, { user: aUser() });
    await userEvent.click(await speaker());
    await waitFor(() => expect(toasts).toHaveLength(1));
    expect(requests.at(-1)?.body).toEqual({ agreed: true });
    expect(isOn(await speaker())).toBe(true);
    expect(isOn(screen.getByRole('switch', { name: /^Show me as a host/ }))).toBe(false);
    expect(screen.getAllByRole('link', { name: 'Search night' })[0]?.getAttribute('href')).toBe(
      `/events/${EVENT}`,
    );
  });

  it('says why it could not be saved', async () => {
    fakeApi({
      ...list([role]),
      [`PUT /api/event-roles/${EVENT}/speaker`]: () =>
        refusal(404, 'ROLE_NOT_FOUND', 'You are not named there'),
    });
    const { toasts } = renderScreen(<EventRolesCard />, { user: aUser() });
    await userEvent.click(await speaker());
    await waitFor(() => expect(toasts[0]?.description).toBe('You are not named there'));
    expect(isOn(await speaker())).toBe(false);
  });
});
