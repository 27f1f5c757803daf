import type { Event, GuestCode } from '@meetmark/contracts';
import { ownCodeText as text } from '@meetmark/i18n/texts/own-code';
import { useQuery } from '@tanstack/react-query';
import { sendForJson } from '../../api/client';
import { Dialog } from '../../ui/dialog';
import { ErrorState } from '../../ui/feedback';
import { QrCode } from '../../ui/qr-code';
import { useFormats } from '../../ui/use-formats';
import styles from './own-code-dialog.module.css';

interface OwnCodeDialogProps {
  event: Event;
  close: () => void;
}

export default function OwnCodeDialog({ event, close }: OwnCodeDialogProps) {
  const { eventSpan } = useFormats();
  const { data, error, refetch } = useQuery({
    queryKey: ['/api/my-events', event.id, 'code'],
    queryFn: ({ signal }) =>
      sendForJson<GuestCode & { url: string }>(`/api/my-events/${event.id}/code`, { signal }),
    staleTime: Infinity,
  });
  return (
    <Dialog title={text.title} close={close} width={420}>
      {() => (
        <div className={styles.content}>
          <p>
            <strong dir="auto">{event.title}</strong>
            <br />
            <time dateTime={event.startDate}>{eventSpan(event)}</time>
          </p>
          {data ? (
            <>
              <div className={styles.paper}>
                <QrCode text={data.url} label={text.qr} />
              </div>
              <p className={styles.words}>{inGroups(data.code)}</p>
              <p className={styles.soft}>{text.hint}</p>
            </>
          ) : error ? (
            <ErrorState title={text.failed} error={error} retry={() => void refetch()} />
          ) : (
            <div role="status" aria-label={text.loading} className={styles.paper} />
          )}
        </div>
      )}
    </Dialog>
  );
}

const inGroups = (code: string) => code.replaceAll(/(.{4})(?=.)/g, '$1 ');
