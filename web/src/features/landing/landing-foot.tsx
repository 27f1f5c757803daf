import { languageText } from '@meetmark/i18n/texts/language';
import { chosenLocale, speak } from '../../api/language';
import { LanguageSelect } from '../../ui/language-select';
import SubscribeBox from '../topics/subscribe-box';
import styles from './landing-foot.module.css';

export default function LandingFoot() {
  return (
    <>
      <SubscribeBox />
      {/* Choosing a language reloads the page. A new account keeps this language. */}
      <label className={styles.language}>
        {languageText.title}
        <LanguageSelect value={chosenLocale()} choose={speak} />
      </label>
    </>
  );
}
