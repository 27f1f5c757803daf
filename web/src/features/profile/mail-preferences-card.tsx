import type { MailList, MailPreferences } from '@meetmark/contracts';
import { mailPreferencesText as text } from '@meetmark/contracts/texts/profile';
import { useQuery } from '@tanstack/react-query';
import { serverMessage } from '../../api/client';
import { mailLists } from '../../strings/profile';
import { Card } from '../../ui/card';
import { Loaded } from '../../ui/feedback';
import { useToasts } from '../../ui/toasts';
import { useOnce } from '../../ui/action-button';
import { useFailure } from '../auth/session';
import { HelpButton } from '../help/help-button';
import { Preference } from './preference';
import { mailPreferencesQuery, useSetMailPreferences } from './profile.api';

const LISTS = Object.keys(mailLists) as MailList[];

/** The kinds of mail that a member accepts; each switch saves at once. */
export function MailPreferencesCard() {
  const preferences = useQuery(mailPreferencesQuery);
  return (
    <Card title={text.title} intro={text.intro} help={<HelpButton panel="profileMails" title={text.title} />}>
      <Loaded query={preferences}>{(saved) => <Preferences saved={saved} />}</Loaded>
    </Card>
  );
}

function Preferences({ saved }: { saved: MailPreferences }) {
  const toasts = useToasts();
  const failed = useFailure();
  const save = useSetMailPreferences();
  const saveOnce = useOnce(save);
  // While the change is being saved, the switch shows it already.
  const shown = save.isPending ? save.variables : saved;
  const set = (changed: Partial<MailPreferences>) =>
    saveOnce(
      { ...shown, ...changed },
      {
        onSuccess: () => toasts.success(text.saved),
        onError: (error) => failed(error, serverMessage(error) ?? text.failed),
      },
    );
  return (
    <>
      {LISTS.map((list) => (
        <Preference
          key={list}
          {...mailLists[list]}
          on={shown[list]}
          busy={save.isPending}
          turn={(on) => set({ [list]: on })}
        />
      ))}
    </>
  );
}
