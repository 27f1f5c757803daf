import type { Event } from '@meetmark/contracts';
import { coverPattern, PATTERN } from '@meetmark/contracts/cover-pattern';
import { memo, useMemo } from 'react';
import { useCommunity } from '../../../api/community';
import styles from './event-card.module.css';

/** Proportions of the space that is reserved before the picture arrives. */
const WIDTH = 1600;
const HEIGHT = 800;

/** An event's picture, or one generated from its id. Decorative: the title is beside it. */
export const EventBanner = memo(function EventBanner({
  event,
  eager = false,
}: {
  event: Pick<Event, 'id' | 'bannerImageUrl'>;
  eager?: boolean;
}) {
  return event.bannerImageUrl ? (
    <img
      className={styles.banner}
      src={event.bannerImageUrl}
      alt=""
      width={WIDTH}
      height={HEIGHT}
      loading={eager ? 'eager' : 'lazy'}
    />
  ) : (
    <Generated seed={event.id} />
  );
});

function Generated({ seed }: { seed: string }) {
  const { covers } = useCommunity().brandPalettes.both;
  // nothing that anybody typed is in it: shapes of ours, and colours that the server computed
  const drawing = useMemo(() => ({ __html: coverPattern(seed, covers) }), [seed, covers]);
  return (
    <svg
      className={styles.banner}
      viewBox={`0 0 ${PATTERN.width} ${PATTERN.height}`}
      preserveAspectRatio="xMidYMid slice"
      aria-hidden="true"
      focusable="false"
      dangerouslySetInnerHTML={drawing}
    />
  );
}
