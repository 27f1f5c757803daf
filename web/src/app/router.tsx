import type { PagePath } from '@meetmark/contracts/pages';
import { commonText } from '@meetmark/i18n/texts/common';
import { type ComponentType, createElement, type ReactNode } from 'react';
import { Link, matchPath, Navigate, Outlet, Route, Routes, useSearchParams } from 'react-router-dom';
import { useCommunity } from '../api/community';
import { lookUpEarly, mayBeSignedIn } from '../features/auth/current-user';
import { LoggedOutRedirect, useSession } from '../features/auth/session';
import { safeReturnTo } from '../features/auth/return-to';
import { CentredSpinner } from '../ui/centred-spinner';
import { lazyScreen } from '../ui/lazy';
import { usePageTitle } from '../ui/screen-heading';
import styles from './app.module.css';
import { Layout } from './layout/layout';

const LandingScreen = lazyScreen(() => import('../features/landing/landing-screen'));
const BrowseScreen = lazyScreen(() => import('../features/events/browse-screen'));
const EventScreen = lazyScreen(() => import('../features/events/event-screen'));
const PreviewScreen = lazyScreen(() => import('../features/events/preview-screen'));
const GiveUpScreen = lazyScreen(() => import('../features/registrations/give-up-screen'));
const ScannedCodeScreen = lazyScreen(() => import('../features/registrations/scanned-code-screen'));
const CalendarScreen = lazyScreen(() => import('../features/calendar/calendar-screen'));
const MyEventsScreen = lazyScreen(() => import('../features/registrations/my-events-screen'));
const DashboardScreen = lazyScreen(() => import('../features/dashboard/dashboard-screen'));
const ProfileScreen = lazyScreen(() => import('../features/profile/profile-screen'));
const UnsubscribeScreen = lazyScreen(() => import('../features/profile/unsubscribe-screen'));
const SubscribeScreen = lazyScreen(() => import('../features/profile/subscribe-screen'));
const ForgotPasswordScreen = lazyScreen(() => import('../features/auth/forgot-password-screen'));
const ResetPasswordScreen = lazyScreen(() => import('../features/auth/reset-password-screen'));
const ConfirmScreen = lazyScreen(() => import('../features/auth/confirm-screen'));
const RevertEmailScreen = lazyScreen(async () => ({
  default: (await import('../features/auth/confirm-screen')).RevertEmailScreen,
}));
const LegalScreen = lazyScreen(() => import('../features/legal/legal-screen'));
const HandbookScreen = lazyScreen(async () =>
  (await import('../features/help/handbook-screen')).loadHandbookScreen(),
);
const ProposalsScreen = lazyScreen(() => import('../features/proposals/proposals-screen'));
const AdminScreen = lazyScreen(() => import('../features/admin/admin-screen'));
const SetupScreen = lazyScreen(async () => ({
  default: (await import('../features/admin/admin-screen')).SetupScreen,
}));

interface Screen {
  screen: ComponentType & { arrived: () => Promise<unknown> };
  audience?: 'members' | 'login';
}

const SCREENS: Record<PagePath, Screen> = {
  '/': { screen: Object.assign(Home, { arrived: BrowseScreen.arrived }) },
  '/events': { screen: CalendarScreen },
  '/e/:slug': { screen: EventScreen },
  '/events/:eventId': { screen: EventScreen },
  '/events/:eventId/give-up': { screen: GiveUpScreen },
  '/events/preview/:token': { screen: PreviewScreen },
  '/c/:code': { screen: ScannedCodeScreen },
  '/my-events': { screen: MyEventsScreen, audience: 'members' },
  '/profile': { screen: ProfileScreen, audience: 'members' },
  '/profile/notifications': { screen: ProfileScreen, audience: 'members' },
  '/profile/privacy': { screen: ProfileScreen, audience: 'members' },
  '/profile/security': { screen: ProfileScreen, audience: 'members' },
  '/proposals': { screen: ProposalsScreen, audience: 'members' },
  '/dashboard': { screen: DashboardScreen, audience: 'login' },
  '/admin/:view?': { screen: AdminScreen, audience: 'login' },
  '/admin/events/:eventId/:tab?': { screen: AdminScreen, audience: 'login' },
  '/forgot-password': { screen: ForgotPasswordScreen },
  '/reset-password': { screen: ResetPasswordScreen },
  '/confirm': { screen: ConfirmScreen },
  '/revert-email': { screen: RevertEmailScreen },
  '/unsubscribe': { screen: UnsubscribeScreen },
  '/subscribe/confirm': { screen: SubscribeScreen },
  '/terms': { screen: LegalScreen },
  '/privacy': { screen: LegalScreen },
  '/help/:part?': { screen: HandbookScreen },
};
const PATHS = Object.keys(SCREENS) as PagePath[];

export async function firstScreen(pathname: string): Promise<void> {
  const signedIn = mayBeSignedIn();
  const page = PATHS.find((path) => matchPath(path, pathname));
  const { screen, audience } = page ? SCREENS[page] : {};
  const first = !signedIn && (audience || page === '/') ? LandingScreen : screen;
  // ignores failures, because the screen itself reports them
  await Promise.allSettled([signedIn && lookUpEarly(), first?.arrived()]);
}

export function Router() {
  const { status } = useSession();
  const { memberProposals, legalPages } = useCommunity();
  if (status === 'loading') return <CentredSpinner />;
  const isThere: Partial<Record<PagePath, boolean>> = {
    '/proposals': memberProposals,
    '/terms': legalPages.includes('terms'),
    '/privacy': legalPages.includes('privacy'),
  };
  const routes = (audience?: Screen['audience']) =>
    PATHS.filter((path) => SCREENS[path].audience === audience && isThere[path] !== false).map((path) => (
      <Route key={path} path={path} element={createElement(SCREENS[path].screen)} />
    ));
  return (
    <Routes>
      <Route path="setup" element={<SetupScreen />} />
      <Route element={<Layout />}>
        {routes()}
        <Route element={<SignedInOnly landing={<LandingScreen />} />}>{routes('members')}</Route>
        <Route element={<SignedInOnly landing={<LandingScreen />} redirect />}>{routes('login')}</Route>
        <Route path="*" element={<NotFoundScreen />} />
      </Route>
    </Routes>
  );
}

function Home() {
  const { user } = useSession();
  const [search] = useSearchParams();
  if (!user) return <LandingScreen />;
  if (search.has('signin') || search.has('signup'))
    return <Navigate to={safeReturnTo(search.get('returnTo')) ?? '/'} replace />;
  return <BrowseScreen />;
}

interface SignedInOnlyProps {
  landing: ReactNode;
  redirect?: boolean;
}

function SignedInOnly({ landing, redirect = false }: SignedInOnlyProps) {
  const { user } = useSession();
  if (user) return <Outlet />;
  return (
    <>
      {redirect && <LoggedOutRedirect />}
      {landing}
    </>
  );
}

function NotFoundScreen() {
  usePageTitle(commonText.notFoundTitle);
  return (
    <section className={styles.page}>
      <h1>{commonText.notFoundTitle}</h1>
      <p className={styles.words}>{commonText.notFoundWords}</p>
      <p>{commonText.notFoundHint}</p>
      <Link to="/">{commonText.notFoundLink}</Link>
    </section>
  );
}
