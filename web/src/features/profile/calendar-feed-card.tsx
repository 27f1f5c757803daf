import { calendarFeedText as text } from '@meetmark/i18n/texts/profile';
import { useQuery } from '@tanstack/react-query';
import { ActionButton, CopyButton } from '../../ui/action-button';
import { Card } from '../../ui/card';
import { Loaded } from '../../ui/feedback';
import { useFormats } from '../../ui/use-formats';
import { useAction } from '../auth/use-action';
import { HelpButton } from '../help/help-button';
import { calendarFeedQuery, useCreateCalendarFeed, useRemoveCalendarFeed } from './profile.api';
import styles from './profile.module.css';

export function CalendarFeedCard() {
  const query = useQuery(calendarFeedQuery);
  return (
    <Card title={text.title} intro={text.intro} help={<HelpButton panel="calendarFeed" title={text.title} />}>
      <Loaded query={query}>{(feed) => <Feed createdAt={feed?.createdAt ?? null} />}</Loaded>
    </Card>
  );
}

function Feed({ createdAt }: { createdAt: string | null }) {
  const formats = useFormats();
  const creation = useCreateCalendarFeed();
  const removal = useRemoveCalendarFeed();
  const createOnce = useAction(creation);
  const removeOnce = useAction(removal);
  const { failed } = text;
  const remove = () => removeOnce(undefined, { title: text.removed, failed, onSuccess: creation.reset });
  const busy = creation.isPending || removal.isPending;
  return (
    <>
      {creation.data ? (
        <FeedAddress address={creation.data.url} />
      ) : (
        createdAt && <p>{text.exists({ date: formats.shortDate(createdAt) })}</p>
      )}
      <div className={styles.buttons}>
        <ActionButton inactive={busy} onClick={() => createOnce(undefined, { failed })}>
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
