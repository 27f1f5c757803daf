import type { ProductLocale, User } from '@meetmark/contracts';
import { useId } from 'react';
import { languageText as text } from '../../strings/language';
import { useOnce } from '../../ui/action-button';
import { useFailure } from '../auth/session';
import { LanguageSelect } from './language-select';
import { useUpdateProfile } from './profile.api';
import styles from './profile.module.css';

/** The language of a member's screens; a choice saves at once, and the page comes back in it. */
export function LanguageCard({ user }: { user: User }) {
  const failed = useFailure();
  const id = useId();
  const update = useUpdateProfile();
  const updateOnce = useOnce(update);
  const choose = (locale: ProductLocale | null) =>
    updateOnce({ locale }, { onError: (error) => failed(error, text.failed) });
  return (
    <section className={styles.card}>
      <div>
        <h2 id={id}>{text.title}</h2>
        <p className={styles.soft}>{text.intro}</p>
      </div>
      <LanguageSelect
        aria-labelledby={id}
        value={(update.isPending ? update.variables.locale : user.locale) ?? null}
        choose={choose}
      />
    </section>
  );
}
