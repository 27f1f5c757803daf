import type { Event } from '@meetmark/contracts';
import { coverSources, cropStyles } from '@meetmark/contracts/events/cover-crop';
import { coverAddress, coverPattern, PATTERN } from '@meetmark/contracts/events/cover-pattern';
import type { PictureColours } from '@meetmark/contracts/palette';
import { type CSSProperties, memo, useMemo } from 'react';
import { useCommunity } from '../../../api/community';
import styles from './event-card.module.css';

const WIDTH = 1600;
const HEIGHT = 800;

export const EventBanner = memo(function EventBanner({
  event,
  place = 'card',
}: {
  event: Event;
  place?: 'card' | 'page';
}) {
  const { covers } = useCommunity().brandPalettes.both;
  const address = coverAddress(event, covers);
  return address === null ? (
    <Generated seed={event.id} covers={covers} />
  ) : (
    <img
      className={styles.banner}
      {...coverSources(address, place, event)}
      src={address}
      alt=""
      width={WIDTH}
      height={HEIGHT}
      loading={place === 'page' ? 'eager' : 'lazy'}
      style={cropStyles(event) as CSSProperties}
    />
  );
});

function Generated({ seed, covers }: { seed: string; covers: PictureColours['covers'] }) {
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
