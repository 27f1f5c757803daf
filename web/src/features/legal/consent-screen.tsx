import { LEGAL_PAGES, type LegalVersions } from '@meetmark/contracts/community';
import { accountMenuText } from '@meetmark/i18n/texts/account';
import { commonText } from '@meetmark/i18n/texts/common';
import { consentText as text } from '@meetmark/i18n/texts/consent';
import { useQueryClient } from '@tanstack/react-query';
import { Outlet, useLocation } from 'react-router-dom';
import { send } from '../../api/client';
import { useMutation } from '../../api/mutation';
import { ActionButton, useOnce } from '../../ui/action-button';
import { ScreenHeading, usePageTitle } from '../../ui/screen-heading';
import { useSignOut } from '../auth/auth.api';
import { useMember } from '../auth/session';
import { useAction } from '../auth/use-action';
import { LegalSentence } from './legal-note';
import styles from './legal-screen.module.css';

const LEGAL_PATHS = LEGAL_PAGES.map((page) => `/${page}`);

/** Replaces every screen except the legal pages. */
export default function ConsentScreen() {
  const { pathname } = useLocation();
  return LEGAL_PATHS.includes(pathname) ? <Outlet /> : <Question />;
}

function Question() {
  usePageTitle(text.title);
  const { consentNeeded = {} } = useMember();
  const accepting = useAcceptLegalPages();
  const accept = useAction(accepting);
  const signOut = useOnce(useSignOut());
  const pages = LEGAL_PAGES.filter((page) => consentNeeded[page] !== undefined);
  return (
    <section className={styles.page}>
      <ScreenHeading title={text.title} />
      <LegalSentence pages={pages} sentences={text.pages} />
      <div className={styles.buttons}>
        <ActionButton
          type="primary"
          loading={accepting.isPending}
          onClick={() => accept(consentNeeded, { failed: commonText.tryInAMoment })}
        >
          {text.accept}
        </ActionButton>
        <ActionButton onClick={() => signOut()}>{accountMenuText.signOut}</ActionButton>
      </div>
    </section>
  );
}

/** Fetches everything again, because the server refused it before. */
function useAcceptLegalPages() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (versions: LegalVersions) => send('/api/user/consents', { method: 'POST', body: versions }),
    onSettled: () => client.invalidateQueries(),
  });
}
