import styles from './shared/event-details.module.css';

interface KeptHtmlProps {
  /** HTML that the server made of Markdown: it has a few elements, and typed HTML in it is text. */
  html: string;
  /** The level of headings in the text. */
  heading: 'h3' | 'h4';
}

/** What an organiser wrote in Markdown, without what would render it here. */
export function KeptHtml({ html, heading }: KeptHtmlProps) {
  // no other `<h3>` is there: typed ones are escaped
  const shown = heading === 'h3' ? html : html.replaceAll(/<(\/?)h3>/g, '<$1h4>');
  return <div className={styles.markdown} dir="auto" dangerouslySetInnerHTML={{ __html: shown }} />;
}
