import type { EventPage } from '@meetmark/contracts';
import { detailsText } from '@meetmark/contracts/texts/event-page';
import { directionsTo } from '@meetmark/contracts/venue';
import { useState } from 'react';
import styles from './shared/event-details.module.css';

/** A picture of where the venue is, which leads to a map that can be moved. Nothing where there is no picture. */
export default function VenueMap({ event }: { event: EventPage }) {
  const { content, format, location, status } = event;
  const { venue } = content;
  const directions = directionsTo({ format, location, venue });
  const address = venue?.address;
  // another address is another picture, which may be there
  const [missing, setMissing] = useState<string | null>();
  // visitors are not answered a draft, so there is no picture of it
  if (!address || !directions || status === 'draft' || missing === address) return null;
  return (
    <a className={styles.map} href={directions} target="_blank" rel="noopener noreferrer nofollow">
      <img
        key={address}
        src={`/media/maps/${event.id}.webp?version=${event.version}`}
        alt={detailsText.mapOf({ place: address })}
        width={800}
        height={400}
        loading="lazy"
        onError={() => setMissing(address)}
      />
    </a>
  );
}
