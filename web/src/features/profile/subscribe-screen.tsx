import { subscribeText as text } from '@meetmark/i18n/texts/profile';
import { useState } from 'react';
import { useLocation } from 'react-router-dom';
import { ApiError, send } from '../../api/client';
import { useMutation } from '../../api/mutation';
import { useOnce } from '../../ui/action-button';
import { LinkAction, LinkPage } from '../auth/auth-page';

const NOT_FOUND = 404;
const LINKS = [{ to: '/', label: text.home }];

/** Acts only when its button is pressed, because email scanners open every link. */
export default function SubscribeScreen() {
  const { hash } = useLocation();
  const [token] = useState(() => hash.slice(1));
  const confirm = useMutation({
    mutationFn: () => send('/api/subscriptions/confirm', { method: 'POST', body: { token } }),
  });
  const confirmOnce = useOnce(confirm);
  if (confirm.isSuccess)
    return <LinkPage title={text.doneTitle} sentence={text.done} announced links={LINKS} />;
  if (token === '' || (confirm.error instanceof ApiError && confirm.error.status === NOT_FOUND))
    return <LinkPage title={text.invalidTitle} sentence={text.invalid} announced links={LINKS} />;
  return (
    <LinkPage title={text.title} sentence={text.intro} links={LINKS}>
      <LinkAction call={confirm} words={text} press={() => confirmOnce()} />
    </LinkPage>
  );
}
