import type { ReactNode } from 'react';
import { Link, Navigate, Outlet, Route, Routes, useSearchParams } from 'react-router-dom';
import { useCommunity } from '../api/community';
import { lookUpEarly, mayBeSignedIn } from '../features/auth/auth.api';
import { LoggedOutRedirect, useSession } from '../features/auth/session';
import { safeReturnTo } from '../features/auth/return-to';
import { commonText } from '../strings/common';
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
const ProposalsScreen = lazyScreen(() => import('../features/proposals/proposals-screen'));
const AdminScreen = lazyScreen(() => import('../features/admin/admin-screen'));
const SetupScreen = lazyScreen(async () => ({
  default: (await import('../features/admin/admin-screen')).SetupScreen,
}));

/** The first path that fits wins. `member`: visitors see the landing screen there. */
const FILES: { path: RegExp; screen: { arrived: () => Promise<unknown> }; member?: boolean }[] = [
  { path: /^\/$/, screen: BrowseScreen, member: true },
  { path: /^\/events\/preview\//, screen: PreviewScreen },
  { path: /^\/events\/[^/]+\/give-up/, screen: GiveUpScreen },
  { path: /^\/events\/./, screen: EventScreen },
  { path: /^\/events\/?$/, screen: CalendarScreen },
  { path: /^\/c\//, screen: ScannedCodeScreen },
  { path: /^\/my-events/, screen: MyEventsScreen, member: true },
  { path: /^\/profile/, screen: ProfileScreen, member: true },
  { path: /^\/dashboard/, screen: DashboardScreen, member: true },
  { path: /^\/admin/, screen: AdminScreen, member: true },
  { path: /^\/forgot-password/, screen: ForgotPasswordScreen },
  { path: /^\/reset-password/, screen: ResetPasswordScreen },
  { path: /^\/(terms|privacy)\/?$/, screen: LegalScreen },
];

/** Resolves when the first screen can replace what was painted before the script arrived. */
export async function firstScreen(pathname: string): Promise<void> {
  const signedIn = mayBeSignedIn();
  const file = FILES.find(({ path }) => path.test(pathname));
  const screen = file?.member && !signedIn ? LandingScreen : file?.screen;
  // Settled, not fulfilled: the screen reports what did not arrive.
  await Promise.allSettled([signedIn && lookUpEarly(), screen?.arrived()]);
}

export function Router() {
  const { status } = useSession();
  const { memberProposals, legalPages } = useCommunity();
  if (status === 'loading') return <CentredSpinner />;
  return (
    <Routes>
      <Route path="setup" element={<SetupScreen />} />
      <Route element={<Layout />}>
        <Route index element={<Home />} />
        <Route path="events" element={<CalendarScreen />} />
        <Route path="events/:eventId" element={<EventScreen />} />
        <Route path="events/:eventId/give-up" element={<GiveUpScreen />} />
        <Route path="events/preview/:token" element={<PreviewScreen />} />
        <Route path="c/:code" element={<ScannedCodeScreen />} />
        <Route path="unsubscribe" element={<UnsubscribeScreen />} />
        <Route path="subscribe/confirm" element={<SubscribeScreen />} />
        <Route path="confirm" element={<ConfirmScreen />} />
        <Route path="revert-email" element={<RevertEmailScreen />} />
        {legalPages.map((page) => (
          <Route key={page} path={page} element={<LegalScreen />} />
        ))}
        <Route path="forgot-password" element={<ForgotPasswordScreen />} />
        <Route path="reset-password" element={<ResetPasswordScreen />} />
        <Route element={<SignedInOnly landing={<LandingScreen />} />}>
          <Route path="my-events" element={<MyEventsScreen />} />
          <Route path="profile" element={<ProfileScreen />} />
          {memberProposals && <Route path="proposals" element={<ProposalsScreen />} />}
        </Route>
        <Route element={<SignedInOnly landing={<LandingScreen />} redirect />}>
          <Route path="dashboard" element={<DashboardScreen />} />
          <Route path="admin" element={<AdminScreen />} />
          <Route path="admin/:view" element={<AdminScreen />} />
          <Route path="admin/events/:eventId/:tab?" element={<AdminScreen />} />
        </Route>
        <Route path="*" element={<NotFoundScreen />} />
      </Route>
    </Routes>
  );
}

/** Visitors get the landing screen, members the events; after signing in, a member continues to `returnTo`. */
function Home() {
  const { user } = useSession();
  const [search] = useSearchParams();
  if (!user) return <LandingScreen />;
  if (search.has('signin') || search.has('signup'))
    return <Navigate to={safeReturnTo(search.get('returnTo')) ?? '/'} replace />;
  return <BrowseScreen />;
}

interface SignedInOnlyProps {
  /** What a visitor sees instead. */
  landing: ReactNode;
  /** Whether a visitor also gets a toast and the login (dashboard and administration). */
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
