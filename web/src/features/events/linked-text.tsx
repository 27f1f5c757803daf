import Linkify from 'linkify-react';
import styles from './shared/event-details.module.css';

const OPTIONS = { target: '_blank', rel: 'noopener noreferrer nofollow', defaultProtocol: 'https' };

export default function LinkedText({ text }: { text: string }) {
  return (
    <p className={styles.text} dir="auto">
      <Linkify options={OPTIONS}>{text}</Linkify>
    </p>
  );
}
