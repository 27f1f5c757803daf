import { LEGAL_PAGES, type LegalPage } from '@meetmark/contracts/community';
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
  return <LegalSentence pages={legalPages} sentences={legalText.agree[to]} className={className} />;
}

interface LegalSentenceProps {
  pages: LegalPage[];
  sentences: Record<LegalPage | 'both', string>;
  className?: string;
}

export function LegalSentence({ pages, sentences, className }: LegalSentenceProps) {
  const [first] = pages;
  if (first === undefined) return null;
  const which = LEGAL_PAGES.every((page) => pages.includes(page)) ? 'both' : first;
  return <p className={className}>{linked(sentences[which])}</p>;
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
