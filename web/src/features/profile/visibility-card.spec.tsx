import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { fakeApi, refusal } from '../../testing/fake-api';
import { renderScreen } from '../../testing/render-screen';
import { aUser } from '../../testing/samples';
import { VisibilityCard } from './visibility-card';

const user = aUser({ version: 7 });
const checked = () => screen.getByRole<HTMLInputElement>('radio', { checked: true }).value;

describe('The visibility card', () => {
  it('saves a choice immediately', async () => {
    const requests = fakeApi({ 'PUT /api/user/profile': () => ({ body: { ...user, showMe: 'linkedin' } }) });
    const { toasts } = renderScreen(<VisibilityCard user={user} />, { user });
    expect(checked()).toBe('name');
    await userEvent.click(screen.getByRole('radio', { name: 'With LinkedIn' }));
    await waitFor(() => expect(toasts).toHaveLength(1));
    expect(requests.map(({ body }) => body)).toEqual([{ showMe: 'linkedin', version: 7 }]);
  });

  it('reports a failed save and keeps the previous choice', async () => {
    fakeApi({ 'PUT /api/user/profile': () => refusal(503, 'SERVICE_UNAVAILABLE', 'Later') });
    const { toasts } = renderScreen(<VisibilityCard user={user} />, { user });
    await userEvent.click(screen.getByRole('radio', { name: 'Nobody' }));
    await waitFor(() => expect(toasts).toHaveLength(1));
    expect(toasts[0]?.description).toBe('We couldn’t save this. Please try again.');
    expect(checked()).toBe('name');
  });
});
