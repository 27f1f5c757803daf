import { commonText } from '@meetmark/i18n/texts/common';
import { Suspense } from 'react';
import { Outlet, useLocation } from 'react-router-dom';
import { useSession } from '../../features/auth/session';
import { useOpenDetails } from '../../features/events/shared/use-details-link';
import { CentredSpinner } from '../../ui/centred-spinner';
import { ErrorBoundary } from '../../ui/error-boundary';
import { lazyDialog, lazyScreen } from '../../ui/lazy';
import { Footer } from './footer';
import { Header } from './header';
import styles from './layout.module.css';
import { NextEventStrip } from './next-event-strip';
import { ScreenFocus } from './screen-focus';
import { useScrollPlace } from './scroll-place';

const ConsentScreen = lazyScreen(() => import('../../features/legal/consent-screen'));
const EventDetailsDialog = lazyDialog(() => import('../../features/events/event-details-dialog'));

export function Layout() {
  const { pathname } = useLocation();
  const { user } = useSession();
  const details = useOpenDetails();
  // all sections of an event's workspace count as one screen, so that focus and scroll position stay
  const screen = pathname.replace(/^(\/admin\/events\/[^/]+)\/.*/, '$1');
  useScrollPlace(screen);
  return (
    <div className={styles.frame}>
      <a className={styles.skip} href="#content">
        {commonText.skipToContent}
      </a>
      <NextEventStrip />
      <Header />
      <main id="content" tabIndex={-1} className={styles.content}>
        <ErrorBoundary resetBy={pathname}>
          <Suspense fallback={<CentredSpinner />}>
            {user?.consentNeeded ? <ConsentScreen /> : <Outlet />}
          </Suspense>
        </ErrorBoundary>
      </main>
      <Footer sponsors={pathname === '/' ? 'wall' : 'row'} />
      <ScreenFocus screen={`${screen} ${user?.id}`} />
      {details.eventId && (
        <EventDetailsDialog key={details.eventId} eventId={details.eventId} close={details.close} />
      )}
    </div>
  );
}
