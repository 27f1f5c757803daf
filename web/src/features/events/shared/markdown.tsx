import { markdownFault } from '@meetmark/contracts/markdown';
import DOMPurify from 'dompurify';
import { Marked } from 'marked';
import { useMemo } from 'react';
import styles from './event-details.module.css';

interface MarkdownProps {
  text: string;
  heading: 'h2' | 'h3' | 'h4';
}

export default function Markdown({ text, heading }: MarkdownProps) {
  const html = useMemo(
    () => (markdownFault(text) === null ? renderHtml(text, heading) : null),
    [text, heading],
  );
  if (html === null)
    return (
      <p className={styles.text} dir="auto">
        {text}
      </p>
    );
  return <div className={styles.markdown} dir="auto" dangerouslySetInnerHTML={{ __html: html }} />;
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

const parserFor = (heading: MarkdownProps['heading']) =>
  new Marked({
    gfm: true,
    breaks: true,
    async: false,
    renderer: {
      html: ({ text }) => escaped(text),
      image: ({ text }) => escaped(text),
      heading({ tokens }) {
        return `<${heading}>${this.parser.parseInline(tokens)}</${heading}>`;
      },
    },
  });

const PARSERS = { h2: parserFor('h2'), h3: parserFor('h3'), h4: parserFor('h4') };

const ALLOWED = {
  ALLOWED_TAGS: 'p br strong em del a ul ol li h2 h3 h4 blockquote code pre hr'.split(' '),
  ALLOWED_ATTR: ['href', 'start'],
  ADD_URI_SAFE_ATTR: ['start'],
  ALLOWED_URI_REGEXP: /^(https?:\/\/|mailto:)/i,
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
};

export function renderHtml(text: string, heading: MarkdownProps['heading']): string {
  const clean = DOMPurify.sanitize(PARSERS[heading].parse(text) as string, {
    ...ALLOWED,
    RETURN_DOM_FRAGMENT: true,
  });
  const holder = document.createElement('div');
  holder.append(clean);
  // a link without an allowed URL becomes plain text
  for (const link of holder.querySelectorAll('a'))
    if (link.getAttribute('href')) {
      link.target = '_blank';
      link.rel = 'noopener noreferrer nofollow';
    } else link.replaceWith(...link.childNodes);
  return holder.innerHTML;
}
