import { commonText } from '@meetmark/contracts/texts/common';
import { lazy, Suspense, useEffect } from 'react';
import { Outlet, useLocation } from 'react-router-dom';
import { useSession } from '../../features/auth/session';
import { useOpenDetails } from '../../features/events/shared/use-details-link';
import { CentredSpinner } from '../../ui/centred-spinner';
import { lazyDialog } from '../../ui/lazy';
import { ErrorBoundary } from './error-boundary';
import { Footer } from './footer';
import { Header } from './header';
import styles from './layout.module.css';
import { NextEventStrip } from './next-event-strip';
import { ScreenFocus } from './screen-focus';

const VerificationBanner = lazy(() => import('../../features/auth/verification-banner'));
const EventDetailsDialog = lazyDialog(() => import('../../features/events/event-details-dialog'));

/** The frame around every screen; the details dialog opens over any of them by `?event={id}`. */
export function Layout() {
  const { pathname } = useLocation();
  const { user } = useSession();
  const details = useOpenDetails();
  const administration = pathname.startsWith('/admin');
  // The parts of an event's workspace are one screen: the focus and the header stay.
  const screen = pathname.replace(/^(\/admin\/events\/[^/]+)\/.*/, '$1');
  useEffect(() => {
    window.scrollTo(0, 0);
  }, [screen]);
  return (
    <div className={styles.frame}>
      <a className={styles.skip} href="#content">
        {commonText.skipToContent}
      </a>
      {!administration && <NextEventStrip />}
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
      <Footer sponsors={administration ? 'none' : pathname === '/' ? 'wall' : 'row'} />
      {/* Signing in and out shows another screen at the same address. */}
      <ScreenFocus screen={`${screen} ${user?.id}`} />
      {details.eventId && (
        <EventDetailsDialog key={details.eventId} eventId={details.eventId} close={details.close} />
      )}
    </div>
  );
}
