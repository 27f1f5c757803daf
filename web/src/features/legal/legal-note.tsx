import { LEGAL_PAGES } from '@meetmark/contracts/community';
import { legalText } from '@meetmark/i18n/texts/legal';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { useCommunity } from '../../api/community';

const LINKED = /<(terms|privacy)>(.*?)<\/\1>/g;

export default function LegalNote({
  to,
  className,
}: {
  to: keyof typeof legalText.agree;
  className?: string;
}) {
  const { legalPages } = useCommunity();
  const [first] = legalPages;
  if (first === undefined) return null;
  const which = LEGAL_PAGES.every((page) => legalPages.includes(page)) ? 'both' : first;
  return <p className={className}>{linked(legalText.agree[to][which])}</p>;
}

/** Links open in a new tab, so that the form keeps its input. */
function linked(sentence: string): ReactNode[] {
  const parts: ReactNode[] = [];
  let end = 0;
  for (const { 0: whole, 1: page, 2: words, index } of sentence.matchAll(LINKED)) {
    parts.push(
      sentence.slice(end, index),
      <Link key={page} to={`/${page}`} target="_blank">
        {words}
      </Link>,
    );
    end = index + whole.length;
  }
  return [...parts, sentence.slice(end)];
}
