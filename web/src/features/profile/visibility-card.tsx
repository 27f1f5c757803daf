import type { ShowMe, User } from '@meetmark/contracts';
import { visibilityText as text } from '@meetmark/i18n/texts/profile';
import { useOnce } from '../../ui/action-button';
import { Card } from '../../ui/card';
import { Choice, toOptions } from '../../ui/choice';
import { useToasts } from '../../ui/toasts';
import { useFailure } from '../auth/session';
import { HelpButton } from '../help/help-button';
import { useUpdateProfile } from './profile.api';
import styles from './profile.module.css';

const OPTIONS = toOptions<ShowMe>(text.options);

export function VisibilityCard({ user }: { user: User }) {
  const toasts = useToasts();
  const failed = useFailure();
  const update = useUpdateProfile();
  const updateOnce = useOnce(update);
  const shown = (update.isPending && update.variables.showMe) || user.showMe;
  const choose = (showMe: ShowMe) =>
    updateOnce(
      { showMe, version: user.version },
      {
        onSuccess: () => toasts.success(text.saved),
        onError: (error) => failed(error, text.failed),
      },
    );
  return (
    <Card title={text.title} intro={text.intro} help={<HelpButton panel="visibility" title={text.title} />}>
      <Choice label={text.title} options={OPTIONS} value={shown} change={choose} block />
      <p className={styles.soft}>{text.hints[shown]}</p>
    </Card>
  );
}
