import { expect, jest } from '@jest/globals';
import { StyleProvider } from '@ant-design/cssinjs';
import type { Community, User } from '@meetmark/contracts';
import { DEFAULT_BRAND } from '@meetmark/contracts/palette';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, fireEvent, render, type RenderResult, waitFor } from '@testing-library/react';
import { ConfigProvider } from 'antd';
import type { ReactNode } from 'react';
import { BrowserRouter } from 'react-router-dom';
import { CommunityContext } from '../api/community';
import { createQueryClient } from '../api/query-client';
import { SessionContext } from '../features/auth/session';
import { type Toast, ToastContext } from '../ui/toasts';

const COMMUNITY: Community = {
  name: 'Meetmark',
  headline: 'Come and meet each other',
  tagline: '',
  supportEmail: 'help@example.org',
  linkedInUrl: 'https://www.linkedin.com/company/example',
  sponsors: [],
  copyrightYear: 2024,
  currency: 'GBP',
  timeZone: 'Europe/London',
  locale: 'en-US',
  paymentNoteDefault: 'Ask the organiser how to pay',
  memberProposals: false,
  contactHost: true,
  publicAttendees: false,
  hasMaps: false,
  logoUrl: null,
  ...{ brandColour: null, secondColour: null, font: null, heroUrl: null, signInButton: false },
  brandPalettes: DEFAULT_BRAND,
  weekStart: 'locale',
  languages: null,
  formOfAddress: 'formal',
  legalPages: [],
};

export interface RenderedScreen extends RenderResult {
  toasts: Toast[];
}

/** Turns off antd's animations and its style sheets, which jsdom takes seconds to apply and no test needs. */
export const WithoutStyles = ({ children }: { children: ReactNode }) => (
  <StyleProvider mock="server">
    <ConfigProvider theme={{ token: { motion: false } }}>{children}</ConfigProvider>
  </StyleProvider>
);

/** Renders a screen at `path` with a loaded community and no animations. A null `user` means signed out. */
export function renderScreen(
  screen: ReactNode,
  { user, path = '/', community = {} }: { user: User | null; path?: string; community?: Partial<Community> },
): RenderedScreen {
  window.history.replaceState(null, '', path);
  const toasts: Toast[] = [];
  const session = user
    ? ({ status: 'signed-in', user } as const)
    : ({ status: 'anonymous', user: null } as const);
  const rendered = render(
    <QueryClientProvider client={createQueryClient()}>
      <CommunityContext value={{ ...COMMUNITY, ...community }}>
        <SessionContext value={session}>
          <ToastContext
            value={({ shown, ...toast }) => {
              toasts.push(toast);
              shown?.();
            }}
          >
            <WithoutStyles>
              <BrowserRouter>{screen}</BrowserRouter>
            </WithoutStyles>
          </ToastContext>
        </SessionContext>
      </CommunityContext>
    </QueryClientProvider>,
  );
  return { ...rendered, toasts };
}

/** Waits until the last toast has this description. */
export const findToast = (toasts: Toast[], description: string): Promise<void> =>
  waitFor(() => expect(toasts.at(-1)?.description).toBe(description));

/**
 * Clicks a control that loads code lazily. This can't use `userEvent`, because React requires an awaited
 * `act` around a suspending update.
 */
export const pressForPart = (control: HTMLElement) =>
  act(async () => {
    fireEvent.click(control);
    await Promise.resolve();
  });

/** Simulates a screen of at least this width until mocks are restored. */
export function wideScreen(width: string): void {
  const narrow = window.matchMedia;
  jest
    .spyOn(window, 'matchMedia')
    .mockImplementation((media) =>
      Object.assign(narrow(media), { matches: media === `(min-width: ${width})` }),
    );
}
