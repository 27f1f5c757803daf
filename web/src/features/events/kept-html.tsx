import styles from './shared/event-details.module.css';

interface KeptHtmlProps {
  /** Rendered by the server from Markdown; HTML in it is escaped. */
  html: string;
  heading: 'h3' | 'h4';
}

export function KeptHtml({ html, heading }: KeptHtmlProps) {
  // matches only rendered headings, because typed tags are escaped
  const shown = heading === 'h3' ? html : html.replaceAll(/<(\/?)h3>/g, '<$1h4>');
  return <div className={styles.markdown} dir="auto" dangerouslySetInnerHTML={{ __html: shown }} />;
}
