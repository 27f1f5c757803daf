import { lazy, Suspense, useEffect } from 'react';
import { Link, Outlet, useLocation } from 'react-router-dom';
import { useCommunity } from '../../api/community';
import { useSession } from '../../features/auth/session';
import { useOpenDetails } from '../../features/events/use-details-link';
import { legalLinks } from '../../features/legal/legal-note';
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

/** The sponsors are a wall on the first page, one low row on others, and not in the administration. */
function Footer({ sponsors: shown }: { sponsors: 'wall' | 'row' | 'none' }) {
  const { name, sponsors, copyrightYear, linkedInUrl, legalPages } = useCommunity();
  const { user } = useSession();
  return (
    <footer className={styles.footer}>
      <div className={styles.inner}>
        {shown !== 'none' && sponsors.length > 0 && (
          <div className={styles.thanks} data-inner={shown === 'row' || undefined}>
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
        )}
        <div className={styles.bottom}>
          <p>{layoutText.copyright(copyrightYear, name)}</p>
          <nav aria-label={layoutText.footerNavigation} className={styles.links}>
            {[...furtherLinks(user), ...legalLinks(legalPages)].map(({ to, label }) => (
              <Link key={to} to={to}>
                {label}
              </Link>
            ))}
            {linkedInUrl && (
              <a href={linkedInUrl} target="_blank" rel="noopener noreferrer">
                <LinkedInIcon size={18} /> {layoutText.linkedIn}
                <span className="visually-hidden">{commonText.opensInNewTab}</span>
              </a>
            )}
          </nav>
        </div>
      </div>
    </footer>
  );
}
