import { screen, waitFor } from '@testing-library/react';
import { press } from '../../testing/actions';
import { fakeApi, refusal } from '../../testing/fake-api';
import { findToast, renderScreen } from '../../testing/render-screen';
import { aUser } from '../../testing/samples';
import ConsentScreen from './consent-screen';

const CONSENTS = 'POST /api/user/consents';

describe('The consent screen', () => {
  const open = (answer: ReturnType<typeof refusal>) => {
    const requests = fakeApi({ [CONSENTS]: () => answer });
    const rendered = renderScreen(<ConsentScreen />, { user: aUser({ consentNeeded: { terms: 'abc' } }) });
    return { ...rendered, requests };
  };

  it('links to the pages and accepts the versions that the server named', async () => {
    const { requests } = open({ status: 204 });
    expect(screen.getByRole('link', { name: 'Terms of Service' }).getAttribute('href')).toBe('/terms');
    expect(screen.queryByRole('link', { name: 'Privacy Policy' })).toBeNull();
    screen.getByRole('button', { name: 'Sign Out' });
    await press('Accept');
    await waitFor(() => expect(requests.bodies()).toEqual([{ terms: 'abc' }]));
  });

  it('says so if a page has changed meanwhile', async () => {
    const { toasts } = open(refusal(409, 'LEGAL_PAGE_CHANGED', 'This page has just changed.'));
    await press('Accept');
    await findToast(toasts, 'This page has just changed.');
  });
});
