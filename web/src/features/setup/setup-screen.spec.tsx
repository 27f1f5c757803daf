import { jest } from '@jest/globals';
import type { SecondFactors } from '@meetmark/contracts';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { SessionContext } from '../auth/session';
import { inThisTab, persist } from '../../ui/persisted-state';
import { fillFields, findDialog } from '../../testing/actions';
import { fakeApi, type Handlers, refusal } from '../../testing/fake-api';
import { renderScreen } from '../../testing/render-screen';
import { aUser, someSettings } from '../../testing/samples';
import SetupScreen from './setup-screen';

const OWNER = aUser({ isAdmin: true, role: 'owner' });
const NO_FACTORS: SecondFactors = { factors: [], recoveryCodesLeft: 0, required: false };

const serveSettings = (version: number, more: Handlers = {}) =>
  fakeApi({
    'GET /api/setup': () => refusal(404, 'NOT_FOUND', 'Not Found'),
    'GET /api/user/second-factors': () => ({ body: NO_FACTORS }),
    'GET /api/admin/settings': () => ({ body: { version, settings: someSettings(), locked: [] } }),
    ...more,
  });
const open = (step: string | null, user: typeof OWNER | null = OWNER, hash = '') => {
  persist('setup', step, inThisTab);
  renderScreen(<SetupScreen />, { user, path: `/setup${hash}` });
};
const press = async (name: string) => fireEvent.click(await screen.findByRole('button', { name }));

describe('The first owner', () => {
  it('continues after adding a required second factor and saving its recovery codes', async () => {
    const phone = { id: 'one', kind: 'totp' as const, name: 'Phone', lastUsedAt: null };
    const factor = { ...phone, createdAt: '2026-11-23T08:00:00.000Z' };
    let factors: SecondFactors = { ...NO_FACTORS, required: true };
    let add = (): void => undefined;
    const requests = serveSettings(1, {
      'GET /api/user/second-factors': () => ({ body: factors }),
      'POST /api/user/second-factors/totp': () => ({ body: { secret: 'ABCDEFGH', uri: 'otpauth://totp/x' } }),
      'POST /api/user/second-factors/totp/confirm': () => {
        factors = { factors: [factor], recoveryCodesLeft: 2, required: true };
        add();
        return { body: { factor, recoveryCodes: ['aaaa-bbbb', 'cccc-dddd'] } };
      },
    });
    const hasAsked = () => requests.some(({ path }) => path === '/api/admin/settings');
    function Signed() {
      const [hasSecondFactor, setHas] = useState(false);
      add = () => act(() => setHas(true));
      return (
        <SessionContext value={{ status: 'signed-in', user: { ...OWNER, hasSecondFactor } }}>
          <SetupScreen />
        </SessionContext>
      );
    }
    persist('setup', 'community', inThisTab);
    renderScreen(<Signed />, { user: null, path: '/setup' });
    const next = await screen.findByRole('button', { name: 'Continue' });
    expect(next.getAttribute('aria-disabled')).toBe('true');
    fireEvent.click(next);
    await press('Add an authenticator app');
    await (await findDialog()).findByLabelText('Name');
    fillFields({ Name: 'Phone', 'Code from the app': '123456' });
    await press('Add');
    await screen.findByText('aaaa-bbbb');
    expect(hasAsked()).toBe(false);
    await press('I’ve saved them');
    await press('Continue');
    await screen.findByRole('heading', { name: 'Community' });
    expect(hasAsked()).toBe(true);
  });

  it('needs a password of at least ten characters', async () => {
    fakeApi({ 'GET /api/setup': () => ({ body: { open: true } }) });
    open(null, null, '#secret');
    await screen.findByLabelText('Password');
    fillFields({ Password: 'nine long' });
    await press('Continue');
    await screen.findByText('Enter at least 10 characters');
  });

  it('cannot publish a first event with a five-digit year', async () => {
    const requests = serveSettings(1);
    open('event');
    await screen.findByLabelText('What is it called?');
    fillFields({ 'What is it called?': 'First meetup', Day: '20271-01-15' });
    await press('Publish');
    await screen.findByText('Fill in the whole date, with a year from 1900 to 2999');
    expect(requests.sent()).toEqual([]);
  });

  it('goes back step by step to the Community step', async () => {
    serveSettings(1);
    open('organisers');
    for (const title of ['First event', 'Region and language', 'Community']) {
      await press('Back');
      await screen.findByRole('heading', { name: title });
    }
    expect(screen.queryByRole('button', { name: 'Back' })).toBeNull();
  });

  it('resumes the setup in another tab, in a browser with an invalid language', async () => {
    jest.spyOn(window.navigator, 'language', 'get').mockReturnValue('en-US@posix');
    serveSettings(1);
    open(null);
    await screen.findByRole('heading', { name: 'Community' });
  });

  it('adds a required second factor before resuming the setup in another tab', async () => {
    serveSettings(1, {
      'GET /api/user/second-factors': () => ({ body: { ...NO_FACTORS, required: true } }),
      'GET /api/admin/settings': () => refusal(403, 'SECOND_FACTOR_SETUP_REQUIRED', 'Add a second factor'),
    });
    open(null);
    await screen.findByRole('button', { name: 'Add an authenticator app' });
  });

  it('does not repeat the setup once settings were saved', async () => {
    const requests = serveSettings(2);
    open(null);
    await waitFor(() => expect(requests.map(({ path }) => path)).toContain('/api/admin/settings'));
    await screen.findByRole('heading', { name: 'This site already has an admin' });
    expect(screen.queryByRole('link', { name: 'Sign in to finish the setup' })).toBeNull();
  });

  it('can sign in when the setup link was already used', async () => {
    serveSettings(1);
    open(null, null, '#secret');
    const link = await screen.findByRole('link', { name: 'Sign in to finish the setup' });
    expect(link.getAttribute('href')).toBe('/api/login?returnTo=%2Fsetup');
  });
});
