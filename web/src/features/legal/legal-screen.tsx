import type { LegalText } from '@meetmark/contracts';
import { LEGAL_PAGES, type LegalPage } from '@meetmark/contracts/community';
import { layoutText as text } from '@meetmark/i18n/texts/common';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useLocation } from 'react-router-dom';
import { sendForJson } from '../../api/client';
import { Loaded } from '../../ui/feedback';
import { ScreenHeading, usePageTitle } from '../../ui/screen-heading';
import Markdown from '../events/shared/markdown';
import styles from './legal-screen.module.css';

const pageQuery = (page: LegalPage) =>
  queryOptions({
    queryKey: [`/api/legal/${page}`],
    queryFn: ({ signal }) => sendForJson<LegalText>(`/api/legal/${page}`, { signal }),
  });

export default function LegalScreen() {
  const { pathname } = useLocation();
  const page = LEGAL_PAGES.find((each) => pathname.startsWith(`/${each}`)) ?? LEGAL_PAGES[0];
  const title = text.legal[page];
  usePageTitle(title);
  const written = useQuery(pageQuery(page));
  return (
    <article className={styles.page}>
      <ScreenHeading title={title} />
      <Loaded query={written}>{({ text: words }) => <Markdown text={words} heading="h2" />}</Loaded>
    </article>
  );
}
