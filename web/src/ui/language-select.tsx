import type { ProductLocale } from '@meetmark/i18n/locales';
import { LOCALES } from '@meetmark/i18n/locales';
import { languageText as text } from '@meetmark/i18n/texts/language';
import type { ComponentProps } from 'react';
import { useCommunity } from '../api/community';
import field from './field.module.css';

export const languageName = (locale: string) =>
  new Intl.DisplayNames(locale, { type: 'language' }).of(locale) ?? locale;

interface LanguageSelectProps extends Pick<ComponentProps<'select'>, 'aria-label' | 'aria-labelledby'> {
  value: string | null;
  choose: (locale: ProductLocale | null) => void;
}

export function LanguageSelect({ value, choose, ...labelled }: LanguageSelectProps) {
  const { languages } = useCommunity();
  const offered = LOCALES.filter(
    (locale) => languages === null || languages.includes(locale) || locale === value,
  );
  return (
    <select
      className={field.input}
      value={value ?? ''}
      onChange={({ target }) => choose(target.value === '' ? null : (target.value as ProductLocale))}
      {...labelled}
    >
      <option value="">{text.automatic}</option>
      {offered.map((locale) => (
        <option key={locale} value={locale} lang={locale}>
          {languageName(locale)}
        </option>
      ))}
    </select>
  );
}
