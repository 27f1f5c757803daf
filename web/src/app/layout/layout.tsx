import { lazy, Suspense, useEffect } from 'react';
import { Link, Outlet, useLocation } from 'react-router-dom';
import { useCommunity } from '../../api/community';
import { useSession } from '../../features/auth/session';
import { useOpenDetails } from '../../features/events/use-details-link';
import { commonText, layoutText } from '../../strings/common';
import { CentredSpinner } from '../../ui/centred-spinner';
import { LinkedInIcon } from '../../ui/icons';
import { lazyDialog } from '../../ui/lazy';
import { ErrorBoundary } from '../error-boundary';
import { Header } from './header';
import styles from './layout.module.css';
import { furtherLinks } from './navigation';
import { NextEventStrip } from './next-event-strip';
import { ScreenFocus } from './screen-focus';

const VerificationBanner = lazy(() => import('../../features/auth/verification-banner'));
const EventDetailsDialog = lazyDialog(() => import('../../features/events/event-details-dialog'));

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
      <Footer inner={pathname !== '/'} />
      {/* Signing in and out shows another screen at the same address. */}
      <ScreenFocus screen={`${pathname} ${user?.id}`} />
      {details.eventId && (
        <EventDetailsDialog key={details.eventId} eventId={details.eventId} close={details.close} />
      )}
    </div>
  );
}

/** `inner`: on every page but the first, the sponsors are one low row. */
function Footer({ inner }: { inner: boolean }) {
  const { name, sponsors, copyrightYear, linkedInUrl } = useCommunity();
  const { user } = useSession();
  return (
    <footer className={styles.footer}>
      <div className={styles.inner}>
        <div className={styles.thanks} data-inner={inner || undefined}>
          <h2 className={styles.heading}>{layoutText.sponsors}</h2>
          <ul className={styles.sponsors}>
            {sponsors.map((sponsor) => (
              <li key={sponsor.name}>
                <a href={sponsor.url} target="_blank" rel="noopener noreferrer" className={styles.sponsor}>
                  <img src={sponsor.logoUrl} alt={sponsor.name} width={180} height={40} loading="lazy" />
                  <span className="visually-hidden">{commonText.opensInNewTab}</span>
                </a>
              </li>
            ))}
          </ul>
        </div>
        <div className={styles.bottom}>
          <p>{layoutText.copyright(copyrightYear, name)}</p>
          <nav aria-label={layoutText.footerNavigation} className={styles.links}>
            {furtherLinks(user).map(({ to, label }) => (
              <Link key={to} to={to}>
                {label}
              </Link>
            ))}
            <a href={linkedInUrl} target="_blank" rel="noopener noreferrer">
              <LinkedInIcon size={18} /> {layoutText.linkedIn}
              <span className="visually-hidden">{commonText.opensInNewTab}</span>
            </a>
          </nav>
        </div>
      </div>
    </footer>
  );
}
