import { commonText } from '@meetmark/i18n/texts/common';
import { eventLifeText as text } from '@meetmark/i18n/texts/event-life';
import { detailsText } from '@meetmark/i18n/texts/event-page';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Link, useParams } from 'react-router-dom';
import { ApiError } from '../../api/client';
import { CardSkeleton, EmptyState, ErrorState } from '../../ui/feedback';
import { usePageTitle } from '../../ui/screen-heading';
import { EventDetails } from './event-details';
import styles from './shared/event-details.module.css';
import { previewQuery } from './event-life.api';

export default function PreviewScreen() {
  const { token = '' } = useParams();
  const { data: event, error, refetch } = useQuery(previewQuery(token));
  usePageTitle(event?.title ?? text.previewTitle);
  useEffect(() => {
    const meta = document.createElement('meta');
    Object.assign(meta, { name: 'robots', content: 'noindex' });
    document.head.append(meta);
    return () => meta.remove();
  }, []);
  const gone = error instanceof ApiError && error.status >= 400 && error.status < 500;
  return (
    <div className={styles.page}>
      {event ? (
        <EventDetails event={event} preview />
      ) : gone ? (
        <EmptyState heading="h1" title={text.previewGone} hint={text.previewGoneHint}>
          <Link to="/">{commonText.notFoundLink}</Link>
        </EmptyState>
      ) : error ? (
        <ErrorState title={detailsText.failed} error={error} retry={() => void refetch()} />
      ) : (
        <CardSkeleton />
      )}
    </div>
  );
}
