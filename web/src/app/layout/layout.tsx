import { lazy, Suspense, useEffect } from 'react';
import { Outlet, useLocation } from 'react-router-dom';
import { useSession } from '../../features/auth/session';
import { useOpenDetails } from '../../features/events/use-details-link';
import { commonText } from '../../strings/common';
import { CentredSpinner } from '../../ui/centred-spinner';
import { late } from '../../ui/late';
import { ErrorBoundary } from '../error-boundary';
import { Footer } from './footer';
import { Header } from './header';
import styles from './layout.module.css';
import { NextEventStrip } from './next-event-strip';
import { ScreenFocus } from './screen-focus';

const VerificationBanner = lazy(() => import('../../features/auth/verification-banner'));
const EventDetailsDialog = late(() => import('../../features/events/event-details-dialog'));

/** The frame around every screen; the details dialog opens over any of them by `?event={id}`. */
export function Layout() {
  const { pathname } = useLocation();
  const { user } = useSession();
  const details = useOpenDetails();
  useEffect(() => {
    window.scrollTo(0, 0);
  }, [pathname]);
  return (
    <div className={styles.frame}>
      <a className={styles.skip} href="#content">
        {commonText.skipToContent}
      </a>
      <NextEventStrip />
      <Header />
      {user?.emailVerifiedAt === null && (
        <Suspense fallback={null}>
          <VerificationBanner user={user} />
        </Suspense>
      )}
      <main id="content" tabIndex={-1} className={styles.content}>
        <ErrorBoundary resetBy={pathname}>
          <Suspense fallback={<CentredSpinner />}>
            <Outlet />
          </Suspense>
        </ErrorBoundary>
      </main>
      <Footer />
      {/* Signing in and out shows another screen at the same address. */}
      <ScreenFocus screen={`${pathname} ${user?.id}`} />
      {details.eventId && (
        <EventDetailsDialog key={details.eventId} eventId={details.eventId} close={details.close} />
      )}
    </div>
  );
}
