import { calendarFeedText as text } from '@meetmark/contracts/texts/profile';
import { useQuery } from '@tanstack/react-query';
import { serverMessage } from '../../api/client';
import { ActionButton, CopyButton, useOnce } from '../../ui/action-button';
import { Card } from '../../ui/card';
import { Loaded } from '../../ui/feedback';
import { useToasts } from '../../ui/toasts';
import { useFormats } from '../../ui/use-formats';
import { useFailure } from '../auth/session';
import { HelpButton } from '../help/help-button';
import { calendarFeedQuery, useCreateCalendarFeed, useRemoveCalendarFeed } from './profile.api';
import styles from './profile.module.css';

/** Makes, shows once, replaces and removes the member's secret calendar address. */
export function CalendarFeedCard() {
  const query = useQuery(calendarFeedQuery);
  return (
    <Card title={text.title} intro={text.intro} help={<HelpButton panel="calendarFeed" title={text.title} />}>
      <Loaded query={query}>{(feed) => <Feed createdAt={feed?.createdAt ?? null} />}</Loaded>
    </Card>
  );
}

function Feed({ createdAt }: { createdAt: string | null }) {
  const toasts = useToasts();
  const failed = useFailure();
  const formats = useFormats();
  const creation = useCreateCalendarFeed();
  const removal = useRemoveCalendarFeed();
  const createOnce = useOnce(creation);
  const removeOnce = useOnce(removal);
  const onError = (error: Error) => failed(error, serverMessage(error) ?? text.failed);
  const remove = () =>
    removeOnce(undefined, {
      onSuccess: () => {
        creation.reset();
        toasts.success(text.removed);
      },
      onError,
    });
  const busy = creation.isPending || removal.isPending;
  return (
    <>
      {creation.data ? (
        <FeedAddress address={creation.data.url} />
      ) : (
        createdAt && <p>{text.exists({ date: formats.shortDate(createdAt) })}</p>
      )}
      <div className={styles.buttons}>
        <ActionButton inactive={busy} onClick={() => createOnce(undefined, { onError })}>
          {createdAt ? text.replace : text.create}
        </ActionButton>
        {createdAt && (
          <ActionButton type="text" inactive={busy} onClick={remove}>
            {text.remove}
          </ActionButton>
        )}
      </div>
    </>
  );
}

function FeedAddress({ address }: { address: string }) {
  return (
    <div className={styles.address}>
      <output aria-label={text.address}>{address}</output>
      <p className={styles.soft}>{text.onlyNow}</p>
      <div>
        <CopyButton text={address} label={text.copy} copied={text.copied} failed={text.copyFailed} />
      </div>
    </div>
  );
}
