import type { Event } from '@meetmark/contracts';
import { memo, useMemo } from 'react';
import styles from './event-card.module.css';
import { type BannerTile, designBanner } from './generated-banner';

/** Proportions of the space that is reserved before the picture arrives. */
const WIDTH = 1600;
const HEIGHT = 800;
const TILE = 100;

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
  const { ground, columns, rows, tiles } = useMemo(() => designBanner(seed), [seed]);
  return (
    <svg
      className={styles.banner}
      viewBox={`0 0 ${columns * TILE} ${rows * TILE}`}
      preserveAspectRatio="xMidYMid slice"
      aria-hidden="true"
      focusable="false"
    >
      <rect width="100%" height="100%" fill={ground} />
      {tiles.map((tile) => (
        <g
          key={`${tile.x}-${tile.y}`}
          transform={`translate(${tile.x * TILE} ${tile.y * TILE}) rotate(${tile.turn * 90} ${TILE / 2} ${TILE / 2})`}
        >
          <Shape {...tile} />
        </g>
      ))}
    </svg>
  );
}

function Shape({ shape, ink, second }: BannerTile) {
  switch (shape) {
    case 'quarter':
      return <path d="M0 0h100A100 100 0 0 1 0 100z" fill={ink} />;
    case 'half':
      return <path d="M0 50a50 50 0 0 1 100 0z" fill={ink} />;
    case 'disc':
      return (
        <>
          <circle cx="50" cy="50" r="50" fill={ink} />
          <circle cx="50" cy="50" r="20" fill={second} />
        </>
      );
    case 'ring':
      return <circle cx="50" cy="50" r="34" fill="none" stroke={ink} strokeWidth="18" />;
    case 'stripes':
      return <path d="M0 12.5h100M0 37.5h100M0 62.5h100M0 87.5h100" stroke={ink} strokeWidth="12.5" />;
    case 'square':
      return (
        <>
          <path d="M0 0h100v100H0z" fill={ink} />
          <path d="M0 100A100 100 0 0 1 100 0v100z" fill={second} />
        </>
      );
  }
}
