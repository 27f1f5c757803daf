import type { User } from '@meetmark/contracts';
import type { ProductLocale } from '@meetmark/i18n/locales';
import { languageText as text } from '@meetmark/i18n/texts/language';
import { useOnce } from '../../ui/action-button';
import { Card } from '../../ui/card';
import { LanguageSelect } from '../../ui/language-select';
import { useFailure } from '../auth/session';
import { useUpdateProfile } from './profile.api';

export function LanguageCard({ user }: { user: User }) {
  const failed = useFailure();
  const update = useUpdateProfile();
  const updateOnce = useOnce(update);
  const choose = (locale: ProductLocale | null) =>
    updateOnce({ locale }, { onError: (error) => failed(error, text.failed) });
  return (
    <Card title={text.title} intro={text.intro}>
      <LanguageSelect
        aria-label={text.title}
        value={(update.isPending ? update.variables.locale : user.locale) ?? null}
        choose={choose}
      />
    </Card>
  );
}
