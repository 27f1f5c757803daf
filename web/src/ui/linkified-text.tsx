import Linkify from 'linkify-react';
import styles from './linkified-text.module.css';

const OPTIONS = { target: '_blank', rel: 'noopener noreferrer nofollow', defaultProtocol: 'https' };

/** Plain text with its line breaks; addresses in it become links. Never HTML (D24). */
export const LinkifiedText = ({ text }: { text: string }) => (
  <p className={styles.text} dir="auto">
    <Linkify options={OPTIONS}>{text}</Linkify>
  </p>
);
