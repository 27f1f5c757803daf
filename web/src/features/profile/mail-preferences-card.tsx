import type { MailList, MailPreferences } from '@meetmark/contracts';
import { mailPreferencesText as text } from '@meetmark/i18n/texts/profile';
import { useQuery } from '@tanstack/react-query';
import { mailLists } from '../../strings/profile';
import { Card } from '../../ui/card';
import { Loaded } from '../../ui/feedback';
import { useAction } from '../auth/use-action';
import { HelpButton } from '../help/help-button';
import { Preference } from './preference';
import { mailPreferencesQuery, useSetMailPreferences } from './profile.api';

const LISTS = Object.keys(mailLists) as MailList[];

export function MailPreferencesCard() {
  const preferences = useQuery(mailPreferencesQuery);
  return (
    <Card title={text.title} intro={text.intro} help={<HelpButton panel="profileMails" title={text.title} />}>
      <Loaded query={preferences}>{(saved) => <Preferences saved={saved} />}</Loaded>
    </Card>
  );
}

function Preferences({ saved }: { saved: MailPreferences }) {
  const save = useSetMailPreferences();
  const saveOnce = useAction(save);
  const shown = save.isPending ? save.variables : saved;
  const set = (changed: Partial<MailPreferences>) =>
    saveOnce({ ...shown, ...changed }, { title: text.saved, failed: text.failed });
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
