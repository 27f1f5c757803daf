import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { fakeApi, refusal } from '../../testing/fake-api';
import { renderScreen } from '../../testing/render-screen';
import { aUser } from '../../testing/samples';
import { LanguageCard } from './language-card';

const user = aUser({ locale: 'en-GB' });

async function choose(language: string): Promise<void> {
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Language' }), language);
}

it.each([
  ['Deutsch', 'de'],
  ['Automatic', null],
])('saves the language %s immediately', async (language, locale) => {
  const requests = fakeApi({ 'PUT /api/user/profile': () => ({ body: { ...user, locale } }) });
  renderScreen(<LanguageCard user={user} />, { user });
  await choose(language);
  await waitFor(() => expect(requests.map(({ body }) => body)).toEqual([{ locale }]));
});

it('reports a failed save and keeps the previous language', async () => {
  fakeApi({ 'PUT /api/user/profile': () => refusal(503, 'SERVICE_UNAVAILABLE', 'Later') });
  const { toasts } = renderScreen(<LanguageCard user={user} />, { user });
  await choose('Deutsch');
  await waitFor(() => expect(toasts).toHaveLength(1));
  expect(toasts[0]?.description).toBe('We couldn’t save your language. Please try again.');
  expect(screen.getByRole<HTMLSelectElement>('combobox').value).toBe('en-GB');
});
