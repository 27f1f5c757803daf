import { authText } from '@meetmark/i18n/texts/auth';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useLocation, useSearchParams } from 'react-router-dom';
import { useCommunity } from '../../api/community';
import { lazyDialog, lazyExtra } from '../../ui/lazy';
import { usePageTitle } from '../../ui/screen-heading';
import { useFormats } from '../../ui/use-formats';
import { useMedia } from '../../ui/use-media';
import { type AuthMode, AuthPanel } from '../auth/auth-panel';
import { safeReturnTo } from '../auth/return-to';
import { BrowseEvents } from '../events/browse-events';
import { EventRow } from '../events/shared/event-row';
import { ALL_UPCOMING, browseEventsQuery, eventQuery } from '../events/shared/events.api';
import { Hero, HeroPhoto, getSignInWays } from './hero';
import styles from './hero.module.css';

const LandingFoot = lazyExtra(() => import('./landing-foot'));
const SignInSheet = lazyDialog(() => import('./sign-in-sheet'));

/** Same breakpoint as in hero.module.css. */
const NARROW = '(max-width: 60em)';

export default function LandingScreen() {
  usePageTitle();
  const { name, headline, tagline, heroUrl, signInButton } = useCommunity();
  const { pathname } = useLocation();
  const [search] = useSearchParams();
  const panel = useRef<HTMLDivElement>(null);
  const narrow = useMedia(NARROW);
  const [sheet, setSheet] = useState<AuthMode | null>(null);
  const { data: events } = useInfiniteQuery(browseEventsQuery(ALL_UPCOMING));
  const coming = events?.pages[0]?.total;
  const wantsUp = search.has('signup');
  const wantsIn = wantsUp || search.has('signin');
  const eventId = eventIn(safeReturnTo(search.get('returnTo')));
  // any other path is a members' screen, for which visitors must sign in
  const panelInFlow = (!narrow && !signInButton) || wantsIn || pathname !== '/';

  useEffect(() => {
    if (wantsIn) panel.current?.querySelector<HTMLInputElement>('form input')?.focus();
  }, [wantsIn]);

  return (
    <>
      <Hero
        name={name}
        headline={headline}
        tagline={tagline}
        art={heroUrl ? <HeroPhoto src={heroUrl} /> : undefined}
        ways={getSignInWays(signInButton)}
        coming={coming ? authText.comingUp({ count: coming }) : undefined}
        next={narrow || eventId ? null : <NextOpenEvent />}
        enter={(event, mode) => {
          event.preventDefault();
          setSheet(mode);
        }}
      >
        {panelInFlow ? (
          <div ref={panel} className={styles.panel}>
            {eventId && <WantedEvent eventId={eventId} />}
            <AuthPanel first={wantsUp ? 'signup' : 'login'} />
          </div>
        ) : null}
      </Hero>
      <div id="events" className={styles.events}>
        <BrowseEvents heading="h2" />
        <LandingFoot />
      </div>
      {sheet && <SignInSheet first={sheet} close={() => setSheet(null)} />}
    </>
  );
}

function NextOpenEvent() {
  const formats = useFormats();
  const { data } = useInfiniteQuery(browseEventsQuery(ALL_UPCOMING));
  const event = data?.pages[0]?.items.find(({ registrationState }) => registrationState === 'open');
  if (!event) return null;
  return (
    <div className={styles.next}>
      <p>{authText.nextOpen}</p>
      <EventRow event={event} heading="h2">
        <span className={styles.price}>{formats.price(event.price)}</span>
      </EventRow>
    </div>
  );
}

function WantedEvent({ eventId }: { eventId: string }) {
  const { data: event } = useQuery(eventQuery(eventId));
  return event ? (
    <div className={styles.wanted}>
      <p>{authText.signInFor}</p>
      <EventRow event={event} heading="h2" />
    </div>
  ) : null;
}

const EVENT_PATH = /^\/events\/([\da-f-]{36})(?:[/?#]|$)/i;

function eventIn(path: string | null): string | null {
  if (path === null) return null;
  return EVENT_PATH.exec(path)?.[1] ?? new URL(path, window.location.origin).searchParams.get('event');
}
