import type { EventPage } from '@meetmark/contracts';
import { detailsText } from '@meetmark/i18n/texts/event-page';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { ApiError } from '../../../api/client';
import { EmptyState, ErrorState } from '../../../ui/feedback';
import { usePageTitle } from '../../../ui/screen-heading';
import styles from './event-details.module.css';
import { eventQuery, slugQuery } from './events.api';

/** To a reader, an invalid ID (400) is the same as an unknown one (404). */
const isGone = (error: unknown) =>
  error instanceof ApiError && (error.status === 404 || error.status === 400);

interface EventLoaderProps {
  eventId?: string;
  slug?: string;
  children: (event: EventPage) => ReactNode;
  page?: boolean;
}

export function EventLoader({ eventId, slug = '', children, page = false }: EventLoaderProps) {
  const at = useQuery({ ...slugQuery(slug), enabled: !eventId });
  const id = eventId ?? at.data?.id ?? '';
  const found = useQuery({ ...eventQuery(id), enabled: !!id });
  const event = found.data;
  const { error, refetch } = at.error ? at : found;
  if (event) return children(event);
  if (isGone(error)) return page ? <GonePage /> : <Gone />;
  if (error) return <ErrorState title={detailsText.failed} error={error} retry={() => void refetch()} />;
  return (
    <div role="status" aria-label={detailsText.loading} className={styles.skeleton}>
      <i className={styles.skeletonPicture} />
      <i />
      <i />
      <i />
    </div>
  );
}

function Gone({ heading }: { heading?: 'h1' }) {
  return (
    <EmptyState heading={heading} title={detailsText.notFound} hint={detailsText.notFoundHint}>
      <Link to="/events">{detailsText.otherEvents}</Link>
    </EmptyState>
  );
}

function GonePage() {
  usePageTitle(detailsText.notFound);
  return <Gone heading="h1" />;
}
