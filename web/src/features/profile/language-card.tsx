import type { ProductLocale, User } from '@meetmark/contracts';
import { LOCALES } from '@meetmark/contracts/locales';
import { useId } from 'react';
import { languageText as text } from '../../strings/language';
import { useOnce } from '../../ui/action-button';
import field from '../../ui/field.module.css';
import { useFailure } from '../auth/session';
import { useUpdateProfile } from './profile.api';
import styles from './profile.module.css';

/** Each in its own words: who looks for theirs may not read the present one. */
const OPTIONS = [
  { value: '', label: text.community, lang: undefined },
  ...LOCALES.map((locale) => ({
    value: locale,
    lang: locale,
    label: new Intl.DisplayNames(locale, { type: 'language' }).of(locale) ?? locale,
  })),
];

/** The language of a member's screens; a choice saves at once, and the page comes back in it. */
export function LanguageCard({ user }: { user: User }) {
  const failed = useFailure();
  const id = useId();
  const update = useUpdateProfile();
  const updateOnce = useOnce(update);
  const shown = (update.isPending ? update.variables.locale : user.locale) ?? '';
  const choose = (value: string) =>
    updateOnce(
      { locale: value === '' ? null : (value as ProductLocale) },
      { onError: (error) => failed(error, text.failed) },
    );
  return (
    <section className={styles.card}>
      <div>
        <h2 id={id}>{text.title}</h2>
        <p className={styles.soft}>{text.intro}</p>
      </div>
      <select
        className={field.input}
        aria-labelledby={id}
        value={shown}
        onChange={({ target }) => choose(target.value)}
      >
        {OPTIONS.map(({ value, label, lang }) => (
          <option key={value} value={value} lang={lang}>
            {label}
          </option>
        ))}
      </select>
    </section>
  );
}
