import type { MailListState } from '@meetmark/contracts';
import { unsubscribeText as text } from '@meetmark/i18n/texts/profile';
import { useQuery } from '@tanstack/react-query';
import { type ComponentProps, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { ApiError, serverMessage } from '../../api/client';
import { mailLists } from '../../strings/profile';
import { ActionButton, useOnce } from '../../ui/action-button';
import { CardSkeleton, ErrorState, Refusal } from '../../ui/feedback';
import { LinkPage } from '../auth/auth-page';
import styles from '../auth/auth-page.module.css';
import { mailListQuery, useTurnMailList } from './profile.api';

const NOT_FOUND = 404;

/** Needs no session, because the link identifies the member. */
export default function UnsubscribeScreen() {
  const [search] = useSearchParams();
  const token = search.get('token') ?? '';
  const { data: state, error, refetch } = useQuery(mailListQuery(token));
  if (error instanceof ApiError && error.status === NOT_FOUND)
    return <Page title={text.invalidTitle} sentence={text.invalid} />;
  if (state) return <Subscription token={token} state={state} />;
  return (
    <Page title={text.title}>
      {error ? <ErrorState error={error} retry={() => void refetch()} /> : <CardSkeleton />}
    </Page>
  );
}

function Subscription({ token, state: { list, subscribed } }: { token: string; state: MailListState }) {
  const [turned, setTurned] = useState(false);
  const turn = useTurnMailList(token);
  const turnOnce = useOnce(turn);
  const { name, hint } = mailLists[list];
  const act = (to: boolean) => turnOnce(to, { onSuccess: () => setTurned(true) });
  const failure = turn.error && <Refusal>{serverMessage(turn.error) ?? text.failed}</Refusal>;
  if (!subscribed)
    return (
      <Page title={text.stoppedTitle} sentence={text.stopped({ list: name })} announced={turned}>
        {failure}
        <ActionButton inactive={turn.isPending} size="large" block onClick={() => act(true)}>
          {turn.isPending ? text.undoing : text.undo}
        </ActionButton>
      </Page>
    );
  return (
    <Page
      title={turned ? text.undoneTitle : text.title}
      sentence={turned ? hint : `${text.ask({ list: name })} ${hint}`}
      announced={turned}
    >
      {failure}
      <ActionButton inactive={turn.isPending} type="primary" size="large" block onClick={() => act(false)}>
        {turn.isPending ? text.stopping : text.stop}
      </ActionButton>
    </Page>
  );
}

const LINKS = [
  { to: '/profile/notifications', label: text.settings },
  { to: '/', label: text.home },
];

const Page = ({ children, ...page }: Omit<ComponentProps<typeof LinkPage>, 'links'>) => (
  <LinkPage {...page} links={LINKS}>
    {children && <div className={styles.form}>{children}</div>}
    {children && <p className={styles.hint}>{text.always}</p>}
  </LinkPage>
);
