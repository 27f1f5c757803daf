import { type Handbook, isReadIn } from '@meetmark/contracts/handbook';
import { helpText } from '@meetmark/i18n/texts/help';
import styles from './help.module.css';

export const OtherLanguage = ({ handbook: { language } }: { handbook: Handbook }) =>
  isReadIn(language, document.documentElement.lang) ? null : (
    <p className={styles.note}>{helpText.language}</p>
  );
