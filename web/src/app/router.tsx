import { Navigate, Route, Routes, useSearchParams } from 'react-router-dom';
import LandingScreen from '../features/auth/landing-screen';
import { lookUpEarly, mayBeSignedIn } from '../features/auth/auth.api';
import { safeReturnTo } from '../features/auth/return-to';
import { useSession } from '../features/auth/session';
import { CentredSpinner } from '../ui/centred-spinner';
import { Layout } from './layout/layout';
import { NotFoundScreen } from './not-found-screen';
import { screen } from './screen';
import { SignedInOnly } from './signed-in-only';

const BrowseScreen = screen(() => import('../features/events/browse-screen'));
const EventScreen = screen(() => import('../features/events/event-screen'));
const CalendarScreen = screen(() => import('../features/events/calendar/calendar-screen'));
const MyEventsScreen = screen(() => import('../features/events/my-events-screen'));
const DashboardScreen = screen(() => import('../features/dashboard/dashboard-screen'));
const ProfileScreen = screen(() => import('../features/profile/profile-screen'));
const UnsubscribeScreen = screen(() => import('../features/profile/unsubscribe-screen'));
const ForgotPasswordScreen = screen(() => import('../features/auth/forgot-password-screen'));
const ResetPasswordScreen = screen(() => import('../features/auth/reset-password-screen'));
const ConfirmScreen = screen(() => import('../features/auth/confirm-screen'));
const RevertEmailScreen = screen(() => import('../features/auth/revert-email-screen'));
const AdminScreen = screen(() => import('../features/admin/admin-screen'));

/** The first path that fits; `member`: visitors see the landing screen there, which comes with the frame. */
const FILES: { path: RegExp; screen: { arrived: () => Promise<unknown> }; member?: boolean }[] = [
  { path: /^\/$/, screen: BrowseScreen, member: true },
  { path: /^\/events\/./, screen: EventScreen },
  { path: /^\/events\/?$/, screen: CalendarScreen },
  { path: /^\/my-events/, screen: MyEventsScreen, member: true },
  { path: /^\/profile/, screen: ProfileScreen, member: true },
  { path: /^\/dashboard/, screen: DashboardScreen, member: true },
  { path: /^\/admin/, screen: AdminScreen, member: true },
  { path: /^\/forgot-password/, screen: ForgotPasswordScreen },
  { path: /^\/reset-password/, screen: ResetPasswordScreen },
];

/** Once the first screen can be shown in place of what was painted before the script came. */
export async function firstScreen(pathname: string): Promise<void> {
  const signedIn = mayBeSignedIn();
  const file = FILES.find(({ path, member = false }) => path.test(pathname) && (signedIn || !member));
  // Settled, not fulfilled: what does not arrive is the screen's to report.
  await Promise.allSettled([signedIn && lookUpEarly(), file?.screen.arrived()]);
}

export function Router() {
  const { status } = useSession();
  if (status === 'loading') return <CentredSpinner />;
  return (
    <Routes>
      <Route element={<Layout />}>
        <Route index element={<Home />} />
        <Route path="events" element={<CalendarScreen />} />
        <Route path="events/:eventId" element={<EventScreen />} />
        <Route path="unsubscribe" element={<UnsubscribeScreen />} />
        <Route path="confirm" element={<ConfirmScreen />} />
        <Route path="revert-email" element={<RevertEmailScreen />} />
        <Route path="forgot-password" element={<ForgotPasswordScreen />} />
        <Route path="reset-password" element={<ResetPasswordScreen />} />
        <Route element={<SignedInOnly landing={<LandingScreen />} />}>
          <Route path="my-events" element={<MyEventsScreen />} />
          <Route path="profile" element={<ProfileScreen />} />
        </Route>
        <Route element={<SignedInOnly landing={<LandingScreen />} redirect />}>
          <Route path="dashboard" element={<DashboardScreen />} />
          <Route path="admin" element={<AdminScreen />} />
          <Route path="admin/:view" element={<AdminScreen />} />
        </Route>
        <Route path="*" element={<NotFoundScreen />} />
      </Route>
    </Routes>
  );
}

/** Visitors get the landing screen, members the events; whoever has just signed in goes on to where they were heading. */
function Home() {
  const { user } = useSession();
  const [search] = useSearchParams();
  if (!user) return <LandingScreen />;
  if (search.has('signin')) return <Navigate to={safeReturnTo(search.get('returnTo')) ?? '/'} replace />;
  return <BrowseScreen />;
}
