import type { ProductLocale } from '@meetmark/contracts';
import { LOCALES } from '@meetmark/contracts/locales';
import { languageText as text } from '@meetmark/contracts/texts/language';
import type { ComponentProps } from 'react';
import field from './field.module.css';

/** Each in its own words: who looks for theirs may not read the present one. */
const OPTIONS = [
  { value: '', label: text.community, lang: undefined },
  ...LOCALES.map((locale) => ({
    value: locale,
    lang: locale,
    label: new Intl.DisplayNames(locale, { type: 'language' }).of(locale) ?? locale,
  })),
];

interface LanguageSelectProps extends Pick<ComponentProps<'select'>, 'aria-label' | 'aria-labelledby'> {
  /** Null: the community's. */
  value: string | null;
  choose: (locale: ProductLocale | null) => void;
}

export function LanguageSelect({ value, choose, ...labelled }: LanguageSelectProps) {
  return (
    <select
      className={field.input}
      value={value ?? ''}
      onChange={({ target }) => choose(target.value === '' ? null : (target.value as ProductLocale))}
      {...labelled}
    >
      {OPTIONS.map(({ value: locale, label, lang }) => (
        <option key={locale} value={locale} lang={lang}>
          {label}
        </option>
      ))}
    </select>
  );
}
